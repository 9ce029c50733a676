// Goods that came or left are taken back, returned and put back from the record, and a consignment is copied.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/db.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openAllocation()
const { admin, database, stored, ready, allocated, fresh, organisationId, clientId, events } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }
const { InTransit, ReadyToReceive } = ConsignmentStatus

const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
const move = async (id: string, status: number) =>
  assert.equal((await admin.put(`/v1/consignments/${id}/status`, { status })).status, 200)

/** Somebody at the record of a consignment. */
async function atRecord(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(`/consignments/${id}`)
  return { visitor, page: visitor.page }
}

/** Chooses an act under More. */
async function choose(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

test(
  'goods that left are returned: a consignment of their own says how much of each comes back',
  options,
  async () => {
    const [apples, pears] = [await fresh(), await fresh()]
    await stored(9, apples)
    await stored(5, pears)
    const id = await ready([
      { ...apples, quantity: 7 },
      { ...pears, quantity: 5 },
    ])
    await allocated(id)
    await move(id, InTransit)
    const { visitor, page } = await atRecord(id)
    await visitor.goTo(`/consignments/${id}/receive`)
    await page.getByRole('button', { name: 'Return', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Return', exact: true })
    await dialog.getByLabel(`Quantity of ${apples.productCode}`).fill('8')
    await page.locator('[role=dialog][data-state="refused"]').waitFor()
    assert.equal(
      await dialog.getByLabel(`Quantity of ${apples.productCode}`).getAttribute('aria-invalid'),
      'true',
    )
    await dialog.getByLabel(`Quantity of ${apples.productCode}`).fill('3')
    await dialog.getByLabel('Reason').fill('Wrong colour')
    await page.locator('[role=dialog][data-state="ready"]').waitFor()
    await assertAccessible(page)
    await confirm(page, 'Return')
    await page.getByText('The return is announced').waitFor()
    await page.locator(`main[data-id]:not([data-id="${id}"])`).waitFor()
    const returned = await read(String(await page.locator('main[data-id]').getAttribute('data-id')))
    assert.deepEqual([returned.returnOf.consignmentId, returned.notes[0].note], [id, 'Wrong colour'])
    assert.deepEqual(
      returned.products.map((line: { productCode: string; expectedQuantity: number }) => [
        line.productCode,
        line.expectedQuantity,
      ]),
      [[apples.productCode, 3]],
    )
    assertNoFaults(visitor)
  },
)

test('goods that were received by mistake are taken back, with the reason', options, async () => {
  const apples = await fresh()
  const id = await ready([{ ...apples, quantity: 10 }], { status: ConsignmentStatus.Pending })
  await database.atomically(tx =>
    tx.run(sql`update consignment set type = 1 where organisation_id = ${organisationId} and id = ${id}`),
  )
  await move(id, ReadyToReceive)
  assert.equal((await admin.post(`/v1/consignments/${id}/receive`, { all: true })).status, 200)
  const { visitor, page } = await atRecord(id)
  await choose(page, 'Unreceive')
  const dialog = page.getByRole('dialog', { name: 'Unreceive', exact: true })
  const amount = dialog.getByLabel(`Quantity of ${apples.productCode} in`)
  assert.equal(await amount.inputValue(), '10')
  await amount.fill('4')
  await dialog.getByLabel('Reason').fill('Wrong truck')
  await page.locator('[role=dialog][data-state="ready"]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Unreceive')
  assert.equal((await read(id)).products[0].receivedQuantity, 6)
  assert.deepEqual(await findStockDifferences(database.db, organisationId), [])
  assertNoFaults(visitor)
})

test('what is picked is put back from the record', options, async () => {
  const apples = await fresh()
  await stored(9, apples)
  const id = await ready([{ ...apples, quantity: 7 }])
  await allocated(id)
  await move(id, ConsignmentStatus.ReadyToDispatch)
  const { visitor, page } = await atRecord(id)
  await choose(page, 'Unpick')
  await confirm(page, 'Unpick')
  const [line] = (await read(id)).products
  assert.deepEqual([line.pickedQuantity, line.allocatedQuantity], [0, 7])
  assertNoFaults(visitor)
})

test('a consignment is copied into the form, and its connections are asked to run', options, async () => {
  const apples = await fresh()
  const id = await ready([{ ...apples, quantity: 7, batch: 'B7' }])
  const { visitor, page } = await atRecord(id)
  await choose(page, 'Run connections')
  await page.getByText('Connections are asked to send').waitFor()
  assert.deepEqual(await events(id), [115])
  await choose(page, 'Copy')
  await page.getByRole('heading', { level: 1, name: 'New consignment' }).waitFor()
  assert.deepEqual(
    await Promise.all(
      ['Product of line 1', 'Quantity of line 1', 'Batch of line 1'].map(label =>
        page.getByLabel(label).inputValue(),
      ),
    ),
    [apples.productCode, '7', 'B7'],
  )
  assert.equal(await page.getByRole('radio', { name: 'Outwards' }).isChecked(), true)
  assert.equal(await page.getByLabel('Reference').inputValue(), '')
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('what cannot be done now says why, and readers and partners have no acts', options, async () => {
  const apples = await fresh()
  const id = await ready([{ ...apples, quantity: 7 }])
  const { page } = await atRecord(id)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const reasons = await Promise.all(
    ['Unpick', 'Return'].map(name => page.getByRole('menuitem', { name }).textContent()),
  )
  assert.deepEqual(reasons, ['Unpick…Nothing is picked.', 'Return…Nothing has left.'])
  const counts: number[] = []
  for (const person of [{ role: 'reader' as const }, { role: 'member' as const, partnerId: clientId }]) {
    const theirs = await atRecord(id, person)
    await theirs.page.getByRole('table', { name: 'Lines' }).waitFor()
    // A client has acts of its own under More, but none of these.
    const more = theirs.page.getByRole('button', { name: 'More', exact: true })
    if ('partnerId' in person) await more.click()
    else assert.equal(await more.count(), 0)
    counts.push(await theirs.page.getByRole('menuitem', { name: /^(Unpick|Return|Unreceive)$/ }).count())
  }
  assert.deepEqual(counts, [0, 0])
})
