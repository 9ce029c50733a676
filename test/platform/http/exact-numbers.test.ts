// Numbers are stored exactly as they are sent, or refused. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../support/harness.ts'

const { app, admin } = await openWorld()
const clientId = (await admin.post('/v1/partners', { name: 'Kauri', code: 'KAURI', relationship: 1 })).body
  .partnerId
const products = `/v1/partners/${clientId}/products`
const tooLong = 'must be a number that can be held exactly, of 15 digits or fewer.'

/** Posts JSON text unchanged, because JSON.stringify would round its numbers. */
async function post(path: string, payload: string) {
  const headers = { authorization: admin.authorization, 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: path, headers, payload })
  return { status: response.statusCode, body: response.json() }
}

test('a number whose digits would change is refused with the name of its field, together with the other faults', async () => {
  const refused = await post(
    products,
    '{"code":"A","volumeM3":98765432101.123456,"weightKG":9007199254740993}',
  )
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.ErrorMessages.toSorted(), [
    'name is required.',
    `volumeM3 ${tooLong}`,
    `weightKG ${tooLong}`,
  ])
  const items =
    '{"quantity":12345678901.123456},{"quantity":98765432101.1234567},{"quantity":1,"volumeM3":98765432101.100004},{"quantity":1e400}'
  const imported = await post(
    '/v1/consignment-imports',
    `{"consignmentType":1,"products":[{"productCode":"A","items":[${items}]}]}`,
  )
  assert.equal(imported.status, 400)
  const field = (name: string) =>
    imported.body.ErrorMessages.filter((message: string) => message.startsWith(`products[0].items${name}`))
  for (const name of ['[0].quantity', '[1].quantity', '[2].volumeM3', '[3].quantity'])
    assert.deepEqual(field(name), [`products[0].items${name} ${tooLong}`])
})

test('whole numbers and decimals keep all digits that their field allows', async () => {
  for (const [i, volume] of [
    '98765432101',
    '98765432101.1235',
    '123456789.123456',
    '0.000001',
    '3.1000000000000001',
  ].entries()) {
    const created = await post(
      products,
      `{"code":"P${i}","name":"Crate","volumeM3":${volume},"unknown":9007199254740993}`,
    )
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const read = await admin.get(`${products}/${created.body.partnerProductId}`)
    assert.equal(read.body.volumeM3, Number(volume))
  }
})
