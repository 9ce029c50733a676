// The lines of a consignment are corrected on its record, in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const imports = await openImports()
const { admin } = imports.world
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }

/** A person at the record of a consignment. */
async function atRecord(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(`/consignments/${id}`)
  const { page } = visitor
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialogOf = (name: string) => page.getByRole('dialog', { name, exact: true })
  return {
    visitor,
    page,
    press,
    dialogOf,
    /** Confirms the dialog of this name. */
    confirm: (name: string) => confirm(page, name),
  }
}

const announced = async (id: string) =>
  (await admin.get(`/v1/consignments/${id}`)).body.products.map(
    (one: { productCode: string; expectedQuantity: number }) => `${one.expectedQuantity} ${one.productCode}`,
  )

test('a planner corrects an announced quantity in 3 clicks', options, async () => {
  const batch = { batch: 'B7', expiryDate: '2027-01-31', goodsDescription: 'Red ones' }
  const id = await imports.imported({ products: [line(batch), line({ productCode: 'PEAR' })] })
  const { visitor, page, press, dialogOf, confirm } = await atRecord(id)
  visitor.forgetClicks()
  await press('Edit line 1')
  const dialog = dialogOf('Edit line 1')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('12')
  await dialog.getByText('change the line of APPLE from 10 to 12').waitFor()
  await assertAccessible(page)
  await confirm('Edit line 1')
  assertWithin(visitor, 'correct an announced quantity')
  assert.deepEqual(await announced(id), ['12 APPLE', '10 PEAR'])
  const [{ batch: kept, expiryDate, goodsDescription }] = (await admin.get(`/v1/consignments/${id}`)).body
    .products
  assert.deepEqual([kept, expiryDate, goodsDescription], ['B7', '2027-01-31T00:00:00Z', 'Red ones'])
  await page.getByRole('cell', { name: '12', exact: true }).first().waitFor()
  assertNoFaults(visitor)
})

test(
  'lines are added and removed on the record, and a wrong product is told at its field',
  options,
  async () => {
    const id = await imports.imported()
    const { visitor, page, press, dialogOf, confirm } = await atRecord(id)
    const onlyOne = page.getByRole('button', { name: 'Remove line 1', exact: true })
    assert.equal(await onlyOne.getAttribute('aria-disabled'), 'true')
    await press('Add line')
    const dialog = dialogOf('Add line')
    await dialog.getByLabel('Product').fill('PEER')
    await dialog.getByLabel('Quantity').fill('3')
    await dialog.getByText('The client KAURI has no product with the code PEER.').first().waitFor()
    assert.equal(await dialog.getByLabel('Product').getAttribute('aria-invalid'), 'true')
    assert.equal(await dialog.getByRole('button', { name: 'Add line' }).count(), 0)
    await assertAccessible(page)
    await dialog.getByLabel('Product').fill('PEAR')
    await dialog.getByText('add a line of PEAR').waitFor()
    await confirm('Add line')
    assert.deepEqual(await announced(id), ['10 APPLE', '3 PEAR'])
    await press('Remove line 1')
    await confirm('Remove line 1')
    assert.deepEqual(await announced(id), ['3 PEAR'])
    await page.getByText('The line is removed').waitFor()
    assertNoFaults(visitor)
  },
)

test('serials of a line are corrected one by one', options, async () => {
  const path = `/v1/partners/${imports.clientId}/products`
  await admin.post(path, { code: 'RADIO', name: 'Radio', serialTrackingMode: 2 })
  const items = ['R1', 'R2'].map((serial, i) => ({ quantity: 1, serial, weightKG: i + 1 }))
  const id = await imports.imported({ products: [line({ productCode: 'RADIO', items })] })
  const { page, press, dialogOf, confirm } = await atRecord(id)
  await press('Edit line 1')
  await dialogOf('Edit line 1').getByLabel('Serials').fill('R2\nR3')
  await page.getByText('change the line of RADIO').waitFor()
  await confirm('Edit line 1')
  const [line1] = (await admin.get(`/v1/consignments/${id}`)).body.products
  assert.deepEqual(
    line1.items.map(({ serial, weightKG }: { serial: string; weightKG: number }) => [serial, weightKG]),
    [
      ['R2', 2],
      ['R3', null],
    ],
  )
})

test(
  'once the warehouse works on it, and for readers and carriers, lines have no acts',
  options,
  async () => {
    const [waiting, ready] = [await imports.imported({ carrierCode: 'SWF' }), await imports.imported()]
    await admin.put(`/v1/consignments/${ready}/status`, { status: ConsignmentStatus.ReadyToReceive })
    const { page } = await atRecord(ready)
    const actsOn = (record: Page) =>
      record.getByRole('button', { name: /^(Add line|Edit line 1|Remove line 1)$/ }).count()
    await page.getByRole('table', { name: 'Lines' }).waitFor()
    assert.equal(await actsOn(page), 0)
    const counts: number[] = []
    for (const person of [
      { role: 'reader' as const },
      { role: 'member' as const, partnerId: imports.carrierId },
      { role: 'member' as const, partnerId: imports.clientId },
    ]) {
      const { page: theirs } = await atRecord(waiting, person)
      await theirs.getByRole('table', { name: 'Lines' }).waitFor()
      const found = theirs.getByRole('button', { name: /^(Add line|Edit line 1|Remove line 1)$/ })
      counts.push(await found.count())
    }
    assert.deepEqual(counts, [0, 0, 3], 'a client corrects its own')
  },
)
