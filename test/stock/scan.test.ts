// Scanned codes that match several things. How each kind is found is tested in logistic-units.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStock } from '../support/given-stock.ts'

const { admin, clientId, warehouseId, locations } = await openStock()

test('a unit that a code matches in two ways is listed once', async () => {
  const place = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  const { body: unit } = await admin.post('/v1/logistic-units', { ...place, referenceNumber: 'LU-000001' })
  const { body } = await admin.get('/v1/scan?Code=lu-000001')
  assert.deepEqual(body.matches, [
    { kind: 'logisticUnit', id: unit.logisticUnitId, name: 'LU-000001', unitTypeId: null },
  ])
})
