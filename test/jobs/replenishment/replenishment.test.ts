// Replenishments of pickfaces. Spec 2.14, 2.15; decisions 2, 6.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openAllocation } from '../../support/given-allocation.ts'

const world = await openAllocation()
const { admin, as, stranger, database, clientId, warehouseId, stored, location, locations, fresh } = world
const { row, unit, hold, ready, allocated, organisationId } = world
const place = { warehouseId, clientId }

let n = 0
/** Creates a pickface of a product with this minimum and target. */
const pickface = (productId: string, minQuantity: number, targetQuantity?: number, more: object = {}) =>
  location(`P-${String(++n).padStart(2, '0')}`, 1, {
    isPickface: true,
    ...{ partnerProductId: productId, minQuantity, targetQuantity, walkingOrder: 100 + n, ...more },
  })
const post = (body: object = {}) => admin.post('/v1/jobs/replenishment', { ...place, ...body })
async function made(body: object = {}): Promise<string> {
  const answer = await post(body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.jobId
}
async function refusedPost(body: object = {}): Promise<string[]> {
  const answer = await post(body)
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  return answer.body.ErrorMessages
}
const read = async (jobId: string) => (await admin.get(`/v1/jobs/${jobId}/replenishment`)).body
const move = (jobId: string, status: number) =>
  admin.put(`/v1/jobs/${jobId}/replenishment/status`, { status })
async function lines(jobId: string, query = '') {
  const { status, body } = await admin.get(`/v1/jobs/${jobId}/replenishment/lines?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.lines.length)
  return body.lines
}
/** The lines as [from, to, quantity, moved, status]. */
const lineFacts = async (jobId: string) =>
  (await lines(jobId)).map((line: Record<string, unknown>) => [
    line.warehouseLocationName,
    line.toWarehouseLocationName,
    line.quantity,
    line.movedQuantity,
    line.status,
  ])
const confirm = (jobId: string, moves: object[], more: object = {}) =>
  admin.post(`/v1/jobs/${jobId}/replenishment/confirm`, { moves, ...more })
async function confirmed(jobId: string, moves: object[], more: object = {}) {
  const { status, body } = await confirm(jobId, moves, more)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
async function refused(jobId: string, moves: object[]): Promise<string[]> {
  const { status, body } = await confirm(jobId, moves)
  assert.equal(status, 400, JSON.stringify(body))
  return body.ErrorMessages
}
const places = async (productId: string) =>
  (
    await database.db.rows<{ place: string; onHand: number }>(sql`
      select l.name as place, p.on_hand_quantity as on_hand from warehouse_product p
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      where p.product_id = ${productId} and not p.is_depleted order by l.name, p.on_hand_quantity`)
  ).map(({ place: name, onHand }) => [name, onHand])
const events = (jobId: string) =>
  database.db.rows<{ type: number; data: Record<string, unknown>; changes: unknown }>(
    sql`select type, data, changes from event where subject_id = ${jobId} order by id`,
  )
const nameOf = async (id: string) =>
  (
    await database.db.row<{ name: string }>(sql`
      select name from warehouse_location where organisation_id = ${organisationId} and id = ${id}`)
  ).name
/** Sets the minimum of pickfaces to 0, so that they need no stock. */
const needNothing = (...ids: string[]) =>
  database.inOneStatement(tx =>
    tx.run(sql`update warehouse_location set min_quantity = 0 where id = any(${ids})`),
  )
const id = (line: { replenishmentLineId: string }) => line.replenishmentLineId

/** Creates stock of a new product in A-01, a pickface for it, and a ReadyToStart job that moves it there. */
async function given(quantity: number, target: number, productFields: object = {}, facts: object = {}) {
  const product = await fresh(productFields)
  const stock = await stored(quantity, product, facts)
  const to = await pickface(product.productId, target)
  const jobId = await made({
    lines: [{ warehouseProductId: stock, toWarehouseLocationId: to, quantity: target }],
  })
  assert.equal((await move(jobId, 2)).status, 200)
  const [line] = await lines(jobId)
  return { product, stock, to, jobId, line: id(line), name: await nameOf(to) }
}

test('a pickface below its minimum is filled up to its target, by rotation, from outside pickfaces', async () => {
  const product = await fresh({ rotationMethod: 2 })
  const face = await pickface(product.productId, 5, 20)
  const full = await pickface(product.productId, 5, 20)
  await stored(4, { ...product, warehouseLocationId: face, expiryDate: '2097-01-01' })
  await stored(5, { ...product, warehouseLocationId: full, expiryDate: '2097-01-01' })
  await stored(100, { ...product, expiryDate: '2099-01-01' })
  await stored(10, { ...product, warehouseLocationId: locations.A2, expiryDate: '2098-01-01' })
  await stored(7, { ...product, warehouseLocationId: locations.B1, expiryDate: '2020-01-01' })
  await stored(7, { ...product, warehouseLocationId: locations.Q1, expiryDate: '2097-01-01' })
  await stored(7, { ...product, expiryDate: '2097-01-01', inventoryHoldId: await hold() })
  const jobId = await made({ reference: 'Morning', dueDateTime: '2026-07-01T10:00', priority: 3 })
  const to = await nameOf(face)
  assert.deepEqual(await lineFacts(jobId), [
    ['A-01', to, 6, 0, 1],
    ['A-02', to, 10, 0, 1],
  ])
  const { jobNumber, ...job } = await read(jobId)
  assert.match(jobNumber, /^RP-\d{6}$/)
  assert.deepEqual(job, {
    jobId,
    ...place,
    type: 2,
    status: 1,
    priority: 3,
    dueDateTime: '2026-07-01T10:00:00Z',
    reference: 'Morning',
    description: null,
    lineCount: 2,
    openLineCount: 2,
  })
  assert.deepEqual(
    (await events(jobId)).map(({ type, data }) => [type, data.jobNumber, data.status]),
    [[301, jobNumber, 1]],
  )
  const listed = (await admin.get('/v1/jobs?Type=2')).body.jobs
  assert.deepEqual([listed[0].jobId, listed[0].wavePickStyle, listed[0].consignmentCount], [jobId, null, 0])
  assert.equal((await move(jobId, 5)).status, 200)
  await needNothing(face, full)
})

test('stock of a pickface that is allocated or expired does not count, as in the report', async () => {
  const product = await fresh()
  const face = await pickface(product.productId, 10, 15)
  await stored(12, { ...product, warehouseLocationId: face })
  const required = async () => {
    const { body } = await admin.post('/v1/reports/pickface-replenishment', {})
    const name = await nameOf(face)
    return body.find((one: { locationName: string }) => one.locationName === name).isReplenishmentRequired
  }
  assert.equal(await required(), false)
  await allocated(await ready([{ ...product, quantity: 5 }]))
  await stored(40, { ...product, warehouseLocationId: locations.A2 })
  await stored(9, { ...product, warehouseLocationId: face, expiryDate: '2020-01-01' })
  assert.equal(await required(), true)
  const jobId = await made()
  assert.deepEqual(await lineFacts(jobId), [['A-02', await nameOf(face), 8, 0, 1]])
  await needNothing(face)
})

test('two pickfaces of a product share its stock in walking order, and a second job does not plan it again', async () => {
  const product = await fresh()
  const [first, second] = [await pickface(product.productId, 10), await pickface(product.productId, 10, 15)]
  await stored(12, product)
  await stored(8, { ...product, warehouseLocationId: locations.A2 })
  const allocationsOf = await ready([{ ...product, quantity: 5 }])
  await allocated(allocationsOf)
  const jobId = await made()
  const [firstName, secondName] = [await nameOf(first), await nameOf(second)]
  assert.deepEqual(
    (await lineFacts(jobId)).map(([, to, quantity]: unknown[]) => [to, quantity]).toSorted(),
    [
      [firstName, 3],
      [firstName, 7],
      [secondName, 5],
    ].toSorted(),
  )
  const message =
    'No pickface of the client is below its minimum and could be filled from elsewhere in the warehouse.'
  assert.deepEqual(await refusedPost(), [message])
  assert.equal((await move(jobId, 5)).status, 200)
  assert.deepEqual(
    (await lineFacts(jobId)).map((line: unknown[]) => line[4]),
    [4, 4, 4],
  )
  const again = await made()
  assert.equal((await lines(again)).length, 3, 'cancelled lines do not count as incoming')
  await move(again, 5)
  await needNothing(first, second)
  assert.deepEqual(await refusedPost(), [message])
})

test('jobs of all types share one number sequence', async () => {
  const product = await fresh()
  const stock = await stored(5, product)
  const numberOf = (jobNumber: string) => Number(jobNumber.slice(3))
  const wave = (await admin.post('/v1/jobs/wave-pick', place)).body.jobId
  const jobId = await made({ lines: [{ warehouseProductId: stock, toLocationName: 'B-01', quantity: 1 }] })
  const before = (await admin.get(`/v1/jobs/${wave}/wave-pick`)).body.jobNumber
  assert.equal(numberOf((await read(jobId)).jobNumber), numberOf(before) + 1)
  assert.equal((await admin.get(`/v1/jobs/${jobId}/wave-pick`)).status, 404)
  assert.equal((await admin.get(`/v1/jobs/${wave}/replenishment`)).status, 404)
})

test('lines can be given; every fault is reported, and then no job is created', async () => {
  const [product, other] = [await fresh(), await fresh()]
  const stock = await stored(10, product)
  const face = await pickface(other.productId, 1)
  const foreign = (await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })).body
  const nobody = crypto.randomUUID()
  const line = { warehouseProductId: stock, toLocationName: 'b-01', quantity: 1 }
  assert.deepEqual(
    await refusedPost({
      lines: [
        { ...line, warehouseProductId: nobody },
        { ...line, toLocationName: 'nowhere' },
        { ...line, toLocationName: undefined },
        { ...line, toLocationName: 'A-01' },
        { ...line, toLocationName: 'Q-01' },
        { ...line, toLocationName: undefined, toWarehouseLocationId: face },
        { ...line, unitTypeId: nobody },
      ],
    }),
    [
      `lines[0]: warehouseProductId ${nobody} does not refer to stock.`,
      'lines[1]: the warehouse has no location of that id or name.',
      'lines[2]: say where to, by toWarehouseLocationId or toLocationName.',
      'lines[3]: the stock is already in A-01.',
      'lines[4]: Q-01 is in quarantine.',
      `lines[5]: ${await nameOf(face)} is the pickface of another product.`,
      `lines[6]: the unit ${nobody} is none of the product ${product.productCode}.`,
    ],
  )
  assert.deepEqual(await refusedPost({ clientId: foreign.partnerId, lines: [line] }), [
    'lines[0]: the stock is another client’s.',
  ])
  assert.deepEqual(await refusedPost({ lines: [{ quantity: 1, toLocationName: 'B-01' }] }), [
    'lines[0] must name its stock, either by warehouseProductId or by stock.',
  ])
  assert.deepEqual(await refusedPost({ warehouseId: nobody, clientId: nobody }), [
    'warehouseId does not refer to a warehouse.',
    'clientId does not refer to a client.',
  ])
  const jobId = await made({ lines: [line] })
  assert.deepEqual(await lineFacts(jobId), [['A-01', 'B-01', 1, 0, 1]])
})

test('a replenishment reserves nothing: orders can take its stock', async () => {
  const { product, stock, jobId, line, name } = await given(10, 8)
  assert.equal((await row(stock)).allocatedQuantity, 0)
  const order = await ready([{ ...product, quantity: 9 }])
  assert.deepEqual((await allocated(order))[0]?.short, 0)
  const [message = ''] = await refused(jobId, [{ replenishmentLineId: line }])
  assert.match(message, /^moves\[0\]: only 1 of 10 are free in A-01; 9 are allocated to \S+\.$/)
  const { status, moves } = await confirmed(jobId, [
    { replenishmentLineId: line, quantity: 1, isShort: true },
  ])
  assert.deepEqual([status, moves[0].status], [4, 3])
  assert.deepEqual(await lineFacts(jobId), [['A-01', name, 8, 1, 3]])
})

test('moved goods leave their logistic unit; the first confirmation starts the job, the last completes it', async () => {
  const product = await fresh()
  const stock = await stored(10, { ...product, logisticUnitId: await unit('PALLET-1'), batch: 'B1' })
  const other = await stored(4, { ...product, warehouseLocationId: locations.A2 })
  const to = await pickface(product.productId, 5)
  const jobId = await made({
    lines: [stock, other].map(warehouseProductId => ({
      ...{ warehouseProductId, toWarehouseLocationId: to, quantity: 4 },
    })),
  })
  await move(jobId, 2)
  const [first, second] = (await lines(jobId)).map(id)
  const begun = await confirmed(jobId, [{ replenishmentLineId: first, quantity: 3 }])
  assert.deepEqual([begun.status, begun.moves[0].quantity, begun.moves[0].status], [3, 3, 1])
  assert.deepEqual((await lines(jobId, 'Status=1')).length, 2)
  const done = await confirmed(jobId, [{ replenishmentLineId: first }, { replenishmentLineId: second }])
  assert.deepEqual(
    [
      done.status,
      done.moves.map(({ quantity, status }: { quantity: number; status: number }) => [quantity, status]),
    ],
    [
      4,
      [
        [1, 2],
        [4, 2],
      ],
    ],
  )
  const name = await nameOf(to)
  assert.deepEqual(await places(product.productId), [
    ['A-01', 6],
    [name, 4],
    [name, 4],
  ])
  const { jobId: ofLedger, type } = await database.db.row<{ jobId: string; type: number }>(sql`
    select distinct job_id, type from inventory_transaction
    where warehouse_product_id = ${begun.moves[0].warehouseProductId}`)
  assert.deepEqual([ofLedger, type], [jobId, 2])
  const all = await events(jobId)
  assert.deepEqual(
    all.map(event => event.type),
    [301, 303, 302, 303, 302, 303],
  )
  assert.deepEqual(all[2]?.changes, [
    {
      field: 'lines',
      from: { id: first, movedQuantity: 0, status: 1 },
      to: { id: first, movedQuantity: 3, status: 1 },
    },
  ])
  assert.deepEqual([all[5]?.data.previousStatus, all[5]?.data.status], [3, 4])
  const { jobNumber } = await read(jobId)
  assert.deepEqual(await refused(jobId, [{ replenishmentLineId: first }]), [
    `Job ${jobNumber} is Complete: nothing more is confirmed for it.`,
  ])
})

test('every fault of a confirmation is reported with its entry, and nothing is moved', async () => {
  const { product, jobId, line } = await given(10, 8)
  const another = await given(10, 8)
  const nobody = crypto.randomUUID()
  assert.deepEqual(
    await refused(jobId, [
      { replenishmentLineId: nobody },
      { replenishmentLineId: line, quantity: 9 },
      { replenishmentLineId: line },
      { replenishmentLineId: another.line },
    ]),
    [
      'moves[0]: replenishmentLineId does not refer to a line of the job.',
      'moves[1]: only 8 of 9 are left to move on the line.',
      'moves[2]: the line is listed twice.',
      'moves[3]: replenishmentLineId does not refer to a line of the job.',
    ],
  )
  assert.deepEqual(await refused(jobId, [{ replenishmentLineId: line, quantity: 0 }]), [
    'moves[0]: a quantity of 0 needs isShort, which reports the goods as missing.',
  ])
  assert.deepEqual(await refused(jobId, [{ replenishmentLineId: line, serials: ['X'] }]), [
    `moves[0]: ${product.productCode} has no serials.`,
    `moves[0]: the serial X of ${product.productCode} is not in that stock.`,
  ])
  assert.deepEqual(await places(product.productId), [['A-01', 10]])
})

test('nothing is moved to a location that became Inactive, nor out of one that became Quarantine', async () => {
  const { jobId, line, to, name } = await given(10, 8)
  const set = (sets: ReturnType<typeof sql>) =>
    database.inOneStatement(tx => tx.run(sql`update warehouse_location set ${sets} where id = ${to}`))
  await set(sql`status = 2`)
  assert.deepEqual(await refused(jobId, [{ replenishmentLineId: line }]), [`moves[0]: ${name} is Inactive.`])
  await set(sql`status = 1`)
  const product = await fresh()
  const place = await location(`X-${n}`, 1)
  const stock = await stored(3, { ...product, warehouseLocationId: place })
  const other = await made({ lines: [{ warehouseProductId: stock, toLocationName: 'B-01', quantity: 3 }] })
  await move(other, 2)
  const answer = await admin.put(`/v1/warehouses/${warehouseId}/locations/${place}`, { type: 3 })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const [ofOther] = await lines(other)
  assert.deepEqual(await refused(other, [{ replenishmentLineId: id(ofOther) }]), [
    `moves[0]: the stock in X-${n} is in quarantine: move it out first.`,
  ])
  const short = await confirmed(other, [{ replenishmentLineId: id(ofOther), isShort: true }])
  assert.deepEqual([short.movementId, short.status, short.moves[0].quantity], [null, 4, 0])
})

test('serials must be given when part of a row of stock is moved', async () => {
  const serials = ['A', 'B', 'C'].map(serial => ({ serial }))
  const { product, jobId, line, name } = await given(3, 2, { serialTrackingMode: 2 }, { newSerials: serials })
  assert.deepEqual(await refused(jobId, [{ replenishmentLineId: line }]), [
    `moves[0]: 2 ${product.productCode} need 2 serials; 0 were scanned.`,
  ])
  await confirmed(jobId, [{ replenishmentLineId: line, serials: ['A', 'C'] }])
  assert.deepEqual(
    await database.db.rows(sql`
      select i.serial, l.name from warehouse_product_item i
      join warehouse_product p on p.id = i.warehouse_product_id
      join warehouse_location l on l.id = p.warehouse_location_id
      where i.product_id = ${product.productId} order by 1`),
    [
      { serial: 'A', name },
      { serial: 'B', name: 'A-01' },
      { serial: 'C', name },
    ],
  )
})

test('parallel confirmations of a line move it once, and a repeated request is one move', async () => {
  const { product, jobId, line, name } = await given(20, 8)
  const answers = await Promise.all(
    [1, 2, 3].map(() => confirm(jobId, [{ replenishmentLineId: line, quantity: 6 }])),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
  const more = { operationId: crypto.randomUUID() }
  const again = await Promise.all([1, 2].map(() => confirm(jobId, [{ replenishmentLineId: line }], more)))
  assert.deepEqual(
    again.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(again[0]?.body.movementId, again[1]?.body.movementId)
  assert.deepEqual(await places(product.productId), [
    ['A-01', 12],
    [name, 8],
  ])
})

test('ending a replenishment by hand makes partly moved lines Short and the others Cancelled', async () => {
  const product = await fresh()
  const stock = await stored(10, product)
  const line = { warehouseProductId: stock, toLocationName: 'B-01', quantity: 2 }
  const jobId = await made({ lines: [line, line] })
  assert.match(
    (await refused(jobId, [{ replenishmentLineId: stock }]))[0] as string,
    / is Draft: make it Ready to start first/,
  )
  assert.equal((await move(jobId, 3)).status, 200)
  assert.equal((await move(jobId, 3)).status, 304)
  const [first] = await lines(jobId)
  await confirmed(jobId, [{ replenishmentLineId: id(first), quantity: 1 }])
  assert.equal((await move(jobId, 4)).status, 200)
  assert.deepEqual(
    (await lineFacts(jobId)).map((line: unknown[]) => line[4]),
    [3, 4],
  )
  assert.deepEqual((await move(jobId, 1)).body.ErrorMessages, [
    'The job is Complete and cannot change any more: create another one.',
  ])
  const change = await admin.put(`/v1/jobs/${jobId}/replenishment`, { reference: 'Late' })
  assert.equal(change.status, 400)
})

test('a change keeps absent fields, and repeating it changes nothing', async () => {
  const { jobId } = await given(10, 8)
  const change = { reference: 'Monday', priority: 4, dueDateTime: '2026-07-01T10:30' }
  const put = (body: object) => admin.put(`/v1/jobs/${jobId}/replenishment`, body)
  assert.equal((await put(change)).status, 200)
  assert.equal((await put(change)).status, 304)
  assert.equal((await put({ description: 'Aisle A' })).status, 200)
  const { reference, priority, dueDateTime, description } = await read(jobId)
  assert.deepEqual(
    { reference, priority, dueDateTime, description },
    { ...change, dueDateTime: '2026-07-01T10:30:00Z', description: 'Aisle A' },
  )
})

test("a client's token reads its own replenishments and changes none; others see none", async () => {
  const { jobId, line } = await given(10, 8)
  const path = `/v1/jobs/${jobId}/replenishment`
  const client = as(admin, { partnerId: clientId })
  assert.equal((await client.get(path)).status, 200)
  assert.equal((await client.get(`${path}/lines`)).body.total, 1)
  for (const { status } of [
    await client.post('/v1/jobs/replenishment', place),
    await client.put(path, { reference: 'Mine' }),
    await client.put(`${path}/status`, { status: 3 }),
    await client.post(`${path}/confirm`, { moves: [{ replenishmentLineId: line }] }),
  ])
    assert.equal(status, 403)
  const other = await stranger()
  for (const { status } of [
    await other.get(path),
    await other.get(`${path}/lines`),
    await other.put(path, { reference: 'Mine' }),
    await other.put(`${path}/status`, { status: 3 }),
    await other.post(`${path}/confirm`, { moves: [{ replenishmentLineId: line }] }),
  ])
    assert.equal(status, 404)
})

test('held stock is not brought to a pickface', async () => {
  const product = await fresh()
  const stock = await stored(10, product)
  const inventoryHoldId = await hold()
  const heldStock = await stored(5, { ...product, inventoryHoldId })
  const face = await pickface(product.productId, 1)
  const line = { toWarehouseLocationId: face, quantity: 2 }
  assert.deepEqual(await refusedPost({ lines: [{ ...line, warehouseProductId: heldStock }] }), [
    'lines[0]: the stock in A-01 is on hold: release it first.',
  ])
  const jobId = await made({ lines: [{ ...line, warehouseProductId: stock }] })
  await move(jobId, 2)
  await admin.post('/v1/inventory/holds', {
    ...{ kind: 1, reason: 'Wet', stock: [{ warehouseProductId: stock }] },
  })
  const [{ replenishmentLineId }] = await lines(jobId)
  const path = `/v1/jobs/${jobId}/replenishment/confirm`
  const { status, body } = await admin.post(path, { moves: [{ replenishmentLineId }] })
  assert.deepEqual([status, body.ErrorMessages], [400, ['moves[0]: nothing is left in A-01.']])
})
