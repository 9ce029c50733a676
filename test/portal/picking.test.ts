// Goods are picked at the desk, in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, confirm, newVisitor, signInAs, whenEqual } from '../support/browse.ts'
import type { Line } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWaves } from '../support/given-waves.ts'

const world = await openWaves()
const { url, givenPerson } = await openPortal(world)
const { admin, stored, fresh, ready, allocated, locations } = world
const options = { skip: noBrowser, timeout: 300_000 }

/** Opens a consignment with these lines, to which stock is allocated, as somebody who may do this. */
async function openOrder(lines: readonly Line[], person: Parameters<typeof givenPerson>[0] = {}) {
  const id = await ready(lines)
  await allocated(id)
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(`/consignments/${id}`)
  visitor.forgetClicks()
  return { id, visitor, page: visitor.page }
}

/** What a consignment has of the stock, in the order in which the screen lists it. */
async function stockOf(id: string): Promise<string[]> {
  const { body } = await admin.get(`/v1/consignments/${id}/allocations`)
  return body.allocations.map((one: Record<string, unknown>) =>
    [
      `${one.quantity} in ${one.warehouseLocationName}`,
      one.isPicked && 'picked',
      one.logisticUnitNumber && 'on a unit',
    ]
      .filter(Boolean)
      .join(', '),
  )
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Picks' })

test('all that is allocated is picked with three clicks, and the record goes on', options, async () => {
  const [apples, pears] = [await fresh(), await fresh()]
  await stored(9, { ...apples, warehouseLocationId: locations.A2 })
  await stored(5, pears)
  const { id, visitor, page } = await openOrder([
    { ...apples, quantity: 7 },
    { ...pears, quantity: 5 },
  ])
  await page.getByRole('link', { name: 'Pick' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pick ' }).waitFor()
  await whenEqual(() => grid(page).locator('tbody tr td b').allTextContents(), ['A-01', 'A-02'])
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Confirm')
  await page.getByRole('button', { name: 'Move to Ready to dispatch' }).waitFor()
  assert.equal(visitor.clicks, 3)
  assert.deepEqual(await stockOf(id), ['7 in DISPATCH, picked', '5 in DISPATCH, picked'])
  await actAndConfirm(page, 'Move to Ready to dispatch')
  await page.locator('main[data-status=ReadyToDispatch]').waitFor()
  assertNoFaults(visitor)
})

test(
  'less is picked than is allocated, into another dock, and the rest stays to be picked',
  options,
  async () => {
    const of = await fresh()
    await stored(9, of)
    const { id, visitor, page } = await openOrder([{ ...of, quantity: 7 }])
    await page.getByRole('link', { name: 'Pick' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm' })
    await dialog.getByLabel(`Picked of ${of.productCode} in A-01`).fill('4')
    await dialog.getByLabel('To place').fill('DOCK')
    await confirm(page, 'Confirm')
    await grid(page).getByText('DOCK', { exact: true }).waitFor()
    assert.deepEqual(await stockOf(id), ['3 in A-01', '4 in DOCK, picked'])
    assertNoFaults(visitor)
  },
)

test('goods with serials are picked by their serials', options, async () => {
  const productId = await world.product('MONITOR', { serialTrackingMode: 2 })
  await stored(3, { productId }, { newSerials: [{ serial: 'M1' }, { serial: 'M2' }, { serial: 'M3' }] })
  const { id, visitor, page } = await openOrder([{ productId, productCode: 'MONITOR', quantity: 2 }])
  await page.getByRole('link', { name: 'Pick' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm' })
  const button = dialog.getByRole('button', { name: 'Confirm', exact: true })
  assert.equal(await button.isDisabled(), true)
  await dialog.getByLabel('Serials of MONITOR in A-01').fill('M3\nM1')
  await confirm(page, 'Confirm')
  await page.getByRole('button', { name: 'Move to Ready to dispatch' }).waitFor()
  const { body } = await admin.get(`/v1/consignments/${id}/allocations`)
  assert.deepEqual(body.allocations[0].serials, ['M1', 'M3'])
  assertNoFaults(visitor)
})

test('what is not found goes on hold, and other stock is allocated', options, async () => {
  const of = await fresh()
  await stored(4, of)
  await stored(4, { ...of, warehouseLocationId: locations.A2 })
  const { id, visitor, page } = await openOrder([{ ...of, quantity: 4 }])
  const [before = ''] = await stockOf(id)
  const [from, other] = before.endsWith('A-01') ? ['A-01', 'A-02'] : ['A-02', 'A-01']
  await page.getByRole('link', { name: 'Pick' }).click()
  await page.getByRole('checkbox', { name: `Select ${of.productCode} in ${from}` }).check()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Short', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Short' })
  await dialog.getByLabel(`Found of ${of.productCode} in ${from}`).fill('1')
  await dialog.getByLabel('Reason').fill('Broken')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Short')
  await grid(page).getByText('Picked', { exact: true }).waitFor()
  assert.deepEqual(await stockOf(id), [`3 in ${other}`, '1 in DISPATCH, picked'])
  assertNoFaults(visitor)
})

test('goods are picked from another place than what was allocated', options, async () => {
  const of = await fresh({ rotationMethod: 2 })
  await stored(4, { ...of, expiryDate: '2031-05-01' })
  await stored(4, { ...of, expiryDate: '2031-06-01', warehouseLocationId: locations.A2 })
  const { id, visitor, page } = await openOrder([{ ...of, quantity: 4 }])
  await page.getByRole('link', { name: 'Pick' }).click()
  await page.getByRole('checkbox', { name: `Select ${of.productCode} in A-01` }).check()
  await page.getByRole('button', { name: 'Another place', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Another place' })
  await dialog.getByRole('radio', { name: 'A-02, expires 1 Jun 2031: 4 free' }).check()
  await dialog.getByLabel('Quantity of').fill('3')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Another place')
  await grid(page).getByText('Picked', { exact: true }).waitFor()
  assert.deepEqual(await stockOf(id), ['1 in A-01', '3 in DISPATCH, picked'])
  assertNoFaults(visitor)
})

test('picked goods are staged onto a new unit, and put back', options, async () => {
  const of = await fresh()
  await stored(5, of)
  const { id, visitor, page } = await openOrder([{ ...of, quantity: 5 }])
  await page.getByRole('link', { name: 'Pick' }).click()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.getByLabel(`Picked of ${of.productCode}`).fill('4')
  await confirm(page, 'Confirm')
  await page.getByRole('button', { name: 'Stage', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Stage' })
  await dialog.getByLabel(`Quantity of ${of.productCode}`).fill('3')
  await dialog.getByLabel('To place').fill('DOCK')
  await dialog.getByLabel('On', { exact: true }).selectOption('A new unit')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Stage')
  await grid(page).getByText('DOCK', { exact: true }).waitFor()
  assert.deepEqual(await stockOf(id), ['1 in A-01', '1 in DISPATCH, picked', '3 in DOCK, picked, on a unit'])

  await page.getByRole('checkbox', { name: `Select ${of.productCode} in DOCK` }).check()
  await page.getByRole('button', { name: 'Unpick', exact: true }).click()
  await page.getByLabel(`Quantity of ${of.productCode} in DOCK`).fill('2')
  await confirm(page, 'Unpick')
  const back = grid(page).getByRole('row').filter({ hasText: 'A-01' })
  await back.getByRole('gridcell', { name: '3', exact: true }).waitFor()
  const left = ['3 in A-01', '1 in DISPATCH, picked', '1 in DOCK, picked, on a unit']
  assert.deepEqual(await stockOf(id), left)
  assertNoFaults(visitor)
})

test('readers and people of the client have no picking', options, async () => {
  const of = await fresh()
  await stored(5, of)
  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
  for (const person of [{ role: 'reader' }, { role: 'member', partnerId: world.clientId }] as const) {
    const { id, visitor, page } = await openOrder([{ ...of, quantity: 1 }], person)
    assert.equal(await page.getByRole('link', { name: 'Pick', exact: true }).count(), 0)
    await visitor.goTo(`/consignments/${id}/pick`)
    assert.equal(await heading(page), 'Your role does not include this')
    assertNoFaults(visitor)
  }
})

test('after all of this the balances are the sums of their movements', { skip: noBrowser }, async () => {
  const { organisationId } = admin.actor
  assert.deepEqual(await findStockDifferences(world.database.db, organisationId), [])
})
