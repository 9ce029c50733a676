// Goods are received at the desk, and consignments ended, in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openInwards()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

/** Opens a consignment as somebody who may do this. */
async function openRecord(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(`/consignments/${id}`)
  visitor.forgetClicks()
  return visitor
}

/** What was received, as `quantity product in place, batch, reason of the hold`. */
const came = async (id: string) =>
  (await world.stockOf(id)).map(({ code, quantity, location, batch, reason }) =>
    [`${quantity} ${code} in ${location}`, batch, reason].filter(Boolean).join(', '),
  )

test('everything came as announced: two more clicks from the record', options, async () => {
  const id = await world.announce([goods('APPLE', 10), goods('PEAR', 4)])
  const visitor = await openRecord(id)
  const { page } = visitor
  await page.getByRole('link', { name: 'Receive' }).click()
  await page.getByRole('button', { name: 'All as announced', exact: true }).click()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'All as announced' }).click()
  await page.getByRole('button', { name: 'Complete' }).waitFor()
  assertWithin(visitor, 'all as announced')
  assert.deepEqual(await came(id), ['10 APPLE in RECEIVE', '4 PEAR in RECEIVE'])
  assertNoFaults(visitor)
})

test(
  'less came than announced, some of it damaged, and something that nobody announced',
  options,
  async () => {
    const id = await world.announce([goods('APPLE', 10, { batch: 'B1' })])
    const visitor = await openRecord(id)
    const { page } = visitor
    await page.getByRole('link', { name: 'Receive' }).click()
    await page.getByLabel('Unannounced product').fill('PEAR')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByLabel('Quantity of PEAR').fill('2')
    await page.getByLabel('Quantity of APPLE').fill('7')
    await page.getByLabel('Batch of APPLE').fill('B2')
    await page.getByLabel('Damaged of APPLE').check()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Receive', exact: true }).click()
    await confirm(page, 'Receive')
    assertWithin(visitor, 'one line different, one damaged')
    assert.deepEqual(await came(id), ['7 APPLE in RECEIVE, B2, Damaged on arrival', '2 PEAR in RECEIVE'])
    assertNoFaults(visitor)
  },
)

test('serials are pasted as they came from a scanner or a mail', options, async () => {
  const id = await world.announce([goods('SCALE', 3)])
  const visitor = await openRecord(id)
  const { page } = visitor
  await page.getByRole('link', { name: 'Receive' }).click()
  await page.getByLabel('Quantity of SCALE').fill('3')
  await page.getByLabel('Serials of SCALE').fill('SN-7 SN-8, SN-9')
  await page.getByRole('button', { name: 'Receive', exact: true }).click()
  await confirm(page, 'Receive')
  assertWithin(visitor, 'serials pasted')
  assert.deepEqual(await came(id), ['3 SCALE in RECEIVE'])
  const { items } = (await world.admin.get('/v1/inventory-items')).body
  assert.deepEqual(items.map(({ serial }: { serial: string }) => serial).toSorted(), ['SN-7', 'SN-8', 'SN-9'])
  assertNoFaults(visitor)
})

test(
  'a code that is scanned goes to the line that it names, one that nobody announced is offered, and what came on two pallets has a part for each',
  options,
  async () => {
    const id = await world.announce([goods('APPLE', 10, { batch: 'B1' })])
    const visitor = await openRecord(id)
    const { page } = visitor
    await page.getByRole('link', { name: 'Receive' }).click()
    const scan = page.getByLabel('Scan or type a code')
    await scan.fill('apple')
    await scan.press('Enter')
    await page.getByLabel('Quantity of APPLE').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('6')
    // Enter goes back to the field for the next scan.
    await page.keyboard.press('Enter')
    await page.keyboard.type('NOTHING')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing of this client is called NOTHING.').waitFor()
    await scan.fill('PEAR')
    await scan.press('Enter')
    await page.getByRole('button', { name: 'Add PEAR' }).click()
    await page.getByLabel('Quantity of PEAR').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('2')
    await page.getByRole('button', { name: 'Another part of APPLE' }).click()
    await page.getByLabel('Quantity of APPLE, part 2').fill('3')
    await page.getByLabel('Batch of APPLE, part 2').fill('B2')
    await page.getByRole('button', { name: 'More dates' }).click()
    await page.getByRole('menuitem', { name: 'Production' }).click()
    await page.getByLabel('Production of APPLE, part 2').fill('2026-01-15')
    await assertAccessible(page)
    await actAndConfirm(page, 'Receive')
    await page.getByRole('link', { name: 'Receive', exact: true }).waitFor()
    assert.deepEqual(await came(id), [
      '6 APPLE in RECEIVE, B1',
      '3 APPLE in RECEIVE, B2',
      '2 PEAR in RECEIVE',
    ])
    assertNoFaults(visitor)
  },
)

test('a consignment is made void after the question why', options, async () => {
  const id = await world.announce([goods('APPLE', 1)])
  const visitor = await openRecord(id)
  const { page } = visitor
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Void', exact: true }).click()
  await page.getByRole('dialog', { name: 'Void' }).getByLabel('Reason').fill('Ordered twice')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Void' }).click()
  await page.locator('main[data-status=Void]').waitFor()
  assert.equal((await world.read(id)).status, -2)
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('a reader has no act', options, async () => {
  const id = await world.announce([goods('APPLE', 1)])
  const visitor = await openRecord(id, { role: 'reader' })
  const { page } = visitor
  assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0)
  await visitor.goTo(`/consignments/${id}/receive`)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Your role does not include this')
  assertNoFaults(visitor)
})

test('after all of this the balances are the sums of their movements', { skip: noBrowser }, async () => {
  const { organisationId } = world.admin.actor
  assert.deepEqual(await findStockDifferences(world.database.db, organisationId), [])
})
