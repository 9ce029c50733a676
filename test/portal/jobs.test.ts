// Waves in a browser: made of selected consignments, started, and picked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { togetherOf } from '../../portal/src/together.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { JobStatus, WavePickStyle } from '../../src/vocabulary/jobs.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, confirm, newVisitor, save, signInAs } from '../support/browse.ts'
import { openPrinters } from '../support/given-paper-printers.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWaves } from '../support/given-waves.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openWaves()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  visitor.forgetClicks()
  return visitor
}

test('a wave is made of a selection with three clicks, started and picked', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const pending = { status: 1 } as const
  await world.readyAll([
    { lines: [{ ...product, quantity: 6 }], facts: pending },
    { lines: [{ ...product, quantity: 3 }], facts: pending },
  ])
  const visitor = await visit()
  const { page } = visitor
  await visitor.open('/consignments?view=all')
  visitor.forgetClicks()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'New wave' }).click()
  await page.getByRole('heading', { level: 1, name: 'New wave' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create wave' }).click()
  const id = String(await page.locator('main[data-status=Draft]').getAttribute('data-id'))
  assertWithin(visitor, 'a wave of a selection')

  await actAndConfirm(page, 'Start')
  await page.locator('main[data-status=InProgress]').waitFor()
  await page.getByRole('table', { name: 'Picks' }).getByRole('row').nth(2).waitFor()
  await assertAccessible(page)
  await actAndConfirm(page, 'Confirm picks')
  await page.getByText('Nothing is left to pick.').waitFor()
  assert.equal(await world.statusOf(id), JobStatus.Complete)
  assertNoFaults(visitor)
})

test(
  'orders are dragged into a new wave, it is filled, and one that is refused says why',
  options,
  async () => {
    const product = await world.fresh()
    await world.stored(30, product)
    const facts = { status: ConsignmentStatus.Pending } as const
    const ids = await world.readyAll(
      [1, 2, 3].map(quantity => ({ lines: [{ ...product, quantity }], facts })),
    )
    const [first = '', second = '', third = ''] = await Promise.all(
      ids.map(async id => (await world.admin.get(`/v1/consignments/${id}`)).body.consignmentNumber),
    )
    const visitor = await visit()
    const { page } = visitor
    await visitor.open('/jobs/new')
    const orders = page.getByRole('region', { name: 'Orders' })
    const grid = page.getByRole('grid', { name: 'Consignments' })
    await grid.getByRole('row').filter({ hasText: first }).dragTo(orders)
    await orders.getByRole('link', { name: first }).waitFor()
    await grid.getByRole('checkbox', { name: `Select ${second}` }).check()
    await page.getByRole('button', { name: 'Add selected' }).click()
    await orders.getByRole('link', { name: second }).waitFor()
    await page.getByRole('button', { name: 'Fill' }).click()
    await orders.getByRole('link', { name: third }).waitFor()
    await page.getByText('No other orders').waitFor()
    await assertAccessible(page)
    const wave = { clientId: world.clientId, warehouseId: world.warehouseId }
    const { jobId, jobNumber } = (await world.admin.post('/v1/jobs/wave-pick', wave)).body
    const other = { consignmentIds: [ids[1]] }
    await world.admin.post(`/v1/jobs/${jobId}/wave-pick/consignments/add`, other)
    await page.getByRole('button', { name: 'Create and start' }).click()
    const refused = orders.getByRole('listitem').filter({ hasText: second })
    await refused.getByRole('alert').filter({ hasText: jobNumber }).waitFor()
    await assertAccessible(page)
    await refused.getByRole('button', { name: `Remove ${second}` }).click()
    await page.getByRole('button', { name: 'Create and start' }).click()
    await page.locator('main[data-status=InProgress]').waitFor()
    assertNoFaults(visitor)
  },
)

test('a bulk wave is picked for all of its consignments at once', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const lines = [6, 3].map(quantity => [{ ...product, quantity }])
  const { jobId, ids } = await world.startedWave(lines, { style: WavePickStyle.ParallelPicking })
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  // How it is picked is corrected before it starts.
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Style').selectOption('Bulk picking')
  await page.getByLabel('Reference').fill('Morning')
  await assertAccessible(page)
  await save(page)
  await page.getByRole('definition').filter({ hasText: 'Morning' }).waitFor()
  await actAndConfirm(page, 'Start')
  await page.getByRole('table', { name: 'Picks' }).getByRole('row').nth(1).waitFor()
  await actAndConfirm(page, 'Confirm picks')
  await page.getByText('Nothing is left to pick.').waitFor()
  assert.equal(await world.statusOf(jobId), JobStatus.Complete)
  assert.deepEqual(await world.figures(ids), [
    [0, 6],
    [0, 3],
  ])
  assertNoFaults(visitor)
})

test('one pick is confirmed with less, and one is reported short', options, async () => {
  const [apples, pears] = [await world.fresh(), await world.fresh()]
  await world.stored(9, apples)
  await world.stored(5, { ...pears, warehouseLocationId: world.locations.A2 })
  const { jobId, ids } = await world.startedWave([
    [
      { ...apples, quantity: 6 },
      { ...pears, quantity: 5 },
    ],
  ])
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  await actAndConfirm(page, 'Start')
  await page.getByRole('checkbox', { name: `Select ${apples.productCode} in A-01` }).check()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Confirm picks', exact: true }).click()
  await page.getByLabel(`Picked of ${apples.productCode} in A-01`).fill('4')
  await confirm(page, 'Confirm picks')
  await page.getByRole('table', { name: 'Picks' }).getByRole('cell', { name: '2', exact: true }).waitFor()
  assert.deepEqual(await world.figures(ids), [
    [2, 4],
    [5, 0],
  ])

  await page.getByRole('checkbox', { name: `Select ${pears.productCode} in A-02` }).check()
  await page.getByRole('button', { name: 'Short', exact: true }).click()
  await page.getByLabel(`Found of ${pears.productCode} in A-02`).fill('3')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Short')
  await page
    .getByRole('checkbox', { name: `Select ${pears.productCode} in A-02` })
    .waitFor({ state: 'detached' })
  assert.deepEqual((await world.figures(ids))[1], [0, 3])
  // What is missing is on hold, and no other stock is free.
  assertNoFaults(visitor)
})

test('orders are added to an open wave and removed from it', options, async () => {
  const product = await world.fresh()
  await world.stored(20, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const [other = ''] = await world.readyAll([
    { lines: [{ ...product, quantity: 3 }], facts: { status: ConsignmentStatus.Pending } },
  ])
  const { consignmentNumber } = (await world.admin.get(`/v1/consignments/${other}`)).body
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  const orders = page.getByRole('region', { name: 'Consignments' })
  await orders.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('checkbox', { name: consignmentNumber }).check()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Add')
  await orders.getByRole('link', { name: consignmentNumber }).waitFor()
  assert.equal((await world.picks(jobId)).length, 2)
  await actAndConfirm(page, `Remove ${consignmentNumber}`)
  await orders.getByRole('link', { name: consignmentNumber }).waitFor({ state: 'detached' })
  assert.equal((await world.picks(jobId)).length, 1)
  assertNoFaults(visitor)
})

test('goods of a replenishment are confirmed, line by line', options, async () => {
  const product = await world.fresh()
  const warehouseProductId = await world.stored(9, product)
  const toWarehouseLocationId = await world.location('P-01', 1, {
    isPickface: true,
    ...{ partnerProductId: product.productId, minQuantity: 6, targetQuantity: 6 },
  })
  const { clientId, warehouseId } = world
  const { body } = await world.admin.post('/v1/jobs/replenishment', {
    ...{ warehouseId, clientId },
    lines: [{ warehouseProductId, toWarehouseLocationId, quantity: 6 }],
  })
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${body.jobId}`)
  await actAndConfirm(page, 'Start')
  await page.getByRole('checkbox', { name: `Select ${product.productCode} in A-01` }).check()
  await page.getByRole('button', { name: 'Confirm moves', exact: true }).click()
  await page.getByLabel(`Moved of ${product.productCode} in A-01`).fill('4')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Confirm moves')
  await page.getByRole('table', { name: 'Lines' }).getByRole('cell', { name: '4', exact: true }).waitFor()
  await assertAccessible(page)
  await actAndConfirm(page, 'Confirm moves')
  await page.locator('main[data-status=Complete]').waitFor()
  assertNoFaults(visitor)
})

test('the picking list of a wave is downloaded, and printed with two clicks', options, async () => {
  await openPrinters(world, world.warehouseId)
  const product = await world.fresh()
  await world.stored(10, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  visitor.forgetClicks()
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('menuitem', { name: 'Office' }).click()
  await page.getByText('The picking list is sent to').waitFor()
  assert.equal(visitor.clicks, 2)
  await page.getByRole('button', { name: 'Print' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download picking list' }).click(),
  ])
  assert.match(download.suggestedFilename(), /\.pdf$/)
  assertNoFaults(visitor)
})

test('the list shows how far a wave is', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const { body } = await world.admin.get(`/v1/jobs/${jobId}/wave-pick`)
  const visitor = await visit()
  const { page } = visitor
  await visitor.open('/')
  await page.getByRole('link', { name: 'Jobs' }).click()
  const row = page.getByRole('row').filter({ hasText: body.jobNumber })
  await row.getByText('0 of 1 line').waitFor()
  await assertAccessible(page)
  await row.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: body.jobNumber }).waitFor()
  assertNoFaults(visitor)
})

test('a reader sees waves and has no act', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const visitor = await visit({ role: 'reader' })
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  await page.getByRole('table', { name: 'Picks' }).waitFor()
  for (const act of ['More', 'Add', 'Confirm picks', 'Start'])
    assert.equal(await page.getByRole('button', { name: act }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assertNoFaults(visitor)
})

test('after all of this the balances are the sums of their movements', { skip: noBrowser }, async () => {
  const { organisationId } = world.admin.actor
  assert.deepEqual(await findStockDifferences(world.database.db, organisationId), [])
})

test('orders of several clients and warehouses are told apart, those that are most first', () => {
  const order = (id: string, clientName: string, warehouseName: string) => ({
    ...{ id, clientId: clientName, clientName, warehouseName },
  })
  const orders = [
    order('1', 'Kauri', 'Perth'),
    order('2', 'Tussock', 'Perth'),
    order('3', 'Kauri', 'Auckland'),
    order('4', 'Tussock', 'Perth'),
  ]
  assert.deepEqual(
    togetherOf(orders).map(({ clientName, warehouseName, ids }) => [clientName, warehouseName, ...ids]),
    [
      ['Tussock', 'Perth', '2', '4'],
      ['Kauri', 'Perth', '1'],
      ['Kauri', 'Auckland', '3'],
    ],
  )
})
