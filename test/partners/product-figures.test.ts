import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAllocation } from '../support/given-allocation.ts'

const world = await openAllocation()
const { admin, as, clientId, carrierId, warehouseId, locations, made } = world
const path = `/v1/partners/${clientId}/products`

test('a list of products tells what is in stock of each and what of it is free, in one warehouse', async () => {
  await world.stored(40)
  await world.stored(5, { warehouseLocationId: locations.Q1 })
  await world.ready([{ quantity: 12 }]).then(id => admin.post(`/v1/consignments/${id}/allocate`, {}))
  const other = await made('/v1/warehouses', { name: 'Other', code: 'OTH', timezoneId: 'Pacific/Auckland' })
  const place = await made(`/v1/warehouses/${other}/locations`, { name: 'X-1', type: 1 })
  await world.stored(7, { warehouseId: other, warehouseLocationId: place })
  const figures = async (query: string, by = admin) =>
    (await by.get(`${path}?Include=figures&${query}`)).body.products.map(
      (product: { code: string; onHandQuantity: number; availableQuantity: number }) =>
        `${product.code} ${product.onHandQuantity} ${product.availableQuantity}`,
    )
  const here = `WarehouseId=${warehouseId}`
  assert.deepEqual(await figures(`Code=apple&Code=PEAR&Code=NONE&${here}`), ['APPLE 45 28', 'PEAR 0 0'])
  assert.deepEqual(await figures('Code=APPLE'), ['APPLE 52 35'])
  assert.deepEqual(await figures(`Code=APPLE&WarehouseId=${other}`), ['APPLE 7 7'])
  assert.deepEqual(await figures(`Code=APPLE&${here}`, as(admin, { partnerId: clientId })), ['APPLE 45 28'])
})

test('a list of products has the units of each where they are asked for', async () => {
  await admin.put(`${path}/${world.products.PEAR}`, {
    unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: 48 }],
  })
  const { products } = (await admin.get(`${path}?Include=units&Code=PEAR`)).body
  assert.equal(products[0].unitConversions[0].itemConversionRate, 48)
  assert.equal('onHandQuantity' in products[0], false)
})

test('figures need the scope for stock, and are the business of the client', async () => {
  const reader = as(admin, { scopes: ['partner.read'] })
  assert.equal((await reader.get(`${path}?Include=figures`)).status, 403)
  const [plain] = (await reader.get(`${path}?Code=APPLE`)).body.products
  assert.equal('availableQuantity' in plain, false)
  assert.equal((await as(admin, { partnerId: carrierId }).get(`${path}?Include=figures`)).status, 404)
})
