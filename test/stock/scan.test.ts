// Scanned codes that match several things. How each kind is found is tested in logistic-units.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStock } from '../support/given-stock.ts'

const { admin, clientId, warehouseId, locations, made, products, stored } = await openStock()

test('a unit that a code matches in two ways is listed once', async () => {
  const place = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  const { body: unit } = await admin.post('/v1/logistic-units', { ...place, referenceNumber: 'LU-000001' })
  const { body } = await admin.get('/v1/scan?Code=lu-000001')
  assert.deepEqual(body.matches, [
    {
      ...{ kind: 'logisticUnit', id: unit.logisticUnitId, name: 'LU-000001', unitTypeId: null },
      ...{ warehouseId, warehouseName: 'Auckland', clientId, clientName: 'Kauri Foods', status: null },
    },
  ])
})

test('what is in the warehouse of the scanner comes first, however many others have the same name', async () => {
  const elsewhere = Array.from({ length: 25 }, (_, n) => `W${String(n).padStart(2, '0')}`)
  const ids: Record<string, string> = {}
  for (const code of [...elsewhere, 'MINE']) {
    ids[code] = await made('/v1/warehouses', { name: code, code, timezoneId: 'Pacific/Auckland' })
    await made(`/v1/warehouses/${ids[code]}/locations`, { name: 'Z-99-1', type: 1 })
  }
  const { body } = await admin.get(`/v1/scan?Code=z-99-1&WarehouseId=${ids.MINE}`)
  assert.equal(body.matches.length, 20)
  const [{ id: _, ...first }, second] = body.matches
  assert.deepEqual(first, {
    ...{ kind: 'location', name: 'Z-99-1', unitTypeId: null, warehouseId: ids.MINE, warehouseName: 'MINE' },
    ...{ clientId: null, clientName: null, status: 1 },
  })
  assert.equal(elsewhere.includes(second.warehouseName), true)
})

test('a serial is told with its place and client, a product with its status', async () => {
  await stored(1, { productId: products.SCALE }, { newSerials: [{ serial: 'SN-1' }] })
  const factsOf = async (code: string) =>
    (await admin.get(`/v1/scan?Code=${code}`)).body.matches.map((match: Record<string, unknown>) => [
      match.kind,
      match.warehouseId,
      match.clientId,
      match.status,
    ])
  assert.deepEqual(await factsOf('SN-1'), [['item', warehouseId, clientId, null]])
  assert.deepEqual(await factsOf('SCALE'), [['product', null, clientId, 1]])
})
