// Stock on screens, as whoever keeps it works with it in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/platform/new-id.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, save, signInAs, whenDone } from '../support/browse.ts'
import { openCounts } from '../support/given-counts.ts'
import { openPrinters } from '../support/given-paper-printers.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openCounts()
const { admin } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

/** A browser at an address, in which somebody who may do this is signed in. */
async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  visitor.forgetClicks()
  return visitor
}

const toolbar = (page: Page, act: string) =>
  page.getByRole('toolbar', { name: 'Selected' }).getByRole('button', { name: act, exact: true })

test('stock is moved and adjusted from the list, within five clicks each', options, async () => {
  const id = await world.stored(40)
  const visitor = await visit('/inventory')
  const { page } = visitor
  await page.getByRole('checkbox', { name: 'Select APPLE in A-01' }).click()
  await toolbar(page, 'Move').click()
  await page.getByRole('combobox', { name: 'To place' }).fill('A-02')
  await page.getByLabel('Quantity').fill('15')
  await confirm(page, 'Move')
  await page.getByRole('link', { name: 'APPLE in A-02' }).waitFor()
  assertWithin(visitor, 'move stock')
  assert.equal((await world.row(id)).onHandQuantity, 25)
  visitor.forgetClicks()
  await page.getByRole('checkbox', { name: 'Select APPLE in A-01' }).click()
  await toolbar(page, 'Adjust').click()
  await page.getByLabel('Quantity').fill('-5')
  await page.getByLabel('Reason').fill('Broken')
  await confirm(page, 'Adjust')
  assertWithin(visitor, 'adjust stock')
  assert.equal((await world.row(id)).onHandQuantity, 20)
  visitor.forgetClicks()
  await page.getByRole('link', { name: 'APPLE in A-01' }).click()
  await page.getByRole('heading', { level: 1, name: 'APPLE in A-01' }).waitFor()
  const balances = page.getByRole('region', { name: 'History' }).getByRole('row')
  await balances.nth(1).getByText('Broken').waitFor()
  assertWithin(visitor, 'why this balance')
  assert.match(String(await balances.nth(1).textContent()), /-5\D*20$/)
  await assertAccessible(page)
  const suggested = page.getByRole('region', { name: 'Put away' }).getByRole('button', { name: /^Move/ })
  await suggested.first().click()
  await confirm(page, 'Move')
  assertWithin(visitor, 'put away as suggested')
  assertNoFaults(visitor)
})

test('the list shows stock as it was, without acts, until one goes back to now', options, async () => {
  await world.stored(7, { productId: world.products.PEAR })
  const visitor = await visit('/inventory?AsOfUtc=2020-06-30T05:00:00Z')
  const { page } = visitor
  await page.getByRole('note').getByText('Stock as of 30 June 2020, 17:00').waitFor()
  await page.getByText('No stock yet').waitFor()
  assert.equal(await page.getByLabel('As of').inputValue(), '2020-06-30T17:00')
  assert.equal(await page.getByRole('button', { name: 'Opening balances' }).count(), 0)
  await assertAccessible(page)
  visitor.forgetClicks()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByRole('checkbox', { name: 'Select PEAR in A-01' }).waitFor()
  await page.getByLabel('As of').fill('2020-06-30T17:00')
  await page.getByRole('note').getByText('Stock as of 30 June 2020, 17:00').waitFor()
  assertWithin(visitor, 'stock as it was')
  await page.getByRole('button', { name: 'Back to now' }).click()
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('a batch is put on hold and released', options, async () => {
  const id = await world.stored(9, { batch: 'B7' })
  const visitor = await visit('/holds')
  const { page } = visitor
  await page.getByRole('button', { name: 'New hold' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold' })
  await dialog.getByRole('combobox', { name: 'Product' }).fill('APPLE')
  await dialog.getByLabel('Batch').fill('B7')
  await dialog.getByLabel('Reason').fill('Bruised')
  await confirm(page, 'Hold')
  assertWithin(visitor, 'hold a batch')
  assert.equal((await world.row(id)).onHandQuantity, 0, 'it is in a row of held stock now')
  await page.getByRole('link', { name: 'Bruised' }).click()
  await page.getByRole('region', { name: 'Stock held' }).getByText('B7').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Release' }).click()
  await confirm(page, 'Release')
  await page.getByText('No stock is left in it.').waitFor()
  assert.equal((await world.row(id)).onHandQuantity, 9)
  assertNoFaults(visitor)
})

test('labels of what is selected are printed, and a unit is labelled and corrected', options, async () => {
  const { printers } = await openPrinters(world, world.warehouseId)
  const unit = await world.made('/v1/logistic-units', {
    ...{ partnerId: world.clientId, warehouseId: world.warehouseId },
    warehouseLocationId: world.locations.A2,
  })
  await world.stored(6, { logisticUnitId: unit, warehouseLocationId: world.locations.A2, batch: 'L1' })
  const visitor = await visit('/inventory?SearchText=L1')
  const { page } = visitor
  const printed = async () => {
    const { body } = await world.admin.get('/v1/print-jobs')
    return body.printJobs.map(({ printerId, kind }: Record<string, unknown>) => [printerId, kind])
  }
  await page.getByRole('checkbox', { name: 'Select APPLE in A-02' }).click()
  await toolbar(page, 'Labels').click()
  const dialog = page.getByRole('dialog', { name: 'Labels' })
  await dialog.getByLabel('Printer').waitFor()
  assert.equal(await dialog.getByLabel('Of').inputValue(), 'units')
  await dialog.getByLabel('Of').selectOption('Places')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Labels' }).click()
  await page.getByText('1 label is sent to Labels').waitFor()
  assertWithin(visitor, 'labels of what is selected')
  const [places] = await printed()
  await visitor.goTo(`/units/${unit}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Reference').fill('PAL-7')
  await save(page)
  await page.getByText('PAL-7').waitFor()
  await page.getByRole('button', { name: 'Label' }).click()
  await page.getByRole('dialog', { name: 'Label' }).getByLabel('Printer').waitFor()
  await whenDone(page, () => page.getByRole('dialog').getByRole('button', { name: 'Label' }).click())
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(places[0], printers.label)
  assert.equal((await printed()).length, 2)
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('the attributes of one item are changed where its life is told', options, async () => {
  await world.made('/v1/product-attributes', { name: 'Colour' })
  await world.stored(
    1,
    { productId: world.products.SCALE },
    { newSerials: [{ id: newId(), serial: 'S-77' }] },
  )
  const visitor = await visit('/serials')
  const { page } = visitor
  await page.getByRole('link', { name: 'S-77' }).click()
  await page.getByRole('button', { name: 'Change attributes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change attributes' })
  await dialog.getByLabel('Batch').fill('B9')
  await dialog.getByLabel('Colour').fill('Red')
  await dialog.getByLabel('Reason').fill('Looked at')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Change attributes')
  await page.getByRole('region', { name: 'Life' }).getByText('Looked at').first().waitFor()
  const [item] = (await world.admin.get('/v1/inventory-items?Serials=S-77')).body.items
  const { body } = await world.admin.get(`/v1/inventory/${item.warehouseProductId}`)
  assert.equal(body.batch, 'B9')
  assert.deepEqual(
    body.attributes.map(({ name, description }: Record<string, unknown>) => [name, description]),
    [['Colour', 'Red']],
  )
  assertNoFaults(visitor)
})

test('the minimum of a pick face is changed where it shows, and a job fills it', options, async () => {
  const product = await world.product('CHERRY')
  const face = `/v1/warehouses/${world.warehouseId}/locations`
  const { body: made } = await admin.post(face, { name: 'P-01', type: 1 })
  const pickface = { isPickface: true, partnerProductId: product, minQuantity: 2, targetQuantity: 20 }
  await admin.put(`${face}/${made.warehouseLocationId}`, pickface)
  await world.stored(100, { productId: product, warehouseLocationId: world.locations.B1 })
  await world.stored(4, { productId: product, warehouseLocationId: made.warehouseLocationId })
  const visitor = await visit('/replenishment')
  const { page } = visitor
  const row = page.getByRole('table', { name: 'Pick faces' }).getByRole('row', { name: /CHERRY/ })
  await row.getByText('Below target').waitFor()
  const heads = page.getByRole('table', { name: 'Pick faces' }).getByRole('columnheader')
  assert.deepEqual((await heads.allTextContents()).slice(3, 6), ['Available', 'On hand', 'Minimum'])
  await assertAccessible(page)
  await row.getByRole('button', { name: 'Edit P-01' }).click()
  const dialog = page.getByRole('dialog', { name: 'P-01' })
  await dialog.getByLabel('Minimum').fill('10')
  await assertAccessible(page)
  await save(dialog)
  await row.getByText('Below minimum').waitFor()
  await visitor.goTo('/jobs')
  await page.getByRole('button', { name: 'New replenishment' }).click()
  await confirm(page, 'New replenishment')
  await page.getByRole('row').filter({ hasText: '0 of 1 line' }).waitFor()
  await page.getByRole('button', { name: 'New wave' }).click()
  await page.getByRole('heading', { level: 1, name: 'New wave' }).waitFor()
  assertNoFaults(visitor)
})

test('what was counted is entered, and its difference approved', options, async () => {
  const id = await world.stored(30, { warehouseLocationId: world.locations.B1 })
  const visitor = await visit('/counts/new')
  const { page } = visitor
  await page.getByLabel('Places').fill('C-99')
  await page.getByRole('button', { name: 'Create count' }).click()
  await page.getByText('C-99 is no place of this warehouse.').waitFor()
  await page.getByLabel('Places').fill('')
  await page.getByLabel('Products').fill('apple, NOPE')
  await page.getByRole('button', { name: 'Create count' }).click()
  await page.getByText('Choose the client that the products belong to.').waitFor()
  await page.getByLabel('Client').selectOption(world.clientId)
  await page.getByRole('button', { name: 'Create count' }).click()
  await page.getByText('NOPE is no product of this client.').waitFor()
  await page.getByLabel('Products').fill('apple')
  visitor.forgetClicks()
  await page.getByLabel('Places').fill('B-01')
  await page.getByRole('button', { name: 'Create count' }).click()
  await page.getByRole('checkbox', { name: 'Select APPLE in B-01' }).click()
  await toolbar(page, 'Enter count').click()
  await page.getByLabel('Counted of APPLE, B-01').fill('28')
  await confirm(page, 'Enter count')
  assertWithin(visitor, 'count places')
  await page.getByRole('button', { name: 'Finish counting' }).click()
  await confirm(page, 'Finish counting')
  visitor.forgetClicks()
  await page.getByRole('button', { name: 'Approve' }).click()
  await confirm(page, 'Approve')
  await page.locator('main[data-status=Approved]').waitFor()
  assertWithin(visitor, 'approve differences')
  await assertAccessible(page)
  assert.equal((await world.row(id)).onHandQuantity, 28)
  assertNoFaults(visitor)
})

test('whoever only reads sees no act, and every screen is accessible when empty', options, async () => {
  const visitor = await visit('/holds', { role: 'reader' })
  const { page } = visitor
  for (const path of ['/inventory', '/units', '/holds', '/counts', '/shortages', '/serials']) {
    await visitor.goTo(path)
    await assertAccessible(page)
    assert.equal(await page.getByRole('checkbox').count(), 0, path)
    assert.equal(await page.getByRole('button', { name: /^New/ }).count(), 0, path)
  }
  for (const path of ['/', '/me', '/replenishment', '/search?Q=APPLE']) {
    await visitor.goTo(path)
    await assertAccessible(page)
  }
  await visitor.goTo('/counts/new')
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor()
  assertNoFaults(visitor)
})

test('what expires soon is listed with two clicks', options, async () => {
  const expiryDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
  const productId = await world.product('YOGHURT', { expiryUsage: 2 })
  await world.stored(5, { productId, expiryDate })
  await world.stored(5, { productId, expiryDate: '2099-01-01', warehouseLocationId: world.locations.A2 })
  const visitor = await visit('/inventory')
  const { page } = visitor
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Within 30 days' }).click()
  await page.getByRole('button', { name: 'Near expiry: Within 30 days' }).waitFor()
  await page.getByRole('status').getByText('1 of 1').waitFor()
  assertWithin(visitor, 'near expiry')
  await page.getByRole('link', { name: 'YOGHURT in A-01' }).waitFor()
  assert.match(page.url(), /ExpiryTo=\d{4}-\d\d-\d\d/)
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('an opening balance is checked, and then loaded from the file', options, async () => {
  const { clientId, warehouseId } = world
  const { code } = (await admin.get(`/v1/partners/${clientId}`)).body
  const [place] = (await admin.get(`/v1/warehouses/${warehouseId}/locations`)).body.locations
  const csv = `clientCode,productCode,locationName,batch,quantity\n${code},APPLE,${place.name},FIRST DAY,17\n`
  const visitor = await visit('/inventory/opening')
  const { page } = visitor
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('1 row can be loaded').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Load' }).click()
  await page.getByText('1 row loaded').waitFor()
  await page.getByRole('link', { name: 'APPLE' }).waitFor()
  const [entry] = (await admin.get('/v1/inventory?Batch=FIRST DAY')).body.inventory
  assert.equal(entry.products[0].onHandQuantity, 17)
  assertNoFaults(visitor)
})

test('a search by keys alone opens what it finds', options, async () => {
  const visitor = await visit('/')
  const { page } = visitor
  await page.keyboard.press('ControlOrMeta+k')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type('APPLE')
  await page.getByRole('option', { name: /^APPLE / }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'APPLE' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  assert.equal(visitor.clicks, 0)
  assertNoFaults(visitor)
})
