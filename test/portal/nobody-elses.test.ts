// What people of clients and carriers never see: records of others. They walk every address of the portal,
// with ids of their own records and of those of others, and neither a page nor an answer has a word of these.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runDueBackTest } from '../../src/billing/back-tests/run-back-tests.ts'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { newId } from '../../src/platform/new-id.ts'
import { newVisitor, signInAs } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { backTestWorker } from '../support/given-back-tests.ts'
import { contextIn } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import type { Caller } from '../support/harness.ts'

const options = { skip: noBrowser, timeout: 300_000 }
const patterns: string[] = noBrowser
  ? []
  : JSON.parse(readFileSync(new URL('../../portal/dist/pages.json', import.meta.url), 'utf8'))

/** Words that stand in every text of another client and carrier, and of what is the house's alone. */
const others = 'Zebra'
const house = 'Quagga'

const world = await openAllocation()
const { admin, clientId, carrierId, warehouseId, locations, database } = world
const context = contextIn(world)
const settle = async () => {
  while (await processDueImports(context));
}
async function done(method: 'post' | 'put', path: string, body: object, by: Caller = admin): Promise<string> {
  const answer = await by[method](path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return Object.values(answer.body ?? {})[0] as string
}

interface Party {
  /** stands in every text of the party */
  word: string
  client: { id: string; code: string }
  carrier: { id: string; code: string }
}

type Ids = Record<string, string>

/** Imports an order and returns the id of its consignment, or of itself if it waits. */
async function ordered({ word, client, carrier }: Party, more: object): Promise<string> {
  const id = await done('post', '/v1/consignment-imports', {
    ...{ consignmentType: 2, clientCode: client.code, carrierCode: carrier.code, warehouseCode: 'AKL' },
    referenceNumber: `${word} order`,
    destinationAddress: { name: `${word} shop`, city: `${word} City` },
    ...more,
  })
  await settle()
  return id
}

/** Makes stock and what is in it, and returns the ids by the screen that shows each. */
async function givenGoods({ word, client }: Party, product: string): Promise<Ids> {
  const owner = { partnerId: client.id, productId: product }
  const row = await world.stored(80, { ...owner, batch: `${word}-B`, expiryDate: '2026-12-12' })
  const held = await done('post', `/v1/partners/${client.id}/products`, {
    ...{ code: `${word}-S`, name: `${word} scale`, serialTrackingMode: 2 },
  })
  await world.stored(
    1,
    { partnerId: client.id, productId: held },
    { newSerials: [{ id: newId(), serial: `${word}-1` }] },
  )
  const items = (await admin.get(`/v1/inventory-items?Serials=${word}-1`)).body.items
  const where = { warehouseId, partnerProductId: held }
  return {
    '/inventory/:id': row,
    '/products/:partnerId/:id': `${client.id}/${product}`,
    '/serials/:id': items[0].warehouseProductItemId,
    '/holds/:id': await done('post', '/v1/inventory/holds', { kind: 1, reason: `${word} hold`, where }),
    '/units/:id': await done('post', '/v1/logistic-units', {
      ...{ partnerId: client.id, warehouseId, warehouseLocationId: locations.A1 },
      referenceNumber: `${word} unit`,
    }),
    '/counts/:id': await done('post', '/v1/stock-counts', {
      ...{ warehouseId, partnerId: client.id, reference: `${word} count` },
    }),
  }
}

/** Makes what the organisation keeps about the party: prices, bills, work and people. */
async function givenMoney({ word, client, carrier }: Party): Promise<Ids> {
  const taxRateId = await done('post', '/v1/tax-rates', { name: `${word} tax`, percent: 15 })
  const card = await done('post', '/v1/rate-cards', {
    ...{ name: `${house} ${word} card`, relationship: 1, partnerId: client.id },
  })
  const rates = [
    { name: `${word} rate`, kind: 2, basis: 1, charges: [{ metric: 2, application: 1, rateExclTax: 1 }] },
  ]
  const version = await done('post', `/v1/rate-cards/${card}/versions`, {
    ...{ effectiveFrom: '2020-01-01', content: { defaultTaxRateId: taxRateId, rates } },
  })
  const backTest = await done('post', '/v1/rate-card-back-tests', {
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31', rateCardVersionId: version },
  })
  while (await runDueBackTest(backTestWorker(database)));
  const charged = { date: '2026-03-01', chargeApplication: 2, chargeRateExclTax: 7, taxRateId }
  const billed = async (partnerId: string) => {
    const charge = { ...charged, partnerId, particulars: `${word} work` }
    const id = await done('post', '/v1/schedule-transactions', charge)
    const bill = { partnerId, date: '2026-03-31', referenceNumber: `${word} bill` }
    return [id, await done('post', '/v1/schedules', bill)] as const
  }
  const [charge, clientsBill] = await billed(client.id)
  const [, carriersBill] = await billed(carrier.id)
  return {
    '/rate-cards/:id': card,
    '/rate-cards/:id/versions/:versionId': `${card}/versions/${version}`,
    '/back-tests/:id': backTest,
    '/charges/:id': charge,
    '/schedules/:id': clientsBill,
    carriersBill,
  }
}

/** Makes one of everything that a party can have, and returns the ids by the screen that shows each. */
async function givenEverything(party: Party): Promise<Ids> {
  const { word, client, carrier } = party
  const product = await done('post', `/v1/partners/${client.id}/products`, {
    ...{ code: `${word}-P`, name: `${word} product` },
  })
  const goods = await givenGoods(party, product)
  const products = [{ productCode: `${word}-P`, items: [{ quantity: 3 }] }]
  const order = await ordered(party, { products })
  await done('post', `/v1/consignments/${order}/notes`, { note: `${word} note` })
  await done('put', `/v1/consignments/${order}/status`, { status: 2 })
  const unknown = [{ productCode: `${word}-X`, items: [{ quantity: 1 }] }]
  const waiting = await ordered(party, { products: unknown })
  // Short, so that it waits for somebody.
  const short = await ordered(party, { products: [{ ...products[0], items: [{ quantity: 999 }] }] })
  await done('put', `/v1/consignments/${short}/status`, { status: 2 })
  const wave = await done('post', '/v1/jobs/wave-pick', {
    ...{ clientId: client.id, warehouseId, reference: `${word} wave` },
  })
  const ofClient = world.as(admin, { partnerId: client.id })
  const webhook = await done(
    'post',
    '/v1/webhook-subscriptions/create',
    { webhookUrl: `https://${word}.example.com/hook`, eventType: 101, signingKey1: 'a key' },
    ofClient,
  )
  return {
    ...goods,
    ...(await givenMoney(party)),
    '/consignments/:id': order,
    '/consignments/:id/receive': order,
    '/consignments/:id/pick': order,
    '/imports/:id': waiting,
    '/jobs/:id': wave,
    '/developers/webhooks/:id': webhook,
    '/partners/:id': client.id,
    '/warehouses/:id': warehouseId,
    '/settings/people/:id': admin.actor.userId,
    carrier: carrier.id,
  }
}

const own = await givenEverything({
  ...{ word: 'Own', client: { id: clientId, code: 'KAURI' }, carrier: { id: carrierId, code: 'SWF' } },
})
const carrierCode = 'ZEB'
const partner = async (code: string, relationship: number) => ({
  id: await done('post', '/v1/partners', { name: `${others} ${code}`, code, relationship }),
  code,
})
const another = { client: await partner(others, 1), carrier: await partner(carrierCode, 2) }
const foreign = await givenEverything({ word: others, ...another })
await done('post', '/v1/custom-apps', { name: `${house} app`, grantType: 2, scopes: ['consignment.read'] })
await done('post', '/v1/webhook-subscriptions/create', {
  ...{ webhookUrl: `https://${house}.example.com/hook`, eventType: 101, signingKey1: 'a key' },
})
const { url, givenPerson } = await openPortal(world)
await givenPerson({ fullName: `${others} Person`, role: 'member', partnerId: another.client.id })

/** The screens that people of a carrier have, and those that a client's people have besides. */
const ofCarriers = [
  '/',
  '/consignments',
  '/consignments/:id',
  '/schedules',
  '/schedules/:id',
  '/me',
  '/search',
]
const ofClients = [
  ...ofCarriers,
  ...[
    '/consignments/new',
    '/consignments/upload',
    '/imports',
    '/imports/:id',
    '/inventory',
    '/inventory/:id',
  ],
  ...['/units', '/units/:id', '/serials', '/serials/:id', '/shortages', '/holds', '/holds/:id'],
  ...['/reports', '/reports/:name', '/products', '/products/:partnerId/:id'],
  ...['/developers', '/developers/webhooks/:id'],
]

/** The address of a pattern with an id; a report, a collection and a search have their words. */
const addressOf = (pattern: string, id = '') =>
  pattern
    .replace(/:partnerId\/:id|:id(\/versions\/:versionId)?/, id)
    .replace(':collection', 'tax-rates')
    .replace('/reports/:name', '/reports/stock-on-hand?Run=1')
    .replace(/^\/search$/, '/search?Q=00')

const notYourRole = 'Your role does not include this'
const notYours = 'Not here, or not yours'

/** Lists that are asked for the records of somebody else. */
const askingForOthers = [
  `/consignments?view=all&ClientId=${another.client.id}`,
  `/consignments?view=all&CarrierId=${another.carrier.id}`,
  `/consignments?view=all&SearchText=${others.slice(0, 4)}`,
  `/inventory?PartnerId=${another.client.id}`,
  `/schedules?PartnerId=${another.client.id}`,
  `/products?PartnerId=${another.client.id}`,
  `/consignments/new?copy=${foreign['/consignments/:id']}`,
]

/** Walks the addresses as somebody of a partner, and fails at the first word of others. */
async function walkAs(partnerId: string, screens: readonly string[], ids: { own: Ids; foreign: Ids }) {
  const visitor = await newVisitor(url)
  const { page } = visitor
  const answers: Promise<[from: string, text: string]>[] = []
  page.on('response', answer => {
    const isStream = answer.headers()['content-type']?.startsWith('text/event-stream')
    const { pathname } = new URL(answer.url())
    if (!pathname.startsWith('/v1/') || isStream) return
    answers.push(
      answer.text().then(
        text => [pathname, text],
        () => [pathname, ''],
      ),
    )
  })
  await signInAs(visitor, await givenPerson({ role: 'member', partnerId }))
  const hidden = new RegExp(`${others}|${house}|\\b${carrierCode}\\b`, 'i')
  let [last, isFault] = ['', false]
  async function headingAt(pattern: string, path: string): Promise<string> {
    // A page of the same kind would be the same element, and nothing would tell when it shows the next one.
    if (isFault || last === pattern) await visitor.goTo('/me')
    if (path !== '/me') await visitor.goTo(path)
    await page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
    assert.doesNotMatch(await page.content(), hidden, path)
    for (const [from, text] of await Promise.all(answers.splice(0)))
      assert.doesNotMatch(text, hidden, `${path} has read ${from}`)
    const heading = (await page.locator('h1').textContent()) ?? ''
    ;[last, isFault] = [pattern, /^(Your role|Not here)/.test(heading)]
    return heading
  }
  const walked = patterns.filter(one => one !== '/signed-in' && one !== '/me').concat('/me')
  for (const pattern of walked) {
    const heading = await headingAt(pattern, addressOf(pattern, ids.own[pattern]))
    if (!screens.includes(pattern)) {
      assert.equal(heading, notYourRole, pattern)
      continue
    }
    // A subscription is the affair of the connection that made it, even within a client.
    if (pattern === '/developers/webhooks/:id') assert.equal(heading, notYours)
    else assert.equal(isFault, false, `${pattern}: ${heading}`)
    if (!pattern.includes(':id')) continue
    assert.equal(await headingAt(pattern, addressOf(pattern, ids.foreign[pattern])), notYours, pattern)
  }
  for (const path of askingForOthers) await headingAt('', path)
  // What is not found is told in the console, too.
  assert.deepEqual(
    visitor.faults.filter(fault => !fault.startsWith('WaybillError: 404')),
    [],
  )
}

test(
  "no screen of a client's person has a word of another client, a carrier's bill or the house",
  options,
  () => walkAs(clientId, ofClients, { own, foreign: { ...foreign } }),
)

test("no screen of a carrier's person has a word of what others carry, or of stock", options, () =>
  walkAs(carrierId, ofCarriers, {
    own: { ...own, '/schedules/:id': own.carriersBill as string },
    foreign: { ...foreign, '/schedules/:id': own['/schedules/:id'] as string },
  }),
)
