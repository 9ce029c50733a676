// Allocating and picking waves. Spec 2.14, 2.15; decision 2.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../../src/vocabulary/consignments.ts'
import { openWaves } from '../../support/given-waves.ts'
import { untilServed } from '../../support/until-served.ts'

const world = await openWaves()
const { admin, as, database, stored, locations, fresh, ready, allocated, events, allocationsOf, unit } = world
const { wave, startedWave, move, picks, confirm, confirmed, refused, figures, moves, statusOf } = world
const { Draft, Pending, ReadyToPick } = ConsignmentStatus
const bulk = { style: 2 }

const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async id => (await admin.get(`/v1/consignments/${id}`)).body.status))
const numberOf = async (id: string) =>
  (await admin.get(`/v1/consignments/${id}`)).body.consignmentNumber as string
const numberOfPicked = async (warehouseProductId: string) =>
  (
    await database.db.row<{ quantity: number }>(sql`
      select coalesce(-sum(quantity), 0) as quantity from inventory_transaction
      where warehouse_product_id = ${warehouseProductId} and quantity < 0`)
  ).quantity
const jobNumberOf = async (id: string) => (await admin.get(`/v1/jobs/${id}/wave-pick`)).body.jobNumber
const places = async (productId: string) =>
  (
    await database.db.rows<{ place: string; onHand: number; allocated: number }>(sql`
      select l.name as place, p.on_hand_quantity as on_hand, p.allocated_quantity as allocated
      from warehouse_product p
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      where p.product_id = ${productId} and not p.is_depleted
      order by l.name, p.inventory_hold_id nulls first, p.on_hand_quantity`)
  ).map(({ place, onHand, allocated: promise }) => [place, onHand, promise])

test('ReadyToStart makes Pending consignments ReadyToPick and allocates to the first positions first', async () => {
  const product = await fresh()
  await stored(10, product)
  const { jobId, ids } = await wave([
    [{ ...product, quantity: 6 }],
    [{ ...product, quantity: 3 }],
    [{ ...product, quantity: 3 }],
  ])
  await database.inOneStatement(tx => tx.run(sql`update consignment set priority = 4 where id = ${ids[2]}`))
  assert.equal((await move(jobId, 2)).status, 200)
  assert.deepEqual(await statusesOf(ids), [ReadyToPick, ReadyToPick, ReadyToPick])
  assert.deepEqual(await figures(ids), [
    [6, 0],
    [3, 0],
    [1, 0],
  ])
  assert.deepEqual(await events(ids[2] as string), [108, 112])
  assert.deepEqual(await moves(jobId), [[1, 2]])
  const event = await database.db.row<{ data: { previousStatus: number }; changes: object }>(sql`
    select data, changes from event where subject_id = ${ids[0]} and type = 112`)
  assert.deepEqual(event.changes, [{ field: 'status', from: Pending, to: ReadyToPick }])
  assert.equal(event.data.previousStatus, Pending)
  assert.equal((await move(jobId, 2)).status, 304)
})

test('InProgress without ReadyToStart does the same, and picked stock stays picked', async () => {
  const product = await fresh()
  await stored(10, product)
  const { jobId, ids } = await wave([[{ ...product, quantity: 6 }], [{ ...product, quantity: 3 }]])
  await admin.put(`/v1/consignments/${ids[1]}/status`, { status: 3 })
  assert.equal((await move(jobId, 3)).status, 200)
  assert.deepEqual(await figures(ids), [
    [6, 0],
    [0, 3],
  ])
  assert.deepEqual(await statusesOf(ids), [ReadyToPick, ConsignmentStatus.ReadyToDispatch])
})

test('a Draft consignment prevents its wave from starting, and the others stay as they are', async () => {
  const product = await fresh()
  await stored(10, product)
  const { jobId, ids } = await wave([[{ ...product, quantity: 1 }], [{ ...product, quantity: 1 }]])
  await admin.put(`/v1/consignments/${ids[1]}/status`, { status: Draft })
  for (const status of [2, 3]) {
    const { status: code, body } = await move(jobId, status)
    assert.equal(code, 400)
    assert.deepEqual(body.ErrorMessages, [
      `Consignment ${await numberOf(ids[1] as string)} is Draft: make it Pending or Ready to pick first.`,
    ])
  }
  assert.deepEqual(await statusesOf(ids), [Pending, Draft])
  assert.deepEqual(await figures(ids), [
    [0, 0],
    [0, 0],
  ])
  assert.equal((await move(jobId, 5)).status, 200)
})

test('a void consignment of a wave is left alone when it starts', async () => {
  const product = await fresh()
  await stored(10, product)
  const { jobId, ids } = await wave([[{ ...product, quantity: 1 }], [{ ...product, quantity: 1 }]])
  await admin.put(`/v1/consignments/${ids[0]}/void`, {})
  assert.equal((await move(jobId, 2)).status, 200)
  assert.deepEqual(await statusesOf(ids), [ConsignmentStatus.Void, ReadyToPick])
})

test('parallel picking has a pick for each allocation, in walking order, with the position of its consignment', async () => {
  const [product, other] = [await fresh(), await fresh()]
  await stored(4, { ...product, warehouseLocationId: locations.A2 })
  await stored(2, { ...other, warehouseLocationId: locations.B1 })
  const first = await stored(3, {
    ...other,
    receivedDate: '2025-01-01',
    logisticUnitId: await unit('PALLET'),
  })
  const { jobId, ids } = await startedWave([
    [{ ...product, quantity: 1 }],
    [
      { ...product, quantity: 3 },
      { ...other, quantity: 5 },
    ],
  ])
  const rows = await picks(jobId)
  const [a, b] = [product.productCode, other.productCode]
  assert.deepEqual(
    rows.map(row => [row.warehouseLocationName, row.partnerProductCode, row.position, row.quantity]),
    [
      ['A-01', b, 2, 3],
      ['A-02', a, 1, 1],
      ['A-02', a, 2, 3],
      ['B-01', b, 2, 2],
    ],
  )
  const [firstPick] = rows
  const [allocation] = await database.db.rows<{ id: string; line: string }>(sql`
    select id, consignment_product_id as line from inventory_allocation where warehouse_product_id = ${first}`)
  const consignmentFields = {
    consignmentId: ids[1],
    consignmentNumber: await numberOf(ids[1] as string),
    position: 2,
    consignmentProductId: allocation?.line,
  }
  const { logisticUnitNumber, ...pick } = firstPick as typeof firstPick & { logisticUnitNumber: string }
  assert.match(logisticUnitNumber, /^LU-/)
  assert.deepEqual(pick, {
    inventoryAllocationId: allocation?.id,
    warehouseProductId: first,
    ...consignmentFields,
    consignments: [{ ...consignmentFields, quantity: 3 }],
    partnerProductId: other.productId,
    partnerProductCode: b,
    partnerProductName: b,
    serialTrackingMode: 1,
    warehouseLocationId: locations.A1,
    warehouseLocationName: 'A-01',
    walkingOrder: 1,
    ssccNumber: null,
    batch: null,
    bestBeforeDate: null,
    expiryDate: null,
    packagingDate: null,
    productionDate: null,
    sellByDate: null,
    serials: [],
    quantity: 3,
    isPicked: false,
  })
  const sorted = async (sortBy: number) =>
    (await picks(jobId, `SortBy=${sortBy}`)).map(row => row.partnerProductCode)
  assert.deepEqual(await sorted(2), [a, a, b, b])
  assert.deepEqual(await sorted(3), [a, a, b, b])
})

test('bulk picking has a pick for each row of stock, with the total and the consignments it is for', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await startedWave(
    [[{ ...product, quantity: 1 }], [{ ...product, quantity: 3 }]],
    bulk,
  )
  const other = await ready([{ ...product, quantity: 2 }])
  await allocated(other)
  const [only, ...more] = await picks(jobId)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [
      only?.inventoryAllocationId,
      only?.consignmentId,
      only?.position,
      only?.warehouseProductId,
      only?.quantity,
    ],
    [null, null, null, stock, 4],
  )
  assert.deepEqual(
    only?.consignments.map(({ consignmentId, position, quantity }) => [consignmentId, position, quantity]),
    [
      [ids[0], 1, 1],
      [ids[1], 2, 3],
    ],
  )
})

test('picks are paged, visible to the client of the job only, with picked ones on request', async () => {
  const product = await fresh()
  await stored(9, product)
  const { jobId } = await startedWave([1, 2, 3].map(quantity => [{ ...product, quantity }]))
  const { body } = await admin.get(`/v1/jobs/${jobId}/wave-pick/picks?PageSize=1&PageIndex=2`)
  assert.deepEqual([body.total, body.picks.length, body.picks[0].position], [3, 1, 2])
  const [row] = await picks(jobId)
  await confirmed(jobId, [{ inventoryAllocationId: row?.inventoryAllocationId }])
  assert.deepEqual(
    (await picks(jobId)).map(({ quantity }) => quantity),
    [2, 3],
  )
  assert.deepEqual(
    (await picks(jobId, 'IncludePicked=true')).map(pick => [
      pick.warehouseLocationName,
      pick.quantity,
      pick.isPicked,
    ]),
    [
      ['A-01', 2, false],
      ['A-01', 3, false],
      ['DISPATCH', 1, true],
    ],
  )
  const path = `/v1/jobs/${jobId}/wave-pick/picks`
  assert.equal((await as(admin, { partnerId: world.clientId }).get(path)).body.total, 2)
  const other = (await admin.post('/v1/partners', { name: 'Other', code: 'OTHER', relationship: 1 })).body
  assert.equal((await as(admin, { partnerId: other.partnerId }).get(path)).status, 404)
  assert.equal((await admin.get(`/v1/jobs/${crypto.randomUUID()}/wave-pick/picks`)).status, 404)
})

test('the first confirmation starts the job and the last completes it, each with an event', async () => {
  const product = await fresh()
  await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 4 }], [{ ...product, quantity: 2 }]])
  const [first, second] = await picks(jobId)
  const begun = await confirmed(jobId, [
    { inventoryAllocationId: first?.inventoryAllocationId?.toUpperCase(), quantity: 3 },
  ])
  assert.equal(begun.status, 3)
  const [
    {
      consignments: [part],
      quantity,
    },
  ] = begun.picks
  assert.deepEqual([quantity, part.consignmentId, part.quantity, part.inventoryHoldId], [3, ids[0], 3, null])
  assert.deepEqual(await figures(ids), [
    [1, 3],
    [2, 0],
  ])
  const done = await confirmed(jobId, [
    { inventoryAllocationId: first?.inventoryAllocationId },
    { inventoryAllocationId: second?.inventoryAllocationId, toLocationName: 'DOCK' },
  ])
  assert.equal(done.status, 4)
  assert.deepEqual(await moves(jobId), [
    [1, 2],
    [2, 3],
    [3, 4],
  ])
  assert.deepEqual(await places(product.productId), [
    ['A-01', 3, 0],
    ['DISPATCH', 4, 4],
    ['DOCK', 2, 2],
  ])
  const lines = await database.db.rows<{ jobId: string }>(sql`
    select distinct job_id from inventory_transaction where consignment_id = any(${ids}) and type = 5`)
  assert.deepEqual(lines, [{ jobId }], 'the ledger lines name the job')
  const again = await wave([[{ ...product, quantity: 1 }]])
  const { status } = await admin.post(`/v1/jobs/${again.jobId}/wave-pick/consignments/add`, {
    consignmentIds: ids,
  })
  assert.equal(status, 200, 'the consignments are free for another job')
})

test('one confirmation of everything completes the job at once', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId } = await startedWave([[{ ...product, quantity: 4 }], [{ ...product, quantity: 2 }]], bulk)
  assert.equal((await confirmed(jobId, [{ warehouseProductId: stock }])).status, 4)
  assert.deepEqual(await moves(jobId), [
    [1, 2],
    [2, 4],
  ])
})

test('consignments that are added to a started wave get picks, and the wave ends with the last of them', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 4 }]], bulk)
  const late = await wave([[{ ...product, quantity: 1 }]])
  await move(late.jobId, 5)
  const added = await admin.post(`/v1/jobs/${jobId}/wave-pick/consignments/add`, { consignmentIds: late.ids })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  assert.deepEqual(await figures([...ids, ...late.ids]), [
    [4, 0],
    [1, 0],
  ])
  assert.equal((await confirmed(jobId, [{ warehouseProductId: stock, quantity: 4 }])).status, 3)
  assert.equal((await confirmed(jobId, [{ warehouseProductId: stock }])).status, 4)
})

test('a wave ends by itself when what is left of it is void', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const lines = [{ ...product, quantity: 2 }]
  const { jobId, ids } = await startedWave([lines, lines])
  const [first, second] = ids as [string, string]
  const [pick] = (await picks(jobId)).filter(({ consignmentId }) => consignmentId === first)
  await confirmed(jobId, [{ inventoryAllocationId: pick?.inventoryAllocationId }])
  const voided = (id: string) => admin.put(`/v1/consignments/${id}/void`, {})
  assert.equal((await voided(second)).status, 200)
  assert.equal(await statusOf(jobId), 4)
  const other = await startedWave([lines])
  assert.equal((await voided(other.ids[0] as string)).status, 200)
  assert.equal(await statusOf(other.jobId), 5)
  const third = await startedWave([lines, lines])
  const removed = await admin.post(`/v1/jobs/${third.jobId}/wave-pick/consignments/remove`, {
    consignmentIds: third.ids,
  })
  assert.equal(removed.status, 200)
  assert.deepEqual(await moves(third.jobId), [
    [1, 2],
    [2, 5],
  ])
  assert.equal(await numberOfPicked(stock), 2)
})

test('a wave whose consignments were picked one by one ends when the last is ready to dispatch', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 2 }]])
  const [line] = (await admin.get(`/v1/consignments/${ids[0]}`)).body.products
  const picks = [{ consignmentProductId: line.id, warehouseProductId: stock }]
  assert.equal((await admin.post(`/v1/consignments/${ids[0]}/pick`, { picks })).status, 200)
  assert.equal((await admin.put(`/v1/consignments/${ids[0]}/status`, { status: 3 })).status, 200)
  assert.equal(await statusOf(jobId), 4)
})

test('what is unpicked after its wave is told to who scans the wave, and is on the list of shortages', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 2 }]])
  await confirmed(jobId, [{ warehouseProductId: stock }])
  const listed = async () =>
    (await admin.get(`/v1/inventory/shortages?PartnerProductId=${product.productId}`)).body.shortages
  assert.equal((await admin.put(`/v1/consignments/${ids[0]}/status`, { status: 3 })).status, 200)
  assert.deepEqual(await listed(), [])
  const [line] = (await admin.get(`/v1/consignments/${ids[0]}`)).body.products
  const unpicks = [{ consignmentProductId: line.id }]
  assert.equal((await admin.post(`/v1/consignments/${ids[0]}/unpick`, { unpicks })).status, 200)
  assert.deepEqual(await refused(jobId, [{ warehouseProductId: stock }]), [
    `Job ${await jobNumberOf(jobId)} is Complete: nothing more is confirmed for it.`,
    `2 of ${product.productCode} of consignment ${await numberOf(ids[0] as string)} are not picked any more: pick ` +
      'them with the consignment, or in another job.',
  ])
  const [shortage, ...others] = await listed()
  assert.deepEqual(
    [shortage.consignmentId, shortage.allocatedQuantity, shortage.pickedQuantity, others.length],
    [ids[0], 2, 0, 0],
  )
})

test('goods picked in bulk are distributed by position, and put on one logistic unit', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await startedWave(
    [3, 2, 4].map(quantity => [{ ...product, quantity }]),
    bulk,
  )
  const { picks: answered } = await confirmed(jobId, [
    { warehouseProductId: stock, quantity: 4, toLogisticUnit: { isNew: true } },
  ])
  assert.deepEqual(await figures(ids), [
    [0, 3],
    [1, 1],
    [4, 0],
  ])
  assert.deepEqual(
    answered[0].consignments.map((part: { consignmentId: string; quantity: number }) => [
      part.consignmentId,
      part.quantity,
    ]),
    [
      [ids[0], 3],
      [ids[1], 1],
    ],
  )
  const rows = await picks(jobId, 'IncludePicked=true')
  assert.equal(rows.filter(({ isPicked }) => isPicked).length, 1, 'one row on one unit')
})

test('a short bulk pick leaves the last positions short, holds the missing stock and reallocates by position', async () => {
  const product = await fresh()
  const stock = await stored(9, { ...product, receivedDate: '2025-01-01' })
  const { jobId, ids } = await startedWave(
    [3, 2, 4].map(quantity => [{ ...product, quantity }]),
    bulk,
  )
  const other = await stored(2, { ...product, warehouseLocationId: locations.A2 })
  const { status, picks: answered } = await confirmed(jobId, [
    { warehouseProductId: stock, quantity: 4, isShort: true, reason: 'Crushed' },
  ])
  assert.equal(status, 3)
  assert.deepEqual(
    answered[0].consignments.map((part: { quantity: number; inventoryHoldId: string | null }) => [
      part.quantity,
      part.inventoryHoldId !== null,
    ]),
    [
      [3, false],
      [1, true],
      [0, true],
    ],
  )
  assert.deepEqual(await figures(ids), [
    [0, 3],
    [1, 1],
    [1, 0],
  ])
  assert.deepEqual(await places(product.productId), [
    ['A-01', 1, 0],
    ['A-01', 4, 0],
    ['A-02', 2, 2],
    ['DISPATCH', 4, 4],
  ])
  const last = await confirmed(jobId, [
    { warehouseProductId: other, quantity: 0, isShort: true, reallocate: false },
  ])
  assert.equal(last.status, 4, 'stock that cannot be found does not keep the job open')
})

test('a short pick of one consignment leaves the others alone', async () => {
  const product = await fresh()
  await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 4 }], [{ ...product, quantity: 2 }]])
  const [first] = await picks(jobId)
  await confirmed(jobId, [
    { inventoryAllocationId: first?.inventoryAllocationId, quantity: 1, isShort: true, reallocate: false },
  ])
  assert.deepEqual(await figures(ids), [
    [0, 1],
    [2, 0],
  ])
})

test('a short pick of one serial leaves the other serials of its line alone, and another can replace it', async () => {
  const product = await fresh({ serialTrackingMode: 2 })
  await stored(4, product, { newSerials: ['A', 'B', 'C', 'D'].map(serial => ({ serial })) })
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 3, serials: ['A', 'B', 'C'] }]])
  const allocations = await database.db.rows<{ id: string; serial: string }>(sql`
    select a.id, i.serial from inventory_allocation a join warehouse_product_item i
      on i.organisation_id = a.organisation_id and i.id = a.warehouse_product_item_id
    where a.consignment_id = ${ids[0]}`)
  const ofSerial = (serial: string) => ({
    inventoryAllocationId: allocations.find(allocation => allocation.serial === serial)?.id,
    reallocate: false,
  })
  await confirmed(jobId, [{ ...ofSerial('A'), quantity: 0, isShort: true }])
  assert.deepEqual(await figures(ids), [[2, 0]])
  await confirmed(jobId, [{ ...ofSerial('B'), quantity: 1, serials: ['C'], isShort: true }])
  assert.deepEqual(await figures(ids), [[0, 1]], 'C was picked from its own allocation, and B is missing')
})

test('two pickers who confirm the same pick at once make one pick', async () => {
  const product = await fresh()
  const stock = await stored(40, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 10 }], [{ ...product, quantity: 10 }]])
  const [first] = await picks(jobId)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => confirm(jobId, [{ inventoryAllocationId: first?.inventoryAllocationId }])),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  const [refusal] = answers.filter(({ status }) => status === 400)
  assert.deepEqual(refusal?.body.ErrorMessages, [
    `picks[0]: inventoryAllocationId ${first?.inventoryAllocationId} does not refer to an open pick of the job.`,
  ])
  const pickers = await Promise.all(
    Array.from({ length: 12 }, () =>
      untilServed(() => confirm(jobId, [{ warehouseProductId: stock, quantity: 1 }])),
    ),
  )
  assert.deepEqual(pickers.map(({ status }) => status).toSorted(), [
    ...Array<number>(10).fill(200),
    ...Array<number>(2).fill(400),
  ])
  assert.deepEqual(await figures(ids), [
    [0, 10],
    [0, 10],
  ])
  assert.equal(await statusOf(jobId), 4)
  assert.deepEqual((await moves(jobId)).at(-1), [3, 4])
})

test('a wave that starts while its consignments are made ready one by one gives the same result', async () => {
  const product = await fresh()
  await stored(100, product)
  const { jobId, ids } = await wave(Array.from({ length: 8 }, () => [{ ...product, quantity: 5 }]))
  const answers = await Promise.all([
    move(jobId, 2),
    move(jobId, 2),
    ...ids.map(id => admin.put(`/v1/consignments/${id}/status`, { status: ReadyToPick })),
  ])
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 304])
  assert.deepEqual(await figures(ids), Array(8).fill([5, 0]))
  for (const id of ids) assert.equal((await events(id)).filter(type => type === 112).length, 1)
})

test('serials go to the consignments that they are allocated to, then by position', async () => {
  const product = await fresh({ serialTrackingMode: 2 })
  const serials = ['A', 'B', 'C', 'D', 'E'].map(serial => ({ serial }))
  const stock = await stored(5, product, { newSerials: serials })
  const { jobId, ids } = await startedWave(
    [
      [{ ...product, quantity: 2 }],
      [{ ...product, quantity: 1, serials: ['B'] }],
      [{ ...product, quantity: 1 }],
    ],
    bulk,
  )
  assert.deepEqual((await picks(jobId))[0]?.serials, ['B'])
  assert.deepEqual(await refused(jobId, [{ warehouseProductId: stock, quantity: 3, serials: ['A'] }]), [
    `picks[0]: 3 ${product.productCode} need 3 serials; 1 was scanned.`,
  ])
  await confirmed(jobId, [{ warehouseProductId: stock, quantity: 3, serials: ['B', 'D', 'A'] }])
  const named = async (id: string) =>
    (await allocationsOf(id)).flatMap(row => ('serial' in row ? row.serial : [])).toSorted()
  assert.deepEqual(await Promise.all(ids.map(named)), [['A', 'D'], ['B'], []])
  await confirmed(jobId, [{ warehouseProductId: stock, serials: ['E'] }])
  assert.deepEqual(await named(ids[2] as string), ['E'])
})

test('every fault of a confirmation is reported with its entry, and nothing is picked', async () => {
  const [product, other] = [await fresh(), await fresh()]
  const [stock, idle] = [await stored(9, product), await stored(9, other)]
  const { jobId, ids } = await startedWave(
    [[{ ...product, quantity: 2 }], [{ ...product, quantity: 3 }]],
    bulk,
  )
  const nobody = crypto.randomUUID()
  assert.deepEqual(
    await refused(jobId, [
      { inventoryAllocationId: nobody },
      { warehouseProductId: nobody },
      { warehouseProductId: idle },
      { warehouseProductId: stock, quantity: 6 },
      { warehouseProductId: stock, quantity: 0 },
      { warehouseProductId: stock, serials: ['X'] },
    ]),
    [
      `picks[0]: inventoryAllocationId ${nobody} does not refer to an open pick of the job.`,
      `picks[1]: warehouseProductId ${nobody} does not refer to stock.`,
      'picks[2]: the job has nothing to pick in A-01.',
      'picks[3]: only 5 of 6 are to be picked in A-01 for the job.',
      'picks[4]: a quantity of 0 needs isShort, which reports the goods as missing.',
      `picks[5]: ${product.productCode} has no serials.`,
    ],
  )
  assert.deepEqual(
    await refused(jobId, [
      { warehouseProductId: stock, toLocationName: 'nowhere' },
      { warehouseProductId: stock },
    ]),
    ['picks[1]: the job has nothing to pick in A-01.'],
  )
  assert.deepEqual(await refused(jobId, [{ warehouseProductId: stock, toLocationName: 'nowhere' }]), [
    'picks[0]: the warehouse has no location of that id or name.',
  ])
  const message = 'picks[0] must name what was picked, by inventoryAllocationId, warehouseProductId or stock.'
  assert.deepEqual(await refused(jobId, [{ quantity: 1 }]), [message])
  assert.deepEqual(await refused(jobId, [{ inventoryAllocationId: nobody, warehouseProductId: stock }]), [
    message,
  ])
  assert.deepEqual(await figures(ids), [
    [2, 0],
    [3, 0],
  ])
})

test('a wave can be picked only while it is ReadyToStart or InProgress', async () => {
  const product = await fresh()
  const stock = await stored(9, product)
  const { jobId, ids } = await wave([[{ ...product, quantity: 2 }]], bulk)
  const jobNumber = await jobNumberOf(jobId)
  assert.deepEqual(await refused(jobId, [{ warehouseProductId: stock }]), [
    `Job ${jobNumber} is Draft: make it Ready to start first.`,
  ])
  await move(jobId, 2)
  await confirmed(jobId, [{ warehouseProductId: stock, quantity: 1 }])
  await move(jobId, 5)
  assert.deepEqual(await refused(jobId, [{ warehouseProductId: stock }]), [
    `Job ${jobNumber} is Cancelled: nothing more is confirmed for it.`,
  ])
  assert.deepEqual(await figures(ids), [[1, 1]], 'picked stock stays with the consignment')
  assert.deepEqual(await picks(jobId), [])
  const empty = (await admin.post('/v1/jobs/wave-pick', world.place)).body.jobId
  await move(empty, 2)
  assert.deepEqual(await refused(empty, [{ warehouseProductId: stock }]), [
    `Job ${await jobNumberOf(empty)} has no consignments to pick: add some first.`,
  ])
  assert.equal((await confirm(crypto.randomUUID(), [{ warehouseProductId: stock }])).status, 404)
  const client = as(admin, { partnerId: world.clientId })
  const { status } = await client.post(`/v1/jobs/${jobId}/wave-pick/picks/confirm`, { picks: [] })
  assert.equal(status, 403)
})

test('a repeated confirmation counts once, and a late one at the time when it happened', async () => {
  const product = await fresh()
  const stock = await stored(9, product, { occurredUtc: new Date(Date.now() - 7_200_000).toISOString() })
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 4 }]], bulk)
  const occurredUtc = new Date(Date.now() - 1).toISOString()
  const more = { operationId: crypto.randomUUID(), occurredUtc }
  const answers = await Promise.all(
    [1, 2, 3].map(() => confirm(jobId, [{ warehouseProductId: stock, quantity: 1 }], more)),
  )
  assert.equal(new Set(answers.map(({ body }) => body.movementId)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 2)
  assert.deepEqual(await figures(ids), [[3, 1]])
})

test('a device that does not know the id of stock can describe it by product and location', async () => {
  const product = await fresh()
  await stored(9, product)
  const { jobId, ids } = await startedWave([[{ ...product, quantity: 4 }]])
  const stock = { partnerProductId: product.productId, locationName: 'a-01' }
  await confirmed(jobId, [{ stock, quantity: 3 }])
  assert.deepEqual(await figures(ids), [[1, 3]])
})
