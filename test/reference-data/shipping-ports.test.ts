import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { shippingPortId } from '../../src/reference-data/load-reference-data.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as } = await openWorld()
const anybody = as(admin, { scopes: [] })

const found = async (query: string) => (await anybody.get(`/v1/shipping-ports?${query}`)).body
const auckland = { id: shippingPortId('NZAKL'), code: 'NZAKL', name: 'Auckland', country: 'New Zealand' }

test('a port is read by its id, which is derived from its code', async () => {
  assert.deepEqual((await anybody.get(`/v1/shipping-ports/${auckland.id}`)).body, auckland)
  const unknown = await anybody.get(`/v1/shipping-ports/${uuidv7()}`)
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body.ErrorMessages, ['Shipping port not found.'])
})

test('ports are searched by name, code and country', async () => {
  for (const text of ['AUCKLAND', 'nzakl'])
    assert.deepEqual(await found(`SearchText=${text}`), { index: 1, total: 1, shippingPorts: [auckland] })
  const ofCountry = await found('SearchText=new%20zealand&PageSize=500')
  assert.ok(ofCountry.total >= 10)
  assert.ok(ofCountry.shippingPorts.every((port: { country: string }) => port.country === 'New Zealand'))
  assert.equal((await found('SearchText=%25')).total, 0)
  assert.ok((await found('SearchText=Zq')).total < (await found('SearchText=Z')).total)
})

test('ports are found with and without diacritics, in either spelling', async () => {
  const codes = async (text: string): Promise<string[]> =>
    (await found(`PageSize=500&SearchText=${encodeURIComponent(text)}`)).shippingPorts.map(
      (port: { code: string }) => port.code,
    )
  for (const [code, ...spellings] of [
    ['CIABJ', "Côte d'Ivoire", "cote d'ivoire", 'CÔTE', 'Cote d’Ivoire', 'côt'.normalize('NFD')],
    ['SEGOT', 'Göteborg', 'goteborg', 'GÖTEBORG', 'Gothenburg'],
    ['AUSYD', 'Port Botany', 'port botany'],
    ['BRPNN', 'Paranã', 'parana'],
    ['RELPT', 'réunion', 'reunion'],
    ['NZAKL', 'Äückländ'],
  ] as const) {
    for (const text of spellings) assert.ok((await codes(text)).includes(code), text)
  }
  assert.deepEqual(await codes('são'), await codes('sao'))
  assert.deepEqual(await codes('\u0301'), await codes(''))
})

test('the port with the code comes first, then those of the country with the code, then the others by name', async () => {
  const ports = async (text: string): Promise<{ code: string; name: string }[]> =>
    (await found(`PageSize=500&SearchText=${text}`)).shippingPorts
  const ofNewZealand = await ports('nz')
  const isOfCountry = ofNewZealand.map(({ code }) => code.startsWith('NZ'))
  assert.ok(
    isOfCountry.includes(true) && isOfCountry.includes(false),
    'ports of other countries contain these letters too',
  )
  assert.deepEqual(
    isOfCountry,
    isOfCountry.toSorted((a, b) => Number(b) - Number(a)),
  )
  const [first, ...others] = await ports('itgoa')
  assert.deepEqual([first?.code, others], ['ITGOA', []])
})

test('the pages of all ports list each once', async () => {
  const codes: string[] = []
  const names: string[] = []
  for (let index = 1; ; index++) {
    const { total, shippingPorts } = await found(`PageSize=500&PageIndex=${index}`)
    codes.push(...shippingPorts.map((port: { code: string }) => port.code))
    names.push(...shippingPorts.map((port: { name: string }) => port.name))
    if (shippingPorts.length < 500) {
      assert.equal(codes.length, total)
      break
    }
  }
  assert.ok(codes.length > 1_500)
  assert.deepEqual(
    names.map(name => name[0]),
    names.map(name => name[0]).toSorted(),
  )
  assert.equal(new Set(codes).size, codes.length)
  assert.ok(codes.every(code => /^[A-Z]{2}[A-Z0-9]{3}$/.test(code)))
})
