// Every screen in a browser: empty, full of texts that would do harm or burst the page, and while the service
// fails; in light and dark, and on the narrowest phone.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runDueBackTest } from '../../src/billing/back-tests/run-back-tests.ts'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import type { Database } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs, type Visitor, whenEqual } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { backTestWorker } from '../support/given-back-tests.ts'
import { contextIn, request } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'

const options = { skip: noBrowser, timeout: 540_000 }
const patterns: string[] = noBrowser
  ? []
  : JSON.parse(readFileSync(new URL('../../portal/dist/pages.json', import.meta.url), 'utf8'))

// Markup, a script as an address, marks that turn the direction of the text around, and words without a space.
const hostile = `<img src=x onerror=alert(1)>\u202ejavascript:alert(1)\u200f${'W'.repeat(60)}`
const long = hostile.repeat(40).slice(0, 4_000)

/** A world in which every text that somebody can write is hostile, and a path for every screen. */
async function openHostileWorld() {
  const world = await openAllocation()
  const { admin, clientId, carrierId, warehouseId, products, locations } = world
  const done = async (method: 'post' | 'put', path: string, body: object) => {
    const answer = await admin[method](path, body)
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
    return Object.values(answer.body ?? {})[0] as string
  }
  await done('put', `/v1/partners/${clientId}`, { name: hostile })
  await done('put', `/v1/partners/${carrierId}`, { name: hostile })
  await done('put', `/v1/partners/${clientId}/products/${products.APPLE}`, { name: hostile })
  const carton = await done('post', '/v1/unit-types', { name: hostile.slice(0, 100) })
  await done('put', `/v1/partners/${clientId}/products/${products.PEAR}`, {
    ...{ isDangerousGood: true, dgProperShippingName: hostile, receiveInstructions: long },
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 12 },
    ],
  })
  const row = await world.stored(200)
  await world.stored(40, { batch: hostile.slice(0, 60) })
  const [order = '', other = ''] = [
    await world.ready([{ quantity: 30 }]),
    await world.ready([{ quantity: 300 }]),
  ]
  await done('post', `/v1/consignments/${order}/notes`, { note: long })
  await done('put', `/v1/consignments/${order}/general`, {
    referenceNumber: hostile,
    deliveryInstructions: hostile,
  })
  await done('post', `/v1/consignments/${other}/allocate`, {})
  await done('post', '/v1/consignment-imports', request({ referenceNumber: hostile }))
  await done(
    'post',
    '/v1/consignment-imports',
    request({ products: [{ productCode: hostile.slice(0, 50), items: [{ quantity: 1 }] }] }),
  )
  const context = contextIn(world)
  while (await processDueImports(context));
  const imports = (await admin.get('/v1/consignment-imports')).body.consignmentImports
  const waiting = imports.find(({ status }: { status: number }) => status === 2).id
  const arriving = imports.find(({ status }: { status: number }) => status === 3).id
  await done('put', `/v1/consignments/${arriving}/status`, { status: 4 })
  const wave = await done('post', '/v1/jobs/wave-pick', { clientId, warehouseId, reference: hostile })
  await done('post', `/v1/jobs/${wave}/wave-pick/consignments/add`, { consignmentIds: [order] })
  const unit = await done('post', '/v1/logistic-units', {
    ...{ partnerId: clientId, warehouseId, warehouseLocationId: locations.A1, referenceNumber: hostile },
  })
  await world.stored(1, { productId: products.SCALE }, { newSerials: [{ id: newId(), serial: 'S-1' }] })
  await world.stored(5, { productId: products.PEAR })
  const hold = await done('post', '/v1/inventory/holds', {
    ...{ kind: 1, reason: long.slice(0, 200), where: { warehouseId, partnerProductId: products.PEAR } },
  })
  const count = await done('post', '/v1/stock-counts', { warehouseId, reference: hostile })
  const webhook = await done('post', '/v1/webhook-subscriptions/create', {
    ...{ webhookUrl: `https://hooks.example.com/${'a'.repeat(300)}`, eventType: 101, signingKey1: 'a key' },
  })
  await done('put', `/v1/warehouses/${warehouseId}`, { name: hostile, contactPerson: hostile })
  await done('post', `/v1/warehouses/${warehouseId}/zones`, { name: hostile })
  await done('put', '/v1/organisation', { paymentTerms: long.slice(0, 2_000), taxName: hostile })
  await done('post', '/v1/custom-apps', { name: hostile, grantType: 2, scopes: ['consignment.read'] })
  const taxRateId = await done('post', '/v1/tax-rates', { name: hostile.slice(0, 50), percent: 15 })
  const charged = { partnerId: clientId, date: '2026-03-01', chargeApplication: 2, chargeRateExclTax: 7 }
  const charge = await done('post', '/v1/schedule-transactions', {
    ...{ ...charged, taxRateId, particulars: hostile },
  })
  const schedule = await done('post', '/v1/schedules', {
    ...{ partnerId: clientId, date: '2026-03-31', referenceNumber: hostile.slice(0, 50), description: long },
  })
  const [card, version, backTest] = await makeHostileCard(done, { ...world, taxRateId })
  const serial = (await admin.get('/v1/inventory-items?PageSize=1')).body.items[0].warehouseProductItemId
  const ids: Record<string, string> = {
    ...{ '/consignments/:id': order, '/consignments/:id/receive': arriving, '/consignments/:id/pick': other },
    ...{ '/inventory/:id': row, '/units/:id': unit, '/serials/:id': serial, '/holds/:id': hold },
    ...{
      '/counts/:id': count,
      '/back-tests/:id': backTest,
      '/rate-cards/:id': card,
      '/rate-cards/:id/versions/:versionId': `${card}/versions/${version}`,
      '/jobs/:id': wave,
      '/imports/:id': waiting,
      '/schedules/:id': schedule,
      '/charges/:id': charge,
      '/developers/webhooks/:id': webhook,
      '/partners/:id': clientId,
      '/products/:partnerId/:id': `${clientId}/${products.PEAR}`,
      '/settings/people/:id': admin.actor.userId,
      '/warehouses/:id': warehouseId,
    },
  }
  return { world, pathOf: (pattern: string) => withId(pattern, ids[pattern]) }
}

/** Makes a rate card of hostile texts, a version of it, and a back-test that is done. Returns their ids. */
async function makeHostileCard(
  done: (method: 'post', path: string, body: object) => Promise<string>,
  world: Record<'clientId' | 'carrierId' | 'taxRateId', string> & { database: Database },
): Promise<[card: string, version: string, backTest: string]> {
  const { clientId, carrierId, taxRateId, database } = world
  const card = await done('post', '/v1/rate-cards', { name: hostile, relationship: 1, partnerId: clientId })
  const price = { metric: 2, application: 1, rateExclTax: 1, note: hostile }
  const charges = [price, { ...price, when: { carrierIds: [carrierId] } }]
  const rates = [{ name: hostile, kind: 2, basis: 1, charges }]
  const version = await done('post', `/v1/rate-cards/${card}/versions`, {
    ...{ effectiveFrom: '2020-01-01', note: long.slice(0, 500) },
    content: { defaultTaxRateId: taxRateId, rates },
  })
  const backTest = await done('post', '/v1/rate-card-back-tests', {
    ...{ dateFrom: '2026-01-01', dateTo: '2026-12-31', rateCardVersionId: version },
  })
  while (await runDueBackTest(backTestWorker(database)));
  return [card, version, backTest]
}

const anyCollection = '/reference/:collection'
const aCollection = '/reference/tax-rates'

/** The path of a screen. A screen of a record of which no test has one fails. */
function withId(pattern: string, id: string | undefined): string {
  if (pattern === anyCollection) return aCollection
  if (pattern === '/reports/:name') return '/reports/stock-on-hand?Run=1'
  if (!pattern.includes(':id')) return pattern === '/search' ? '/search?Q=000' : pattern
  assert.ok(id, `this test has no record for ${pattern}`)
  return pattern.replace(/:partnerId\/:id|:id(\/[^:]*:\w+)?/, id)
}

/** The screens that somebody who is signed in can open. */
const screens = patterns.filter(pattern => pattern !== '/' && pattern !== '/signed-in').concat('/')

const failure = {
  status: 500,
  json: { ErrorType: 'Internal Server Error', ErrorMessages: ['It failed.'], RequestId: 'REQUEST-1' },
}

/** What fails: all but who is signed in, and the events. */
const faulty = /\/v1\/(?!me|events)/

async function visit(url: string, email: string, isFaulty = false): Promise<Visitor> {
  const visitor = await newVisitor(url)
  if (isFaulty) await visitor.page.route(faulty, route => route.fulfill(failure))
  visitor.page.on('dialog', dialog => {
    assert.fail(`a script was run: ${dialog.message()}`)
  })
  await signInAs(visitor, email)
  return visitor
}

/** Whether the page is wider than the narrowest phone, in which only boxes may scroll sideways. */
async function assertFits({ page }: Visitor, path: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  // Parts that measure themselves are drawn again.
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  await whenEqual(width, 320, `${path} at 320 pixels`)
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('no text does harm or bursts a screen', options, async () => {
  const { world, pathOf } = await openHostileWorld()
  const { url, givenPerson } = await openPortal(world)
  const visitor = await visit(url, await givenPerson({ fullName: hostile }))
  for (const pattern of screens) {
    const path = pathOf(pattern)
    await visitor.goTo(path)
    assert.notEqual(await visitor.page.locator('main').getAttribute('data-state'), 'error', path)
    await visitor.page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
    await assertAccessible(visitor.page)
    await assertFits(visitor, path)
  }
  // There is a unit, but nothing is on it.
  await visitor.goTo('/units')
  await visitor.page.getByText('Nothing in “With stock”.', { exact: true }).waitFor()
  assertNoFaults(visitor)
})

test('an organisation without anything has screens that say what would be there', options, async () => {
  const world = await openWorld()
  const { url, givenPerson } = await openPortal(world)
  const visitor = await visit(url, await givenPerson({ role: 'administrator' }))
  for (const pattern of screens.filter(one => !one.includes(':id'))) {
    const path = withId(pattern, undefined)
    await visitor.goTo(path)
    await visitor.page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
    await assertAccessible(visitor.page)
    await assertFits(visitor, path)
  }
  assertNoFaults(visitor)
})

test(
  'without a warehouse, replenishment offers no job, and Home leads to what makes one',
  options,
  async () => {
    const { url, givenPerson } = await openPortal(await openWorld())
    const visitor = await visit(url, await givenPerson({ role: 'administrator' }))
    await visitor.goTo('/replenishment')
    await visitor.page.getByText('No warehouse yet.').waitFor()
    assert.equal(await visitor.page.getByRole('button', { name: 'Make a job' }).count(), 0)
    await visitor.goTo('/')
    await visitor.page.getByRole('link', { name: 'A carrier' }).click()
    await visitor.page.getByRole('tab', { name: 'Carriers', selected: true }).waitFor()
    assertNoFaults(visitor)
  },
)

test('a screen whose data the service fails to give says so, and what to quote', options, async () => {
  const world = await openAllocation()
  const { url, givenPerson } = await openPortal(world)
  const visitor = await visit(url, await givenPerson({ role: 'administrator' }), true)
  const { page } = visitor
  for (const pattern of screens) {
    const ofNobody = pattern.replaceAll(/:(id|partnerId)/g, world.admin.actor.userId)
    const path = ofNobody.replace(anyCollection, aCollection)
    await visitor.goTo(path)
    const isForm = /\/(new|upload|opening|me|search)$/.test(pattern)
    if (!isForm)
      await page
        .getByText(/REQUEST-1|This could not be read/)
        .first()
        .waitFor()
    await assertAccessible(page)
  }
  // Home was the last one.
  await page.unroute(faulty)
  await page.getByRole('region', { name: 'Today' }).getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /^To pick/ }).waitFor()
})
