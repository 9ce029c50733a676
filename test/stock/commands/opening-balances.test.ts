// The opening balance of a warehouse, which is its stock when it begins to use Waybill. Spec 2.14.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openStock } from '../../support/given-stock.ts'

const { admin, database } = await openStock()

const path = '/v1/inventory/opening-balances'
const apples = (more: object = {}) => ({
  clientCode: 'kauri',
  productCode: 'apple',
  locationName: 'A-01',
  quantity: 10,
  ...more,
})
const rows = () =>
  database.db.rows<{
    batch: string | null
    n: number
  }>(sql`select d.code, l.name, u.sscc_number, p.batch, p.on_hand_quantity as n, h.kind
    from warehouse_product p join product d on d.id = p.product_id
    join warehouse_location l on l.id = p.warehouse_location_id
    left join logistic_unit u on u.id = p.logistic_unit_id
    left join inventory_hold h on h.id = p.inventory_hold_id
    where not p.is_depleted order by d.code, l.name, n`)

test('a dry run returns the sums and changes nothing', async () => {
  const body = {
    warehouseCode: 'akl',
    dryRun: true,
    createLocations: true,
    rows: [apples({ locationName: 'NEW-1', attributes: [{ name: 'Fresh' }] }), apples()],
  }
  const { body: answer } = await admin.post(path, body)
  assert.deepEqual([answer.isDryRun, answer.movementId, answer.products[0].quantity], [true, null, 20])
  assert.deepEqual(await rows(), [])
  assert.equal((await admin.get('/v1/product-attributes')).body.total, 0)
  assert.equal((await database.db.rows(sql`select 1 from warehouse_location where name = 'NEW-1'`)).length, 0)
})

test('any fault refuses the whole balance, and the fault of every row is reported', async () => {
  const { status, body } = await admin.post(path, {
    operationId: crypto.randomUUID(),
    warehouseCode: 'AKL',
    rows: [
      apples(),
      apples({ clientCode: 'NONE' }),
      apples({ productCode: 'NONE' }),
      apples({ locationName: 'NONE' }),
      apples({ productCode: 'SCALE', quantity: 2, serials: ['X1'] }),
    ],
  })
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages, [
    'rows[1]: there is no client with the code NONE.',
    'rows[2]: the client kauri has no product with the code NONE.',
    'rows[3]: the warehouse has no location NONE; createLocations makes it.',
    'rows[4]: 2 SCALE need 2 serials; 1 was scanned.',
  ])
  assert.equal(
    (await admin.post(path, { operationId: crypto.randomUUID(), warehouseCode: 'NONE', rows: [apples()] }))
      .status,
    400,
  )
  assert.deepEqual(await rows(), [])
})

test('a balance is loaded with its units, holds and serials', async () => {
  const ssccNumber = '340123450000000017'
  const { status, body } = await admin.post(path, {
    operationId: crypto.randomUUID(),
    warehouseCode: 'AKL',
    createLocations: true,
    rows: [
      apples({ ssccNumber, locationName: 'R-9', batch: 'B7', quantity: 4 }),
      apples({ ssccNumber, locationName: 'R-9', productCode: 'PEAR', quantity: 2 }),
      apples({ holdKind: 2, holdReason: 'Glass' }),
      apples({ productCode: 'SCALE', quantity: 2, serials: ['X1', 'X2'] }),
    ],
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(await rows(), [
    { code: 'APPLE', name: 'A-01', ssccNumber: null, batch: null, n: 10, kind: 2 },
    { code: 'APPLE', name: 'R-9', ssccNumber, batch: 'B7', n: 4, kind: null },
    { code: 'PEAR', name: 'R-9', ssccNumber, batch: null, n: 2, kind: null },
    { code: 'SCALE', name: 'A-01', ssccNumber: null, batch: null, n: 2, kind: null },
  ])
})

const send = (text: string) =>
  admin.post(`${path}/csv`, {
    operationId: crypto.randomUUID(),
    warehouseCode: 'AKL',
    createLocations: true,
    file: { fileName: 'b.csv', contentType: 'text/csv', content: Buffer.from(text).toString('base64') },
  })

test('lines of a CSV file that differ only in their serial add up to one row, with all its weight', async () => {
  const header = 'clientCode,productCode,locationName,quantity,weightKG,volumeM3,serial\n'
  const lines = ['W1', 'W2', 'W3'].map(serial => `KAURI,SCALE,B-02,1,12.1,0.000001,${serial}\n`)
  const { status, body } = await send(header + lines.join(''))
  assert.equal(status, 200, JSON.stringify(body))
  const found = await database.db.row(sql`
    select p.on_hand_quantity as quantity, p.on_hand_weight_kg as weight, p.on_hand_volume_m3 as volume
    from warehouse_product p join warehouse_location l on l.id = p.warehouse_location_id
    where l.name = 'B-02'`)
  assert.deepEqual(found, { quantity: 3, weight: 36.3, volume: 0.000003 })
})

test('a CSV file has as few rows as a request', async () => {
  const header = 'clientCode,productCode,locationName,quantity\n'
  const { status, body } = await send(header + 'KAURI,APPLE,B-01,1\n'.repeat(5_001))
  assert.equal(status, 422)
  assert.match(body.ErrorMessages[0], /must have at most 5,000 rows/)
})

test('a CSV file in the form of the template is loaded, and faults name the line', async () => {
  const template = (await admin.get(`${path}/csv-template`)).bytes.toString()
  assert.match(template, /^clientCode,productCode,locationName,.*,serial,holdKind,holdReason\n$/)
  const header = 'clientCode,productCode,locationName,quantity,serial,attributes\n'
  const { status, body } = await send(
    `${header}KAURI,SCALE,B-01,1,C1,Colour: red | Grade: A\nKAURI,SCALE,B-01,1,C2,Colour: red | Grade: A\nKAURI,APPLE,B-01,2.5,,\n`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    body.products.map(({ quantity, serialCount }: { quantity: number; serialCount: number }) => [
      quantity,
      serialCount,
    ]),
    [
      [2, 2],
      [2.5, 0],
    ],
  )
  assert.equal((await admin.get('/v1/product-attributes')).body.total, 2)
  const invalid = await send(`${header}KAURI,APPLE,B-01,many,,\n`)
  assert.deepEqual(
    [invalid.status, invalid.body.ErrorMessages],
    [422, ['Line 2 of the file: quantity must be a number.']],
  )
  const refused = await send(`${header}KAURI,APPLE,B-01,1,,\nKAURI,PLUM,B-01,1,,\n`)
  assert.deepEqual(refused.body.ErrorMessages, [
    'Line 3 of the file: the client KAURI has no product with the code PLUM.',
  ])
})

test('the heads of a CSV file are read in any case, and an unknown one is refused with the nearest', async () => {
  const answer = await send('ClientCode,PRODUCTCODE,locationname,Batch,quantity\nKAURI,APPLE,A-01,CASE-1,2\n')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { body } = await admin.get('/v1/inventory?Batch=CASE-1')
  assert.equal(body.total, 1)
  const refused = await send(
    'clientCode,productCode,locationName,expiry,qty,batsh,batch,Batch\na,b,c,d,1,e,f,g\n',
  )
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.body.ErrorMessages, [
    'file has an unknown column "expiry"; did you mean expiryDate?',
    'file has an unknown column "qty"; did you mean quantity?',
    'file has an unknown column "batsh"; did you mean batch?',
    'file has the column batch twice.',
  ])
})

test('a CSV file with thousands of columns, or an endless one, is refused without looking for the nearest', async () => {
  const many = await send(`${Array.from({ length: 8_000 }, () => 'eeeeeeee').join(',')}\na\n`)
  assert.deepEqual(
    [many.status, many.body.ErrorMessages],
    [422, ['file has 8000 columns; at most 38 are read.']],
  )
  const endless = await send(`${'e'.repeat(90_000)}\na\n`)
  assert.match(endless.body.ErrorMessages[0], /^file has an unknown column "e{40}…"; did you mean \w+\?$/)
})

test('a balance is loaded only with an operationId, so that a repeated request does not load it twice', async () => {
  const body = { warehouseCode: 'AKL', rows: [apples({ batch: 'ONCE' })] }
  const { status, body: refusal } = await admin.post(path, body)
  assert.deepEqual(
    [status, refusal.ErrorMessages],
    [400, ['operationId is required, so that a balance that is sent twice is not loaded twice.']],
  )
  const once = { ...body, operationId: crypto.randomUUID() }
  for (let n = 0; n < 2; n++) assert.equal((await admin.post(path, once)).status, 200)
  assert.equal((await rows()).filter(({ batch }) => batch === 'ONCE').length, 1)
  const found = (await rows()).find(({ batch }) => batch === 'ONCE')
  assert.equal(found?.n, 10)
  const ahead = [apples({ receivedDate: '2999-01-01' })]
  const early = await admin.post(path, { ...body, rows: ahead, operationId: crypto.randomUUID() })
  assert.deepEqual(early.body.ErrorMessages, [
    'rows[0]: it cannot have been received on 2999-01-01, which is in the future.',
  ])
})
