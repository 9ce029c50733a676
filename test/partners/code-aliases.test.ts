import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line, openImports } from '../support/given-imports.ts'

const given = await openImports()
const { world, drain, imported, read, exists, clientId, carrierId } = given
const { admin } = world
const aliases = `/v1/partners/${clientId}/code-aliases`
const product = (code: string, replacement: string) => ({ kind: 'product', code, replacement })

test('imports that wait for a code are tried again when it gets an alias', async () => {
  const id = await imported({ products: [line({ productCode: 'A-1' })], carrierCode: 'swft' })
  assert.equal((await admin.post(aliases, product('a-1', 'apple'))).status, 201)
  await drain()
  assert.equal(await exists(id), 202, 'the carrier is still unknown')
  assert.equal((await admin.post(aliases, { kind: 'carrier', code: 'SWFT', replacement: 'SWF' })).status, 201)
  await drain()
  assert.equal(await exists(id), 201)
  const { replacements } = await read(id)
  assert.deepEqual(
    replacements.map(({ code, replacement }: Record<string, string>) => [code, replacement]).toSorted(),
    [
      ['A-1', 'apple'],
      ['swft', 'SWF'],
    ],
  )
})

test('an alias is one step: its replacement is not replaced again', async () => {
  assert.equal((await admin.post(aliases, product('B-1', 'PEAR'))).status, 201)
  assert.deepEqual((await admin.post(aliases, product('B-2', 'B-1'))).body.ErrorMessages, [
    'replacement is not the code of an active product of the client.',
  ])
})

test('a code that a record has, or that has an alias, gets none', async () => {
  const own = await admin.post(aliases, product('Pear', 'APPLE'))
  assert.deepEqual(
    [own.status, own.body.ErrorMessages],
    [409, ['Pear is the code of a record, so it needs no alias.']],
  )
  const twice = await admin.post(aliases, product('b-1', 'APPLE'))
  assert.deepEqual(
    [twice.status, twice.body.ErrorMessages],
    [409, ['The client already has an alias for b-1.']],
  )
})

test('once an alias is deleted its code waits again', async () => {
  const { codeAliases } = (await admin.get(aliases)).body
  const { id, userFullName } = codeAliases.find(({ code }: { code: string }) => code === 'B-1')
  assert.ok(userFullName)
  assert.equal((await admin.delete(`${aliases}/${id}`)).status, 200)
  assert.equal((await admin.delete(`${aliases}/${id}`)).status, 404)
  assert.equal(await exists(await imported({ products: [line({ productCode: 'B-1' })] })), 202)
})

test('only clients have aliases, and a client has and sees its own', async () => {
  assert.equal((await admin.get(`/v1/partners/${carrierId}/code-aliases`)).status, 404)
  assert.equal(
    (await admin.post(`/v1/partners/${carrierId}/code-aliases`, product('X', 'APPLE'))).status,
    404,
  )
  const other = Object.values(
    (await admin.post('/v1/partners', { name: 'Rata', code: 'RATA', relationship: 1 })).body,
  )[0] as string
  const stranger = world.as(admin, { partnerId: other })
  assert.deepEqual(
    (await stranger.get(aliases)).body,
    { codeAliases: [] },
    'it reads its own whatever it asks for',
  )
  assert.equal((await admin.post(aliases, product('C-1', 'APPLE'))).status, 201)
  const id = await imported({ clientCode: 'RATA', products: [line({ productCode: 'C-1' })] })
  assert.equal(await exists(id), 202, 'an alias serves one client')
})
