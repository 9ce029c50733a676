// Logistic units, scanned codes, and changes of locations that hold stock. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { buildSscc } from '../../../src/stock/logistic-units/sscc.ts'
import { allocateRow } from '../../support/given-allocations.ts'
import { openStock } from '../../support/given-stock.ts'

const world = await openStock()
const { admin, database, clientId, warehouseId, locations, products, stored, row } = world
const ssccNumber = '340123450000000017'

test('an empty unit is created with an id from the device, and found by its SSCC', async () => {
  const logisticUnitId = newId()
  const place = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  const { status, body } = await admin.post('/v1/logistic-units', { logisticUnitId, ...place, ssccNumber })
  assert.deepEqual([status, body.logisticUnitId, body.logisticUnitNumber], [201, logisticUnitId, 'LU-000001'])
  assert.equal((await admin.post('/v1/logistic-units', { ...place, ssccNumber })).status, 409)
  assert.equal(
    (await admin.post('/v1/logistic-units', { ...place, warehouseLocationId: newId() })).status,
    400,
  )
  assert.equal((await admin.post('/v1/logistic-units', { ...place, generateSscc: true })).status, 400)
  await admin.put(`/v1/partners/${clientId}`, { gs1CompanyPrefix: '9412345' })
  const generated = await admin.post('/v1/logistic-units', {
    ...place,
    generateSscc: true,
    referenceNumber: 'R-1',
  })
  assert.equal(generated.status, 201, JSON.stringify(generated.body))
  const read = await admin.get(`/v1/logistic-units/${generated.body.logisticUnitId}`)
  assert.deepEqual([read.body.ssccNumber?.slice(0, 8), read.body.isEmpty], ['09412345', true])
  const path = `/v1/logistic-units/${logisticUnitId}`
  assert.equal((await admin.put(path, { referenceNumber: 'R-1' })).status, 409)
  assert.equal((await admin.put(path, { referenceNumber: 'R-2' })).status, 200)
  assert.equal((await admin.put(path, { referenceNumber: 'R-2' })).status, 304)
  await stored(1, { logisticUnitId })
  const find = async (query: string) => (await admin.get(`/v1/logistic-units?${query}`)).body.total
  assert.deepEqual(
    [await find('SearchText=r-2'), await find('IsEmpty=true'), await find('IsEmpty=false')],
    [1, 1, 1],
  )
})

test('a unit whose number does not fit behind the prefix of the client gets no SSCC, and is not created', async () => {
  const place = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  await admin.put(`/v1/partners/${clientId}`, { gs1CompanyPrefix: '941234500001' })
  await database.inOneStatement(tx =>
    tx.run(
      sql`update organisation set last_logistic_unit_number = 9999 where id = ${admin.actor.organisationId}`,
    ),
  )
  const message =
    'An SSCC cannot be generated: the number 10000 of the unit does not fit behind the client’s ' +
    'gs1CompanyPrefix 941234500001.'
  const alone = await admin.post('/v1/logistic-units', { ...place, generateSscc: true })
  assert.deepEqual([alone.status, alone.body.ErrorMessages], [400, [message]])
  const toLogisticUnit = { isNew: true, generateSscc: true }
  const transfers = [{ warehouseProductId: await stored(1), toLogisticUnit }]
  const withGoods = await admin.post('/v1/inventory/transfer', { transfers })
  assert.deepEqual([withGoods.status, withGoods.body.ErrorMessages], [400, [message]])
  const given = { ...place, generateSscc: true, ssccNumber: '340123450000000024' }
  assert.equal((await admin.post('/v1/logistic-units', given)).status, 201, 'an SSCC that is given is used')
})

test('a scanned code finds everything that has it', async () => {
  const kinds = async (code: string) =>
    (await admin.get(`/v1/scan?Code=${encodeURIComponent(code)}`)).body.matches.map(
      ({ kind }: { kind: string }) => kind,
    )
  await stored(1, { productId: products.SCALE }, { newSerials: [{ serial: 'A-01' }] })
  assert.deepEqual(await kinds(`(00)${ssccNumber}`), ['logisticUnit'])
  assert.deepEqual(await kinds(`00${ssccNumber}`), ['logisticUnit'])
  assert.deepEqual(await kinds('a-01'), ['location'])
  assert.deepEqual(await kinds('A-01'), ['location', 'item'])
  assert.deepEqual(await kinds('apple'), ['product'])
  assert.deepEqual(await kinds('lu-000001'), ['logisticUnit'])
  assert.deepEqual(await kinds('nothing'), [])
})

test('stock follows its location into quarantine, unless any of it is allocated', async () => {
  const id = await stored(5, { warehouseLocationId: locations.B1 })
  const path = `/v1/warehouses/${warehouseId}/locations/${locations.B1}`
  assert.equal((await admin.put(path, { type: 3 })).status, 200)
  assert.equal((await row(id)).availableQuantity, 0)
  assert.equal((await admin.put(path, { type: 2, aisle: 'B', maxWeightKG: 500 })).status, 200)
  assert.equal((await admin.get(path)).body.maxWeightKG, 500)
  assert.equal((await row(id)).availableQuantity, 5)
  await allocateRow(world, id, 2)
  const refused = await admin.put(path, { type: 3, status: 2 })
  assert.deepEqual(refused.body.ErrorMessages, [
    'type must not be Quarantine: 2 in the location are allocated.',
    'status must not be Inactive: there is stock in the location.',
  ])
})

test('many locations are created from a pattern, all of them or none', async () => {
  const make = (pattern: string, more: object = {}) =>
    admin.post(`/v1/warehouses/${warehouseId}/locations/many`, { pattern, type: 1, ...more })
  const { status, body } = await make('R-{09..11}-{A..B}', { firstWalkingOrder: 100 })
  assert.equal(status, 200, JSON.stringify(body))
  const made = await database.db.rows<{ name: string; walkingOrder: number }>(sql`select name, walking_order
    from warehouse_location where name like 'R-%' order by walking_order`)
  assert.deepEqual(
    made.map(({ name }) => name),
    ['R-09-A', 'R-09-B', 'R-10-A', 'R-10-B', 'R-11-A', 'R-11-B'],
  )
  assert.deepEqual(
    made.map(({ walkingOrder }) => walkingOrder),
    [100, 101, 102, 103, 104, 105],
  )
  assert.equal((await make('R-{11..12}-A')).status, 409)
  for (const range of ['R-[01..12]', 'R-01..R-12', 'R-{1..2}-1..5'])
    assert.deepEqual(
      (await make(range)).body.ErrorMessages,
      ['pattern has a range without braces: write A-{01..12}, not A-01..12.'],
      range,
    )
  assert.equal((await make('GATE')).body.warehouseLocationIds.length, 1)
  for (const wrong of ['{1..5001}', '{5..1}', 'A-{1..', '{a..5}'])
    assert.equal((await make(wrong)).status, 400, wrong)
})

test('what further entries say about a unit is added to it, and what contradicts is refused by name', async () => {
  const sscc = '340123450000000055'
  const opening = (rows: object[]) =>
    admin.post('/v1/inventory/opening-balances', {
      operationId: newId(),
      warehouseCode: 'AKL',
      rows: rows.map(row => ({
        ...{ clientCode: 'KAURI', productCode: 'APPLE', locationName: 'A-01', quantity: 1 },
        ...row,
      })),
    })
  const first = await opening([
    { ssccNumber: sscc },
    { ssccNumber: sscc, referenceNumber: 'PAL-7', batch: 'X' },
  ])
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const unitOf = async () => (await admin.get(`/v1/logistic-units?SearchText=${sscc}`)).body.logisticUnits[0]
  assert.equal((await unitOf()).referenceNumber, 'PAL-7')
  const bare = '340123450000000062'
  assert.equal((await opening([{ ssccNumber: bare, batch: 'Y' }])).status, 200)
  assert.equal((await opening([{ ssccNumber: bare, referenceNumber: 'PAL-8', batch: 'Z' }])).status, 200)
  const filled = (await admin.get('/v1/logistic-units?SearchText=PAL-8')).body.logisticUnits
  assert.equal(filled[0].ssccNumber, bare)
  const { logisticUnitNumber } = await unitOf()
  assert.deepEqual((await opening([{ ssccNumber: sscc, referenceNumber: 'OTHER' }])).body.ErrorMessages, [
    `rows[0]: the logistic unit ${logisticUnitNumber} has the reference PAL-7, not OTHER.`,
  ])
})

test('an SSCC is generated although somebody has used those of the next numbers', async () => {
  const gs1CompanyPrefix = '9421000'
  assert.equal((await admin.put(`/v1/partners/${clientId}`, { gs1CompanyPrefix })).status, 200)
  const { last } = await database.db.row<{ last: number }>(
    sql`select last_logistic_unit_number as last from organisation where id = ${admin.actor.organisationId}`,
  )
  const place = { partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 }
  const unit = (more: object) => admin.post('/v1/logistic-units', { ...place, ...more })
  // By hand: the SSCCs that the numbers after the next five would have.
  for (let n = 0; n < 5; n++) {
    const taken = buildSscc(gs1CompanyPrefix, last + 6 + n) as string
    assert.equal((await unit({ ssccNumber: taken })).status, 201)
  }
  const answer = await unit({ generateSscc: true })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const made = (await admin.get(`/v1/logistic-units/${answer.body.logisticUnitId}`)).body
  assert.equal(made.ssccNumber, buildSscc(gs1CompanyPrefix, last + 11))
})
