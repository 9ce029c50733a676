// Receiving goods of inwards consignments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { ssccCheckDigit } from '../../src/stock/logistic-units/sscc.ts'
import { daysAgo } from '../support/dates.ts'
import { goods, openInwards, serialGoods } from '../support/given-inwards.ts'

const world = await openInwards()
const { admin, as, database, clientId, warehouseId, products, locations, made } = world
const { announce, linesOf, receive, received, refusalMessages, stockOf, eventTypesOf, read, move } = world

let last = 0
const newSscc = () => {
  const first17 = `0942100000${String(++last).padStart(7, '0')}`
  return first17 + ssccCheckDigit(first17)
}
const facts = (rows: Record<string, unknown>[], ...fields: string[]) =>
  rows.map(row => fields.map(field => row[field]))

test('goods are received as announced into the receiving location, and the consignment records the time', async () => {
  const id = await announce([goods('APPLE', 40, { batch: 'B7', expiryDate: '2027-01-31' }), goods('PEAR', 5)])
  const answer = await received(id, { all: true })
  assert.deepEqual(
    answer.consignmentProducts.map((line: object) => ({ ...line, warehouseProductIds: undefined })),
    (await linesOf(id)).map((consignmentProductId, i) => ({
      consignmentProductId,
      receivedQuantity: [40, 5][i],
      overQuantity: 0,
      shortQuantity: 0,
      warehouseProductIds: undefined,
    })),
  )
  assert.deepEqual(facts(await stockOf(id), 'code', 'location', 'quantity', 'weight', 'volume', 'batch'), [
    ['APPLE', 'RECEIVE', 40, 10, 0.02, 'B7'],
    ['PEAR', 'RECEIVE', 5, 0, 0, null],
  ])
  assert.notEqual((await read(id)).actualReceiveDateTime, null)
  assert.deepEqual(await eventTypesOf(id), [112, 108])
  assert.deepEqual(await refusalMessages(receive(id, { all: true })), [
    'Nothing of the consignment is outstanding.',
  ])
  const locationsNow = await admin.get(`/v1/warehouses/${warehouseId}/locations?SearchText=RECEIVE`)
  assert.deepEqual(
    locationsNow.body.locations.map(({ name, type }: { name: string; type: number }) => [name, type]),
    [['RECEIVE', 4]],
  )
})

test('everything can be received at one place, unless a receipt names its own', async () => {
  const whole = await announce([goods('APPLE', 4), goods('PEAR', 2)])
  await received(whole, { all: true, locationName: 'b-01' })
  assert.deepEqual(facts(await stockOf(whole), 'code', 'location'), [
    ['APPLE', 'B-01'],
    ['PEAR', 'B-01'],
  ])
  const id = await announce([goods('APPLE', 4)])
  const [line] = await linesOf(id)
  await received(id, {
    warehouseLocationId: locations.B1,
    receipts: [
      { consignmentProductId: line, quantity: 1 },
      { consignmentProductId: line, quantity: 1, locationName: 'A-02' },
    ],
  })
  assert.deepEqual(
    facts(await stockOf(id), 'location')
      .flat()
      .toSorted(),
    ['A-02', 'B-01'],
  )
  const { body, details } = await receive(id, { all: true, locationName: 'C-77' })
  assert.deepEqual(body.ErrorMessages, ['There is no location C-77 in that warehouse.'])
  assert.equal(details?.[0]?.path, 'locationName')
})

test('goods can arrive in parts, more or less than expected, and the last part gets the remaining weight', async () => {
  const id = await announce([{ productCode: 'PEAR', items: [{ quantity: 3, weightKG: 1 }] }])
  const [line] = await linesOf(id)
  const one = { consignmentProductId: line, quantity: 1, locationName: 'a-01' }
  const first = await received(id, { receipts: [one] })
  assert.deepEqual(
    [first.consignmentProducts[0].overQuantity, first.consignmentProducts[0].shortQuantity],
    [0, 2],
  )
  await received(id, { receipts: [one, one] })
  assert.deepEqual(facts(await stockOf(id), 'quantity', 'weight', 'location'), [[3, 1, 'A-01']])
  const over = await received(id, { receipts: [{ ...one, quantity: 2, weightKG: 9, volumeM3: 0.5 }] })
  assert.equal(over.consignmentProducts[0].receivedQuantity, 5)
  assert.equal(over.consignmentProducts[0].overQuantity, 2)
  assert.deepEqual(facts(await stockOf(id), 'quantity', 'weight', 'volume'), [[5, 10, 0.5]])
})

test('goods that were not announced get one line for each product, with an expected quantity of 0', async () => {
  const id = await announce([goods('APPLE', 1)])
  const pears = { partnerProductId: products.PEAR, quantity: 2 }
  await received(id, { receipts: [pears, { ...pears, batch: 'X' }] })
  await received(id, { receipts: [pears] })
  const lines = (await read(id)).products
  assert.deepEqual(
    lines.map(({ productCode, expectedQuantity }: Record<string, unknown>) => [
      productCode,
      expectedQuantity,
    ]),
    [
      ['APPLE', 1],
      ['PEAR', 0],
    ],
  )
  assert.deepEqual(facts(await stockOf(id), 'quantity', 'batch'), [
    [2, 'X'],
    [4, null],
  ])
  const other = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
  const plum = await made(`/v1/partners/${other}/products`, { code: 'PLUM', name: 'Plum' })
  assert.deepEqual(
    await refusalMessages(receive(id, { receipts: [{ partnerProductId: plum, quantity: 1 }] })),
    [`receipts[0]: the client has no product with the id ${plum}.`],
  )
})

test('a receipt can describe the goods differently from the line, and dates are those of the warehouse', async () => {
  const id = await announce([
    goods('APPLE', 10, {
      batch: 'B7',
      expiryDate: '2027-01-31',
      attributes: [
        { name: 'Grade', description: 'A' },
        { name: 'grade', description: 'B' },
        { description: 'x' },
      ],
    }),
  ])
  const [line] = await linesOf(id)
  const receipt = { consignmentProductId: line, quantity: 1 }
  const receivedDate = daysAgo(30).slice(0, 10)
  await received(id, {
    receipts: [receipt, { ...receipt, batch: null, attributes: [{ name: 'Colour', description: 'red' }] }],
    receivedDateTime: `${receivedDate}T08:00:00Z`,
  })
  const stock = await database.db.rows(sql`
    select p.batch, p.expiry_date, p.received_date, a.name, x.description
    from warehouse_product p, jsonb_to_recordset(p.attributes) as x ("productAttributeId" uuid, description text),
      product_attribute a
    where p.id in (select warehouse_product_id from inventory_transaction where consignment_id = ${id})
      and a.id = x."productAttributeId" order by a.name`)
  const both = { expiryDate: '2027-01-31', receivedDate }
  assert.deepEqual(stock, [
    { batch: null, ...both, name: 'Colour', description: 'red' },
    { batch: 'B7', ...both, name: 'Grade', description: 'A' },
  ])
  assert.equal((await read(id)).actualReceiveDateTime, `${receivedDate}T08:00:00Z`)
})

test('the time of a receipt is that of the scan, or else of the receipt, and not in the future', async () => {
  const id = await announce([goods('APPLE', 10)])
  const [line] = await linesOf(id)
  const receipts = [{ consignmentProductId: line, quantity: 1 }]
  const yesterday = new Date(Date.now() - 86_400_000)
  const scanned = await received(id, {
    receipts,
    occurredUtc: yesterday.toISOString(),
    receivedDateTime: '2026-03-01',
  })
  assert.equal(scanned.effectiveUtc, yesterday.toISOString())
  const local = yesterday.toISOString().slice(0, 19)
  const told = await received(id, { receipts, receivedDateTime: `${local}+00:00` })
  assert.equal(told.effectiveUtc, `${local}.000Z`)
  assert.deepEqual(await refusalMessages(receive(id, { receipts, receivedDateTime: '2999-01-01' })), [
    'receivedDateTime must not be in the future.',
  ])
  assert.deepEqual(await refusalMessages(receive(id, { receipts, receivedDateTime: '2020-01-01' })), [
    'receivedDateTime must not be more than 400 days ago.',
  ])
})

test('the first goods of a consignment set its receipt time', async () => {
  const id = await announce([goods('APPLE', 10)])
  const [line] = await linesOf(id)
  const receipts = [{ consignmentProductId: line, quantity: 1 }]
  await received(id, { receipts, receivedDateTime: daysAgo(20) })
  const { actualReceiveDateTime } = await read(id)
  await received(id, { receipts, receivedDateTime: daysAgo(19) })
  assert.equal((await read(id)).actualReceiveDateTime, actualReceiveDateTime)
})

test('a quantity can be in a unit of measure of the product', async () => {
  const carton = await made('/v1/unit-types', { name: 'Carton' })
  await world.product('KIWI', {
    unitConversions: [
      { inputMetricType: 3, inputUnitTypeId: carton, outputMetricType: 1, conversionRate: 33 },
    ],
  })
  const id = await announce([goods('KIWI', 66)])
  const [line] = await linesOf(id)
  const { consignmentProducts } = await received(id, {
    receipts: [{ consignmentProductId: line, quantity: 2, unitTypeId: carton }],
  })
  assert.equal(consignmentProducts[0].receivedQuantity, 66)
  const back = await admin.post(`/v1/consignments/${id}/unreceive`, {
    reason: 'Counted wrong',
    unreceipts: [{ warehouseProductId: (await stockOf(id))[0]?.id, quantity: 1, unitTypeId: carton }],
  })
  assert.equal(back.body.consignmentProducts[0].receivedQuantity, 33)
  const third = { consignmentProductId: line, quantity: 1, unitTypeId: id }
  assert.deepEqual(await refusalMessages(receive(id, { receipts: [third] })), [
    `receipts[0]: the unit ${id} is none of the product KIWI.`,
  ])
})

test('goods arrive on the announced unit, which is created once, and on new units', async () => {
  const sscc = newSscc()
  const on = { logisticUnitSsccNumber: sscc, logisticUnitReferenceNumber: `CAGE ${sscc}` }
  const id = await announce([goods('APPLE', 10, on), goods('PEAR', 4, on)])
  const [apples, pears] = await linesOf(id)
  await received(id, { receipts: [{ consignmentProductId: apples, quantity: 6, locationName: 'A-01' }] })
  await received(id, { receipts: [{ consignmentProductId: pears, quantity: 4 }] })
  assert.deepEqual(facts(await stockOf(id), 'code', 'sscc', 'location'), [
    ['APPLE', sscc, 'A-01'],
    ['PEAR', sscc, 'A-01'],
  ])
  const unit = uuidv7()
  await admin.put(`/v1/partners/${clientId}`, { gs1CompanyPrefix: '9421000' })
  const rest = { consignmentProductId: apples, quantity: 1 }
  await received(id, {
    receipts: [
      { ...rest, logisticUnit: null },
      { ...rest, logisticUnit: { logisticUnitId: unit, isNew: true, referenceNumber: 'BOX 1' } },
      { ...rest, logisticUnit: { referenceNumber: 'box 1' }, locationName: 'B-01' },
      { ...rest, logisticUnit: { isNew: true } },
    ],
  })
  const units = await database.db.rows<{ id: string; quantity: number; name: string }>(sql`
    select u.id, p.on_hand_quantity as quantity, l.name from logistic_unit u
    join warehouse_product p on p.logistic_unit_id = u.id
    join warehouse_location l on l.id = u.warehouse_location_id
    where u.sscc_number is null order by u.number`)
  assert.deepEqual(facts(units, 'quantity', 'name'), [
    [2, 'B-01'],
    [1, 'RECEIVE'],
  ])
  assert.equal(units[0]?.id, unit)
})

test('goods that come onto an empty unit go to where it stands, unless it left with other goods, and then it is told to stand nowhere', async () => {
  const batch = 'PALLET'
  const [id, back] = [await announce([goods('APPLE', 1, { batch })]), await announce([goods('APPLE', 1)])]
  const logisticUnitId = await made('/v1/logistic-units', {
    ...{ partnerId: clientId, warehouseId, referenceNumber: 'STANDING' },
    warehouseLocationId: locations.A2,
  })
  const receiveOntoIt = async (of: string) => {
    const [consignmentProductId] = await linesOf(of)
    const receipts = [{ consignmentProductId, quantity: 1, logisticUnit: { logisticUnitId } }]
    await received(of, { receipts })
    return (await stockOf(of))[0]?.location
  }
  assert.equal(await receiveOntoIt(id), 'A-02')
  const out = await announce([goods('APPLE', 1, { batch })], { consignmentType: 2 }, 2)
  assert.equal((await move(out, 7)).status, 200)
  const { consignmentNumber } = await read(out)
  const placeOfUnit = async () => {
    const { matches } = (await admin.get('/v1/scan?Code=standing')).body
    const { isEmpty, leftWith } = (await admin.get(`/v1/logistic-units/${logisticUnitId}`)).body
    return { isEmpty, leftWith, warehouseId: matches[0].warehouseId }
  }
  assert.deepEqual(await placeOfUnit(), {
    ...{ isEmpty: true, leftWith: { consignmentId: out, consignmentNumber }, warehouseId: null },
  })
  assert.equal(await receiveOntoIt(back), 'RECEIVE')
  assert.deepEqual(await placeOfUnit(), { isEmpty: false, leftWith: null, warehouseId })
})

test('goods of another batch than the announced one do not have its dates', async () => {
  const dates = { expiryDate: '2027-03-01', productionDate: '2026-03-01' }
  const id = await announce([goods('APPLE', 9, { batch: 'B1', ...dates })])
  const [consignmentProductId] = await linesOf(id)
  const receipt = { consignmentProductId, quantity: 3 }
  await received(id, {
    receipts: [
      { ...receipt, batch: 'b1 ' },
      { ...receipt, batch: 'B2' },
      { ...receipt, batch: 'B3', expiryDate: '2027-05-05' },
    ],
  })
  assert.deepEqual(
    await database.db.rows(sql`
      select batch, expiry_date, production_date from warehouse_product where id = any(array(
        select warehouse_product_id from inventory_transaction where consignment_id = ${id})) order by batch`),
    [
      { batch: 'B2', expiryDate: null, productionDate: null },
      { batch: 'B3', expiryDate: '2027-05-05', productionDate: null },
      { batch: 'b1', ...dates },
    ],
  )
})

test('units that cannot be filled are refused, each with its own message', async () => {
  const [known, other, unknown] = [newSscc(), newSscc(), newSscc()]
  const id = await announce([goods('APPLE', 10, { logisticUnitSsccNumber: known })])
  const [line] = await linesOf(id)
  const receipt = { consignmentProductId: line, quantity: 1 }
  await received(id, {
    receipts: [
      { ...receipt, locationName: 'A-01' },
      { ...receipt, logisticUnit: { isNew: true, ssccNumber: other, referenceNumber: 'OTHER' } },
    ],
  })
  const numbers = Object.fromEntries(
    (
      await database.db.rows<{ sscc: string; number: string }>(
        sql`select sscc_number as sscc, logistic_unit_number as number from logistic_unit`,
      )
    ).map(({ sscc, number }) => [sscc, number]),
  )
  await admin.put(`/v1/partners/${clientId}`, { gs1CompanyPrefix: null })
  const given = [
    { ...receipt, locationName: 'A-02' },
    { ...receipt, logisticUnit: { ssccNumber: unknown } },
    { ...receipt, logisticUnit: { isNew: true, ssccNumber: other } },
    { ...receipt, logisticUnit: { ssccNumber: known, referenceNumber: 'OTHER' } },
    { ...receipt, logisticUnit: { isNew: true, generateSscc: true } },
    { ...receipt, logisticUnit: {} },
    { ...receipt, logisticUnit: { isNew: true, referenceNumber: 'NEW' }, locationName: 'A-01' },
    { ...receipt, logisticUnit: { referenceNumber: 'NEW' }, locationName: 'B-01' },
  ]
  assert.deepEqual(await refusalMessages(receive(id, { receipts: given })), [
    `receipts[1]: there is no logistic unit ${unknown}; isNew makes one.`,
    `receipts[2]: the logistic unit ${numbers[other]} has the given id, SSCC or reference already.`,
    `receipts[3]: logisticUnit names several units, ${numbers[known]} among them.`,
    'receipts[4]: no SSCC can be made: the client has no gs1CompanyPrefix; set it, or give an SSCC.',
    'receipts[5]: logisticUnit needs a logisticUnitId, an ssccNumber or a referenceNumber, or isNew.',
    'receipts[0]: its logistic unit stands in A-01, not in A-02.',
    'receipts[7]: its logistic unit stands in A-01, not in B-01.',
  ])
})

test('an empty unit can be used from another warehouse, but one with goods on it cannot', async () => {
  const wellington = await made('/v1/warehouses', { name: 'W', code: 'WLG', timezoneId: 'Pacific/Auckland' })
  const there = await announce([goods('PEAR', 2)], { warehouseCode: 'WLG' })
  const [line] = await linesOf(there)
  const unit = { isNew: true, referenceNumber: 'ROLL CAGE' }
  await received(there, { receipts: [{ consignmentProductId: line, quantity: 1, logisticUnit: unit }] })
  const here = await announce([goods('PEAR', 2, { logisticUnitReferenceNumber: 'ROLL CAGE' })])
  assert.match(
    String(await refusalMessages(receive(here, { all: true }))),
    /has goods in another warehouse\.$/,
  )
  await database.atomically(tx =>
    tx.run(sql`insert into logistic_unit (organisation_id, id, number, logistic_unit_number, partner_id,
      reference_number, warehouse_id, warehouse_location_id)
      select organisation_id, ${uuidv7()}, 9999, 'LU-009999', ${clientId}, 'EMPTY CAGE', warehouse_id, id
      from warehouse_location where warehouse_id = ${wellington} limit 1`),
  )
  const more = await announce([goods('PEAR', 2, { logisticUnitReferenceNumber: 'EMPTY CAGE' })])
  await received(more, { all: true })
  assert.deepEqual(facts(await stockOf(more), 'location', 'quantity'), [['RECEIVE', 2]])
})

test('damaged goods go straight to a hold, shared by goods of a line with the same reason', async () => {
  const id = await announce([goods('APPLE', 10)])
  const [line] = await linesOf(id)
  const broken = { consignmentProductId: line, quantity: 1, hold: { kind: 2, reason: 'Wet' } }
  await received(id, { receipts: [broken, { ...broken, batch: 'B' }, { ...broken, hold: null }] })
  const stock = await stockOf(id)
  assert.deepEqual(facts(stock, 'quantity', 'hold', 'reason', 'batch'), [
    [1, 2, 'Wet', 'B'],
    [1, 2, 'Wet', null],
    [1, null, null, null],
  ])
  const holds = await database.db.rows(sql`select from inventory_hold where consignment_product_id = ${line}`)
  assert.equal(holds.length, 1)
})

test('serials can be sent with the goods or later, each once', async () => {
  const id = await announce([serialGoods('SCALE', ['S1', 'S2', 'S3']), goods('RADIO', 2), goods('APPLE', 1)])
  const [scales, radios, apples] = await linesOf(id)
  await received(id, {
    receipts: [{ consignmentProductId: scales, serials: ['S2', 'S9'], locationName: 'A-01' }],
  })
  assert.deepEqual(
    await refusalMessages(
      receive(id, {
        receipts: [
          { consignmentProductId: scales, serials: ['S2', 'S4'] },
          { consignmentProductId: scales, serials: ['S4'], quantity: 2 },
          { consignmentProductId: radios, serials: ['R1'] },
          { consignmentProductId: apples, serials: ['A1'] },
        ],
      }),
    ),
    [
      'receipts[1]: 2 SCALE need 2 serials; 1 was scanned.',
      'receipts[2]: serials of RADIO are scanned when it is picked.',
      'receipts[3]: APPLE has no serials.',
      'receipts[1]: the serial S4 of SCALE is listed twice.',
      'receipts[0]: the serial S2 of SCALE is in stock already, in A-01.',
    ],
  )
  // One of three is outstanding; whether it is S1 or S3, nobody has said.
  await received(id, { all: true })
  const serials = await database.db.rows<{ serial: string }>(sql`
    select serial from warehouse_product_item where product_id = ${products.SCALE} order by serial`)
  assert.deepEqual(facts(serials, 'serial').flat(), ['S2', 'S9'])
  assert.equal((await read(id)).products[0].receivedQuantity, 3)
})

test('announced serials have their own weight', async () => {
  const id = await announce([
    {
      productCode: 'SCALE',
      items: [
        { serial: 'W1', quantity: 1, weightKG: 10, volumeM3: 1 },
        { serial: 'W2', quantity: 1, weightKG: 1, volumeM3: 0.1 },
        { serial: 'W3', quantity: 1 },
      ],
    },
  ])
  const [line] = await linesOf(id)
  await received(id, { receipts: [{ consignmentProductId: line, serials: ['W2'], batch: 'FIRST' }] })
  await received(id, { all: true })
  assert.deepEqual(facts(await stockOf(id), 'quantity', 'weight', 'batch'), [
    [1, 5, 'FIRST'],
    [2, 15, null],
  ])
})

test('attributes that a product requires must be sent, and the location must accept the product', async () => {
  const cider = await world.product('CIDER')
  const id = await announce([goods('CIDER', 2)])
  await admin.put(`/v1/partners/${clientId}/products/${cider}`, { batchUsage: 3, expiryUsage: 3 })
  const pickface = await world.location('P-01', 1, { isPickface: true, partnerProductId: products.PEAR })
  const closed = await world.location('X-01', 1, { status: 2 })
  const [line] = await linesOf(id)
  const one = { consignmentProductId: line, quantity: 1, batch: 'C1', expiryDate: '2028-01-01' }
  assert.deepEqual(
    await refusalMessages(
      receive(id, {
        receipts: [
          { consignmentProductId: line, quantity: 1, batch: '' },
          { ...one, warehouseLocationId: pickface },
          { ...one, warehouseLocationId: closed },
          { ...one, locationName: 'NOWHERE' },
          { consignmentProductId: id, quantity: 1 },
        ],
      }),
    ),
    [
      `receipts[4]: the consignment has no line ${id}.`,
      'receipts[0]: the product CIDER needs a batch.',
      'receipts[0]: the product CIDER needs an expiry date.',
      'receipts[3]: the warehouse has no location NOWHERE.',
      'receipts[1]: P-01 is the pickface of another product.',
      'receipts[2]: X-01 is Inactive.',
    ],
  )
  await received(id, { receipts: [{ ...one, warehouseLocationId: locations.Q1 }] })
  assert.deepEqual(facts(await stockOf(id), 'location', 'batch'), [['Q-01', 'C1']])
})

test('a request must name what it receives, and for which line', async () => {
  const id = await announce([goods('APPLE', 2)])
  const [line] = await linesOf(id)
  for (const body of [
    {},
    { all: false },
    { all: true, receipts: [{ consignmentProductId: line, quantity: 1 }] },
  ])
    assert.deepEqual(await refusalMessages(receive(id, body)), [
      'The body must have either receipts or all: true.',
    ])
  assert.deepEqual(
    await refusalMessages(receive(id, { receipts: [{ quantity: 1 }, { consignmentProductId: line }] })),
    [
      'receipts[0] must have either consignmentProductId or partnerProductId.',
      'receipts[1].quantity is required where there are no serials.',
    ],
  )
})

test('goods can be received only for a ReadyToReceive inwards consignment, and only by the organisation', async () => {
  const out = await announce([goods('APPLE', 2)], { consignmentType: 2 }, null)
  assert.match(
    String(await refusalMessages(receive(out, { all: true }))),
    /is not Inwards: nothing is received for it\.$/,
  )
  const id = await announce([goods('APPLE', 2)], {}, null)
  assert.match(
    String(await refusalMessages(receive(id, { all: true }))),
    /-IN is Pending; goods are received while it is Ready to receive\.$/,
  )
  assert.equal((await receive(uuidv7(), { all: true })).status, 404)
  await move(id, 4)
  const path = `/v1/consignments/${id}/receive`
  assert.equal((await as(admin, { partnerId: clientId }).post(path, { all: true })).status, 403)
  assert.equal((await as(admin, { scopes: ['job'] }).post(path, { all: true })).status, 403)
  assert.equal((await as(admin, { scopes: ['inventory'] }).post(path, { all: true })).status, 200)
})

test('a repeated command receives the goods once', async () => {
  const id = await announce([goods('APPLE', 2)])
  const [line] = await linesOf(id)
  const body = { operationId: uuidv7(), receipts: [{ consignmentProductId: line, quantity: 2 }] }
  const answers = await Promise.all([receive(id, body), receive(id, body), receive(id, body)])
  assert.deepEqual(new Set(answers.map(({ body: answer }) => answer.movementId)).size, 1)
  assert.deepEqual(facts(await stockOf(id), 'quantity'), [[2]])
})

test('of two requests that receive the same serial in two warehouses, one succeeds', async () => {
  const here = await announce([goods('SCALE', 1)])
  const there = await announce([goods('SCALE', 1)], { warehouseCode: 'WLG' })
  const body = async (id: string) => ({
    receipts: [{ consignmentProductId: (await linesOf(id))[0], serials: ['TWICE'] }],
  })
  const bodies = [await body(here), await body(there)]
  const answers = await Promise.all([receive(here, bodies[0] as object), receive(there, bodies[1] as object)])
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 1)
  assert.ok([400, 409].includes(refused[0]?.status as number))
})

test('goods go to the receiving location of their consignment, or else of the warehouse', async () => {
  const [gate, elsewhere] = [await world.location('GATE', 4), locations.DOCK]
  const warehouse = `/v1/warehouses/${warehouseId}`
  assert.equal((await admin.put(warehouse, { defaultReceiveLocationId: gate })).status, 200)
  assert.equal((await admin.put(warehouse, { defaultReceiveLocationId: gate })).status, 304)
  assert.equal((await admin.get(warehouse)).body.defaultReceiveLocationId, gate)
  assert.deepEqual(await refusalMessages(admin.put(warehouse, { defaultDispatchLocationId: clientId })), [
    'defaultDispatchLocationId does not refer to a location of the warehouse.',
  ])
  const [usual, own] = [await announce([goods('APPLE', 1)]), await announce([goods('APPLE', 1)])]
  const route = `/v1/consignments/${own}/route`
  assert.equal((await admin.put(route, { defaultReceiveLocationId: elsewhere.toUpperCase() })).status, 200)
  assert.equal((await admin.put(route, { defaultReceiveLocationId: elsewhere.toUpperCase() })).status, 304)
  assert.equal((await read(own)).defaultReceiveLocationId, elsewhere)
  assert.deepEqual(await refusalMessages(admin.put(route, { defaultDispatchLocationId: clientId })), [
    "defaultDispatchLocationId does not refer to a location of the consignment's warehouse.",
  ])
  await received(usual, { all: true })
  await received(own, { all: true })
  assert.deepEqual(facts(await stockOf(usual), 'location'), [['GATE']])
  assert.deepEqual(facts(await stockOf(own), 'location'), [['DOCK']])
})

test('an import with a serial that is in stock waits, and names the serial', async () => {
  const first = await announce([serialGoods('SCALE', ['IN STOCK'])])
  await received(first, { all: true })
  const second = await announce([serialGoods('SCALE', ['NOT YET', 'IN STOCK'])], {}, null)
  const { reasons } = (await admin.get(`/v1/consignment-imports/${second}`)).body
  assert.deepEqual(reasons, [
    {
      kind: 'serial',
      code: 'IN STOCK',
      message: 'The serial IN STOCK of the product SCALE is in stock already.',
      path: 'products[0].items[1].serial',
    },
  ])
  const replacements = [{ kind: 'serial', code: 'IN STOCK', replacement: 'ANOTHER' }]
  const answer = await admin.put(`/v1/consignment-imports/${second}/reconcile`, { replacements })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  // A serial of an outwards import should be in stock.
  const out = await announce([serialGoods('SCALE', ['IN STOCK'])], { consignmentType: 2 }, null)
  assert.equal((await read(out)).status, 1)
})
