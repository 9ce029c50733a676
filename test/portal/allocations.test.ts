// What the lines of a consignment have of the stock, in a browser: seen, explained, chosen by hand, released.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/platform/new-id.ts'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWaves } from '../support/given-waves.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openWaves()
const { url, givenPerson } = await openPortal(world)
const { stored, fresh, ready, allocated, allocationsOf, unit, locations } = world
const options = { skip: noBrowser, timeout: 300_000 }

/** An order for which two pallets would do; the one that expires first is allocated. */
async function openOrder(quantity: number, person: Parameters<typeof givenPerson>[0] = {}) {
  const of = await fresh({ rotationMethod: 2 })
  const [first, second] = [await unit(`${of.productCode}-1`), await unit(`${of.productCode}-2`, locations.A2)]
  const soon = await stored(40, { ...of, expiryDate: '2031-05-01', logisticUnitId: first })
  const late = await stored(40, {
    ...of,
    expiryDate: '2031-06-01',
    logisticUnitId: second,
    warehouseLocationId: locations.A2,
  })
  await stored(40, { ...of, expiryDate: '2031-04-01', inventoryHoldId: await world.hold() })
  const id = await ready([{ ...of, quantity }])
  await allocated(id)
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(`/consignments/${id}`)
  visitor.forgetClicks()
  const { page } = visitor
  const open = () => page.getByRole('button', { name: `${of.productCode}, stock of line 1` }).click()
  const table = page.getByRole('table', { name: `Allocations of ${of.productCode}` })
  return { ...of, id, soon, late, visitor, page, open, table }
}

test('another pallet is allocated by hand with four clicks', options, async () => {
  const { id, late, visitor, page, open, table } = await openOrder(40)
  await open()
  await table.getByText('A-01').waitFor()
  await page.getByRole('button', { name: 'Allocate by hand', exact: true }).click()
  await page.getByRole('radio', { name: /^A-02, LU-\d+, expires 1 Jun 2031: 40 free$/ }).check()
  await confirm(page, 'Allocate by hand')
  await table.getByText('A-02').waitFor()
  assertWithin(visitor, 'another pallet by hand')
  assert.deepEqual(await allocationsOf(id), [{ stock: late, quantity: 40 }])
  assertNoFaults(visitor)
})

test('the serials that a line gets are chosen by hand', options, async () => {
  const serials = ['S-1', 'S-2', 'S-3'].map(serial => ({ id: newId(), serial }))
  const productId = world.products.SCALE
  await stored(3, { productId }, { newSerials: serials })
  const id = await ready([{ productId, productCode: 'SCALE', quantity: 2 }])
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson())
  await visitor.open(`/consignments/${id}`)
  const { page } = visitor
  await page.getByRole('button', { name: 'SCALE, stock of line 1' }).click()
  await page.getByRole('button', { name: 'Allocate by hand', exact: true }).click()
  await page.getByRole('radio', { name: /^A-01/ }).check()
  await page.getByRole('checkbox', { name: 'S-1' }).check()
  await page.getByRole('checkbox', { name: 'S-3' }).check()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Allocate by hand')
  await page.getByRole('table', { name: 'Allocations of SCALE' }).getByText('A-01').waitFor()
  const rows = (await world.admin.get(`/v1/consignments/${id}/allocations`)).body.allocations
  assert.deepEqual(rows.flatMap((row: { serials: string[] }) => row.serials).toSorted(), ['S-1', 'S-3'])
  assertNoFaults(visitor)
})

test('a line tells by which rule it has its stock, and what was kept out', options, async () => {
  const { visitor, page, open, table } = await openOrder(50)
  await open()
  await table.getByText('A-02').waitFor()
  await page.getByRole('button', { name: 'Why this stock' }).click()
  const why = page.getByRole('region', { name: 'Why this stock' })
  await why.getByText('Stock is taken earliest expiry first, then longest in store first.').waitFor()
  const rows = await why.getByRole('row').allTextContents()
  assert.deepEqual(
    rows.slice(1).map(row => row.replace(/LU-\d+/, ' ')),
    [
      'A-01 –1 May 20314040Rotation puts it before the next',
      'A-02 –1 Jun 20314010The last that there is',
      'A-01––1 Apr 20310–Kept out: it is on hold',
    ],
  )
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('one allocation of a line is released, then all of them', options, async () => {
  const { id, productCode, late, soon, visitor, page, open, table } = await openOrder(50)
  await open()
  await page.getByRole('button', { name: `Release ${productCode} in A-01` }).click()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await page.getByRole('dialog').getByLabel('Quantity of').fill('25')
  await page.getByRole('dialog').getByText('release 25 items').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click()
  await table.getByRole('cell', { name: '15', exact: true }).waitFor()
  assert.deepEqual(
    new Map((await allocationsOf(id)).map(({ stock, quantity }) => [stock, quantity])),
    new Map([
      [soon, 15],
      [late, 10],
    ]),
  )
  await actAndConfirm(page, 'Release')
  await page.getByText('Nothing is allocated or picked.').waitFor()
  assert.deepEqual(await allocationsOf(id), [])
  assertNoFaults(visitor)
})

test('a reader and the client see the stock of a line, and have no act', options, async () => {
  for (const person of [{ role: 'reader' }, { role: 'member', partnerId: world.clientId }] as const) {
    const { visitor, page, open, table } = await openOrder(10, person)
    await open()
    await table.getByText('A-01').waitFor()
    for (const act of ['Allocate by hand', 'Release'])
      assert.equal(await page.getByRole('button', { name: act }).count(), 0)
    assertNoFaults(visitor)
  }
})

test('after all of this the balances are the sums of their movements', { skip: noBrowser }, async () => {
  const { organisationId } = world.admin.actor
  assert.deepEqual(await findStockDifferences(world.database.db, organisationId), [])
})
