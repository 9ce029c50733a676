// Picking and staging. Spec 2.14, 3; decision 4.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openPicking } from '../support/given-picking.ts'

const world = await openPicking()
const {
  admin,
  stored,
  row,
  fresh,
  locations,
  ready,
  allocated,
  events,
  unit,
  newConsignment,
  command,
  run,
  refusalsOf,
  move,
  stockOf,
  locationsOf,
  figures,
} = world
const { ReadyToDispatch, InTransit, Complete } = ConsignmentStatus

test('picked goods go to the dock, stay allocated to their line, and leave with the consignment', async () => {
  const of = await fresh()
  const stock = await stored(10, of, { weightKG: 20, volumeM3: 1 })
  const { id, line } = await newConsignment({ ...of, quantity: 6 })
  const answer = await run(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 4 }],
  })
  assert.deepEqual(answer.consignmentProducts, [
    { consignmentProductId: line, expected: 6, allocated: 2, picked: 4, short: 0 },
  ])
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 6, 2],
    ['DISPATCH', 4, 4],
  ])
  assert.equal((await row(answer.picks[0].warehouseProductId)).onHandWeightKG, 8)
  await run(id, 'pick', { picks: [{ consignmentProductId: line, warehouseProductId: stock }] })
  assert.deepEqual(await events(id), [108, 108, 108])
  assert.equal(await move(id, InTransit), 200)
  assert.deepEqual(await locationsOf(of.productId), [['A-01', 4, 0]])
  assert.deepEqual(await figures(line), { allocated: 0, picked: 0, dispatched: 6, weight: 12 })
})

test('no more is picked than is allocated to the line, without an override', async () => {
  const of = await fresh()
  const stock = await stored(10, of)
  const other = await newConsignment({ ...of, quantity: 5 })
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const pick = (quantity: number, more: object = {}) => ({
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity, ...more }],
  })
  assert.deepEqual(await refusalsOf(id, 'pick', pick(4)), [
    'picks[0]: only 3 of 4 are to be picked in A-01 for this line; with an override (isOverride) more or other stock can be picked.',
  ])
  const [message = ''] = await refusalsOf(id, 'pick', pick(6, { isOverride: true }))
  assert.match(message, /^picks\[0\]: only 2 more are free in A-01; the rest is allocated to \S+\.$/)
  await run(id, 'pick', pick(5, { isOverride: true }))
  assert.deepEqual(await locationsOf(of.productId), [
    ['A-01', 5, 5],
    ['DISPATCH', 5, 5],
  ])
  assert.equal((await figures(other.line)).allocated, 5)
})

test('goods taken from another place stand in for those that were allocated', async () => {
  const of = await fresh()
  const here = await stored(5, of)
  const there = await stored(5, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = (warehouseProductId: string, quantity: number, more: object = {}) => ({
    ...{ consignmentProductId: line, warehouseProductId, quantity, ...more },
  })
  const [listed] = await world.allocationsOf(id)
  const [from, other] = listed?.stock === here ? [here, there] : [there, here]
  const instead = { isOverride: true, insteadOfWarehouseProductId: from }
  // Without an override, and with nothing allocated where it says, nothing happens.
  const { isOverride: _, ...plain } = instead
  assert.match((await refusalsOf(id, 'pick', { picks: [pick(other, 2, plain)] }))[0] ?? '', /isOverride/)
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(other, 2, { ...instead, insteadOfWarehouseProductId: other })],
    }),
    ['picks[0]: nothing is allocated to the line in the stock that it stands in for.'],
  )
  await run(id, 'pick', { picks: [pick(other, 2, instead), pick(from, 3)] })
  assert.deepEqual(await figures(line), { allocated: 0, picked: 5, dispatched: 0, weight: 0 })
  assert.equal((await row(from)).availableQuantity, 2)
})

test('other stock is picked with an override only, and never stock on hold, in quarantine or of another product', async () => {
  const [of, another] = [await fresh(), await fresh()]
  const held = await stored(5, { ...of, warehouseLocationId: locations.Q1 })
  const foreign = await stored(5, another)
  const { id, line } = await newConsignment({ ...of, quantity: 3 })
  const messages = await refusalsOf(id, 'pick', {
    picks: [held, foreign].map(warehouseProductId => ({
      ...{ consignmentProductId: line, warehouseProductId, quantity: 1, isOverride: true },
    })),
  })
  assert.deepEqual(messages, [
    'picks[0]: the stock in Q-01 is in quarantine.',
    `picks[1]: ${another.productCode} cannot stand in for ${of.productCode}: the client does not allow it.`,
  ])
})

test('goods that one entry of a request picks are not available to the next', async () => {
  const [of, scales] = [await fresh(), await fresh({ serialTrackingMode: 2 })]
  const stock = await stored(6, of)
  const shelf = await stored(2, scales, { newSerials: ['A', 'B'].map(serial => ({ serial })) })
  const { id, lines } = await newConsignment({ ...of, quantity: 4 }, { ...scales, quantity: 2 })
  const pick = (line: number, warehouseProductId: string, quantity: number, more: object) => ({
    ...{ consignmentProductId: lines[line], warehouseProductId, quantity, ...more },
  })
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(0, stock, 5, { isOverride: true }), pick(0, stock, 2, { isOverride: true })],
    }),
    ['picks[1]: only 1 more are free in A-01.'],
  )
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [pick(1, shelf, 1, { serials: ['A'] }), pick(1, shelf, 1, { serials: ['A'] })],
    }),
    [`picks[1]: the serial A of ${scales.productCode} is not in that stock.`],
  )
})

test('stock of another client or a serial that is allocated to another line can never be picked instead', async () => {
  const of = await fresh({ serialTrackingMode: 2 })
  await stored(2, of, { newSerials: ['A', 'B'].map(serial => ({ serial })) })
  const named = await newConsignment({ ...of, quantity: 1, serials: ['A'] })
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${named.id}`)).body
  const { id, line } = await newConsignment({ ...of, quantity: 1 })
  const [stock] = (await world.allocationsOf(id)).map(one => one.stock)
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1 }
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [{ ...pick, serials: ['A'] }] }), [
    `picks[0]: the serial A is allocated to ${consignmentNumber}.`,
  ])
  const partnerId = await world.made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  const productId = await world.made(`/v1/partners/${partnerId}/products`, { code: 'RIMU-1', name: 'Rimu' })
  const foreign = await stored(3, { partnerId, productId })
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [{ ...pick, warehouseProductId: foreign, quantity: 1, isOverride: true }],
    }),
    ['picks[0]: the stock is another client’s.'],
  )
})

test('goods that are picked in place are not picked again, nor released with the rest of the stock', async () => {
  const of = await fresh()
  const stock = await stored(5, of)
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = { consignmentProductId: line, warehouseProductId: stock }
  await run(id, 'pick', { picks: [{ ...pick, quantity: 2, toLocationName: 'A-01' }] })
  await run(id, 'pick', { picks: [{ ...pick, quantity: 1 }] })
  assert.deepEqual(await refusalsOf(id, 'pick', { picks: [{ ...pick, quantity: 3 }] }), [
    'picks[0]: only 2 of 3 are to be picked in A-01 for this line; with an override (isOverride) more or other stock can be picked.',
  ])
  const { lines } = await run(id, 'release')
  assert.deepEqual([lines[0].allocated, lines[0].picked, lines[0].short], [0, 3, 2])
})

test('missing goods are put on hold, and the line is allocated elsewhere', async () => {
  const of = await fresh()
  const first = await stored(5, { ...of, receivedDate: '2025-01-01' })
  await stored(5, { ...of, warehouseLocationId: locations.A2 })
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const pick = { consignmentProductId: line, warehouseProductId: first, quantity: 3, isShort: true }
  const { picks, consignmentProducts } = await run(id, 'pick', {
    picks: [{ ...pick, reason: 'Shelf is empty' }],
  })
  assert.notEqual(picks[0].inventoryHoldId, null)
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, allocated: allocationsOf, isHeld }) => [
      place,
      onHand,
      allocationsOf,
      isHeld,
    ]),
    [
      ['A-01', 2, 0, true],
      ['A-02', 5, 2, false],
      ['DISPATCH', 3, 3, false],
    ],
  )
  assert.deepEqual(consignmentProducts[0], {
    consignmentProductId: line,
    expected: 5,
    allocated: 2,
    picked: 3,
    short: 0,
  })
})

test('a unit that is picked whole stays together; a part of it is put down loose or onto another unit', async () => {
  const of = await fresh()
  const whole = await stored(5, { ...of, logisticUnitId: await unit('WHOLE') })
  const part = await stored(5, { ...of, logisticUnitId: await unit('PART'), receivedDate: '2026-02-02' })
  const { id, line } = await newConsignment({ ...of, quantity: 9 })
  await run(id, 'pick', {
    picks: [
      { consignmentProductId: line, warehouseProductId: whole, quantity: 5 },
      { consignmentProductId: line, warehouseProductId: part, quantity: 2 },
      {
        ...{ consignmentProductId: line, warehouseProductId: part, quantity: 2 },
        toLogisticUnit: { isNew: true, referenceNumber: 'CARTON' },
      },
    ],
  })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, unit: on }) => [place, onHand, on]),
    [
      ['A-01', 1, 'PART'],
      ['DISPATCH', 2, 'CARTON'],
      ['DISPATCH', 5, 'WHOLE'],
      ['DISPATCH', 2, null],
    ],
  )
})

test('what is picked onto one unit is put down in one place', async () => {
  const of = await fresh()
  const stock = await stored(4, of)
  const empty = await unit('TWICE', locations.B1)
  const { logisticUnitNumber } = (await admin.get(`/v1/logistic-units/${empty}`)).body
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  for (const [toLogisticUnit, name] of [
    [{ logisticUnitId: empty }, logisticUnitNumber],
    [{ isNew: true, referenceNumber: 'TWO PLACES' }, 'that is new'],
  ] as const) {
    const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 1, toLogisticUnit }
    const places = ['DISPATCH', 'dock'].map(toLocationName => ({ ...pick, toLocationName }))
    assert.deepEqual(await refusalsOf(id, 'pick', { picks: places }), [
      `picks[1]: the logistic unit ${name} cannot be put into two locations.`,
    ])
  }
  const once = { consignmentProductId: line, warehouseProductId: stock, quantity: 1 }
  const ontoOne = { ...once, toLogisticUnit: { logisticUnitId: empty }, toLocationName: 'dock' }
  await run(id, 'pick', { picks: [ontoOne, ontoOne] })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, unit: on }) => [place, onHand, on]),
    [
      ['A-01', 2, null],
      ['DOCK', 2, 'TWICE'],
    ],
  )
})

test('an empty unit stays where it is if nothing is picked onto it', async () => {
  const of = await fresh()
  const stock = await stored(2, of)
  const empty = await unit('EMPTY', locations.B1)
  const { id, line } = await newConsignment({ ...of, quantity: 2 })
  const pick = { consignmentProductId: line, warehouseProductId: stock, quantity: 0, isShort: true }
  await run(id, 'pick', { picks: [{ ...pick, toLogisticUnit: { logisticUnitId: empty } }] })
  const { body } = await admin.get(`/v1/logistic-units/${empty}`)
  assert.equal(body.warehouseLocationId, locations.B1)
})

test('picked goods can be staged on another dock and onto a unit, and leave from there', async () => {
  const of = await fresh()
  await stored(6, of)
  const { id } = await newConsignment({ ...of, quantity: 6 })
  assert.equal(await move(id, ReadyToDispatch), 200)
  await run(id, 'stage', {
    toLocationName: 'dock',
    toLogisticUnit: { isNew: true, referenceNumber: 'PALLET-1' },
  })
  assert.deepEqual(
    (await stockOf(of.productId)).map(({ place, onHand, allocated: allocationsOf, unit: on }) => [
      place,
      onHand,
      allocationsOf,
      on,
    ]),
    [['DOCK', 6, 6, 'PALLET-1']],
  )
  assert.deepEqual(await refusalsOf(id, 'stage', { toLocationName: 'Q-01' }), [
    'lines[0]: Q-01 is in quarantine, where nothing can be promised.',
  ])
  assert.equal(await move(id, Complete), 200)
  assert.deepEqual(await locationsOf(of.productId), [])
})

test('ids in upper case pick, unpick and release as those in lower case do', async () => {
  const of = await fresh()
  const stock = await stored(5, of)
  const { id, line } = await newConsignment({ ...of, quantity: 5 })
  const entry = { consignmentProductId: line.toUpperCase(), quantity: 2 }
  const warehouseProductId = stock.toUpperCase()
  const { picks } = await run(id, 'pick', { picks: [{ ...entry, warehouseProductId }] })
  const picked = picks[0].warehouseProductId.toUpperCase()
  await run(id, 'unpick', { unpicks: [{ ...entry, warehouseProductId: picked }] })
  await run(id, 'release', { lines: [{ ...entry, warehouseProductId }] })
  assert.equal((await row(stock)).allocatedQuantity, 3)
})

test('a consignment can be picked while it is ReadyToPick, and all faults are reported at once', async () => {
  const of = await fresh()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const nobody = crypto.randomUUID()
  assert.deepEqual(
    await refusalsOf(id, 'pick', {
      picks: [
        { consignmentProductId: nobody, warehouseProductId: stock },
        { consignmentProductId: line, warehouseProductId: nobody },
        { consignmentProductId: line, warehouseProductId: stock, toLocationName: 'nowhere' },
      ],
    }),
    [
      'picks[0]: consignmentProductId does not refer to a line of the consignment.',
      `picks[1]: warehouseProductId ${nobody} does not refer to stock.`,
      'picks[2]: the warehouse has no location of that id or name.',
    ],
  )
  await move(id, ReadyToDispatch)
  const [message = ''] = await refusalsOf(id, 'pick', {
    picks: [{ consignmentProductId: line, warehouseProductId: stock }],
  })
  assert.match(message, /is Ready to dispatch, not Ready to pick\.$/)
})

test('a pick that is repeated with its operationId takes effect once', async () => {
  const of = await fresh()
  const stock = await stored(6, of)
  const { id, line } = await newConsignment({ ...of, quantity: 4 })
  const body = {
    operationId: crypto.randomUUID(),
    picks: [{ consignmentProductId: line, warehouseProductId: stock, quantity: 1 }],
  }
  const answers = await Promise.all([1, 2, 3].map(() => command(id, 'pick', body)))
  assert.deepEqual(new Set(answers.map(({ body: answer }) => answer.movementId)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 2)
  assert.equal((await figures(line)).picked, 1)
  assert.equal(
    (await command(id, 'pick', { ...body, picks: [{ ...body.picks[0], quantity: 2 }] })).status,
    409,
  )
})

test('a quantity in cartons is that of the product that stands there, not of the one that was ordered', async () => {
  const carton = await world.made('/v1/unit-types', { name: 'Carton of many' })
  const inCartons = (conversionRate: number) => ({
    unitConversions: [
      {
        ...{ inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate },
      },
    ],
  })
  const [ordered, sent] = [await fresh(inCartons(6)), await fresh(inCartons(12))]
  const substitutes = async (productSubstitution: number) =>
    admin.put(`/v1/partners/${world.clientId}`, { productSubstitution })
  assert.equal((await substitutes(1)).status, 200)
  const stock = await stored(36, sent)
  const id = await ready([{ ...ordered, quantity: 24 }])
  const consignmentProductId = (await allocated(id))[0]?.consignmentProductId as string
  const part = { warehouseProductId: stock, quantity: 1, unitTypeId: carton }
  const [line] = await allocated(id, {
    lines: [{ consignmentProductId, stock: [part], isOverride: true }],
  })
  assert.equal(line?.allocated, 12)
  const entry = { consignmentProductId, ...part }
  const picked = await run(id, 'pick', { picks: [entry, { ...entry, isOverride: true }] })
  assert.deepEqual(
    picked.picks.map(({ quantity }: { quantity: number }) => quantity),
    [12, 12],
  )
  const row = picked.picks[0].warehouseProductId
  const back = await run(id, 'unpick', { unpicks: [{ ...entry, warehouseProductId: row }] })
  assert.deepEqual(back.consignmentProducts, [
    { consignmentProductId, expected: 24, allocated: 12, picked: 12, short: 0 },
  ])
  const released = await run(id, 'release', { lines: [entry] })
  assert.equal(released.lines[0].allocated, 0)
  await substitutes(2)
})
