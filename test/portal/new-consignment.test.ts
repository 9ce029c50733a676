// A consignment is ordered in a browser: filled in, pasted, and corrected where it waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesIn } from '../../portal/src/new-consignment.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, pressUntil, signInAs } from '../support/browse.ts'
import { openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const imports = await openImports()
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }

async function openForm(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/consignments')
  return visitor
}

test('goods are ordered out with six fields, and the page becomes their consignment', options, async () => {
  const visitor = await openForm()
  const { page } = visitor
  await page.keyboard.press('c')
  await page.getByRole('heading', { level: 1, name: 'New consignment' }).waitFor()
  await page.getByLabel('Client').selectOption('Kauri Foods')
  await page.getByLabel('Reference').fill('SO-77')
  await page.getByLabel('Name').fill('Corner Dairy')
  await page.getByLabel('City').fill('Auckland')
  await page.getByLabel('Product of line 1').fill('APPLE')
  await page.getByLabel('Quantity of line 1').fill('6')
  await assertAccessible(page)
  await pressUntil(page, imports.drain, 'Create consignment', 'The consignment is created')
  const id = String(await page.locator('main[data-id]').getAttribute('data-id'))
  const { body } = await imports.world.admin.get(`/v1/consignments/${id}`)
  assert.deepEqual(
    [body.type, body.referenceNumber, body.destinationAddress.name, body.products[0].expectedQuantity],
    [2, 'SO-77', 'Corner Dairy', 6],
  )
  assertNoFaults(visitor)
})

test('pasted lines are lines, and one that is wrong is corrected where it stands', options, async () => {
  const visitor = await openForm()
  const { page } = visitor
  await visitor.goTo('/consignments/new?type=1')
  await page.getByLabel('Expected arrival').waitFor()
  await page.getByLabel('Client').selectOption('Kauri Foods')
  await page.getByRole('button', { name: 'Paste lines' }).click()
  const dialog = page.getByRole('dialog', { name: 'Paste lines' })
  await dialog.getByLabel('Lines').fill('APPLE\t10\tB1\nPEER\t4')
  await dialog.getByRole('button', { name: 'Paste lines' }).click()
  await pressUntil(page, imports.drain, 'Create consignment', 'It waits')
  const wrong = page.getByLabel('Product of line 2')
  assert.equal(await wrong.getAttribute('aria-invalid'), 'true')
  await assertAccessible(page)
  await wrong.fill('PEAR')
  await pressUntil(page, imports.drain, 'Save and try again', 'The consignment is created')
  const id = String(await page.locator('main[data-id]').getAttribute('data-id'))
  const { body } = await imports.world.admin.get(`/v1/consignments/${id}`)
  assert.deepEqual(
    body.products.map(({ productCode, batch }: Record<string, unknown>) => [productCode, batch]),
    [
      ['APPLE', 'B1'],
      ['PEAR', null],
    ],
  )
  assertNoFaults(visitor)
})

test(
  'a line shows what is free of its product, and its quantity is given in any of its units',
  options,
  async () => {
    const { world, clientId } = imports
    const { admin } = world
    const { warehouses } = (await admin.get('/v1/me')).body
    const place = await admin.post(`/v1/warehouses/${warehouses[0].id}/locations`, { name: 'A-01', type: 1 })
    const { unitTypeId } = (await admin.post('/v1/unit-types', { name: 'Carton' })).body
    const { products } = (await admin.get(`/v1/partners/${clientId}/products?Code=PEAR`)).body
    await admin.put(`/v1/partners/${clientId}/products/${products[0].id}`, {
      unitConversions: [
        { inputMetricType: 3, inputUnitTypeId: unitTypeId, outputMetricType: 1, conversionRate: 12 },
      ],
    })
    const found = {
      ...{ partnerProductId: products[0].id, warehouseId: warehouses[0].id, quantity: 40 },
      warehouseLocationId: place.body.warehouseLocationId,
    }
    const answer = await admin.post('/v1/inventory/adjust', { adjustments: [found], reason: 'Found' })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const visitor = await openForm({ role: 'member', partnerId: clientId })
    const { page } = visitor
    await visitor.goTo('/consignments/new')
    const row = page.getByRole('grid', { name: 'Lines' }).getByRole('row').nth(1)
    await page.getByLabel('Product of line 1').fill('pear')
    await row.getByText('40').waitFor()
    await page.getByLabel('Quantity of line 1').fill('3')
    await page.getByLabel('Unit of line 1').selectOption('Carton of 12')
    await assertAccessible(page)
    await pressUntil(page, imports.drain, 'Create consignment', 'The consignment is created')
    const id = String(await page.locator('main[data-id]').getAttribute('data-id'))
    const { body } = await admin.get(`/v1/consignments/${id}`)
    assert.deepEqual([body.products[0].expectedQuantity, body.clientId], [36, clientId])
    assertNoFaults(visitor)
  },
)

test("a client's person orders for their own company only", options, async () => {
  const { clientId } = imports
  const visitor = await openForm({ role: 'member', partnerId: clientId })
  const { page } = visitor
  await visitor.goTo('/consignments/new')
  assert.equal(await page.getByLabel('Client').count(), 0)
  assert.equal(await page.getByLabel('Carrier').count(), 0)
})

test('lines are pasted from spreadsheets, lists and mails', () => {
  const parts = (text: string) =>
    linesIn(text).map(({ productCode, quantity, batch }) => [productCode, quantity, batch])
  assert.deepEqual(parts('A-1\t2\tB\n\nA-2\t3'), [
    ['A-1', '2', 'B'],
    ['A-2', '3', ''],
  ])
  assert.deepEqual(parts('A-1, 2, B 7\r\nA-2;3'), [
    ['A-1', '2', 'B 7'],
    ['A-2', '3', ''],
  ])
  assert.deepEqual(parts('A-1  2'), [['A-1', '2', '']])
})
