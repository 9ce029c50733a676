// Orders from a spreadsheet, as a person of a client uploads them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { firstRows, guessColumns, keptColumns } from '../../portal/src/order-columns.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs, whenEqual } from '../support/browse.ts'
import { openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const options = { skip: noBrowser, timeout: 120_000 }

/** Whether the top of a region can be seen. */
async function isInView(page: Page, name: string): Promise<boolean> {
  const box = await page.getByRole('region', { name }).boundingBox()
  return box !== null && box.y >= 0 && box.y < (page.viewportSize()?.height ?? 0) / 2
}

test('the heads of a file are read with its separator, also between quotes', () => {
  assert.deepEqual(firstRows('"Order, no";SKU;"Say ""yes"""\r\nSO-1;APPLE;\r\n'), [
    ['Order, no', 'SKU', 'Say "yes"'],
    ['SO-1', 'APPLE', ''],
  ])
  assert.deepEqual(firstRows('a,b\n"two\nlines",2\n3,4\n'), [
    ['a', 'b'],
    ['two\nlines', '2'],
  ])
  assert.deepEqual(firstRows(''), [[]])
})

test('a column is guessed from what people call it, each field once, and what was chosen before stands', () => {
  const heads = ['Order No.', 'SKU', 'Qty', 'Address 1', 'Ship-to city', 'Item code', 'Colour']
  const outwards = guessColumns(heads, 2, undefined)
  assert.deepEqual(Object.values(outwards), [
    ...['referenceNumber', 'productCode', 'quantity', 'destinationStreetAddress', 'destinationCity'],
    ...[null, null],
  ])
  assert.equal(guessColumns(heads, 1, undefined)['Address 1'], 'originStreetAddress')
  const kept = keptColumns({ ...outwards, 'Order No.': 'poNumber', Colour: 'note' })
  const again = guessColumns(['ORDER NO', 'colour', 'Ref'], 2, kept)
  assert.deepEqual(Object.values(again), ['poNumber', 'note', 'referenceNumber'])
})

test(
  'a client checks a file, sees what is wrong by row, and uploads the orders that are right',
  options,
  async () => {
    const { world, clientId } = await openImports()
    const { url, givenPerson } = await openPortal(world)
    const visitor = await newVisitor(url)
    await signInAs(visitor, await givenPerson({ partnerId: clientId }))
    await visitor.open('/consignments')
    const { page } = visitor
    await page.getByRole('button', { name: 'Upload orders' }).click()
    await page.getByRole('heading', { level: 1, name: 'Upload orders' }).waitFor()
    await page.getByText('Choose a file; then its orders can be checked.').waitFor()
    const csv =
      'Order no,SKU,Qty,Ship to,Remark\nSO-1,APPLE,4,Fresh,\nSO-1,PEAR,2,,\nSO-2,APPEL,1,Corner,\nSO-3,PEAR,many,,\n'
    await page
      .getByLabel('Choose file')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const field = page.getByRole('combobox', { name: 'Field of Order no' })
    assert.equal(await field.inputValue(), 'referenceNumber')
    await page.getByRole('combobox', { name: 'Field of Remark' }).selectOption('Picking instructions')
    await page.setViewportSize({ width: 390, height: 700 })
    await page.getByRole('button', { name: 'Check', exact: true }).focus()
    await page.keyboard.press('Enter')
    await whenEqual(() => isInView(page, 'What the check found'), true, 'what was found is scrolled to')
    await page.getByText('2 orders can be uploaded').waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    const rowsOf = async (name: string) =>
      (await page.getByRole('grid', { name }).locator('tbody tr').allInnerTexts()).map(row => row.split('\t'))
    assert.deepEqual(await rowsOf('Faulty rows'), [['5', 'Qty', 'SO-3', 'Qty must be a number.']])
    assert.match((await rowsOf('Rows that will wait')).join(), /4,SKU,SO-2,.*APPEL/)
    await assertAccessible(page)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Upload 2 orders')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Uploaded orders' }).waitFor()
    const { consignmentImports } = (await world.admin.get('/v1/consignment-imports')).body
    const references = consignmentImports.map((one: { referenceNumber: string }) => one.referenceNumber)
    assert.deepEqual(references.toSorted(), ['SO-1', 'SO-2'])
    await assertAccessible(page)
    await page.getByRole('link', { name: 'SO-2' }).click()
    await page.getByRole('heading', { level: 1, name: 'SO-2' }).waitFor()
    await page.goBack()
    // The columns of the client are kept.
    await page
      .getByLabel('Choose file')
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const remark = page.getByRole('combobox', { name: 'Field of Remark' })
    assert.equal(await remark.inputValue(), 'pickingInstructions')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('1 was uploaded before').or(page.getByText('2 were uploaded before')).waitFor()
    assertNoFaults(visitor)
  },
)
