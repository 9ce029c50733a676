// Orders from a spreadsheet. Spec 2.3, 3; decision 5.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/new-id.ts'
import { openImports } from '../support/given-imports.ts'

const { world, drain, exists, clientId } = await openImports()
const { admin, database } = world

const path = '/v1/consignment-imports/csv'
const fileOf = (text: string | Buffer) => ({
  ...{ fileName: 'orders.csv', contentType: 'text/csv' },
  content: Buffer.from(text).toString('base64'),
})
const body = (text: string | Buffer, more: object = {}) => ({
  ...{ consignmentType: 2, clientCode: 'kauri', warehouseCode: 'akl', mapping: null, file: fileOf(text) },
  ...more,
})
const upload = (text: string | Buffer, more: object = {}, caller = admin) =>
  caller.post(path, body(text, more))
const countImports = async () =>
  (await database.db.row<{ n: number }>(sql`select count(*)::integer as n from consignment_import`)).n
const request = async (id: string) => (await admin.get(`/v1/consignment-imports/${id}`)).body.request

/** Another person of the organisation, with a connection of their own. */
async function colleague() {
  const { organisationId } = admin.actor
  const [userId, connectionId] = [newId(), newId()]
  await database.atomically(async tx => {
    await tx.run(sql`insert into app_user (organisation_id, id, email, full_name)
      values (${organisationId}, ${userId}, 'grace@example.com', 'Grace Shipper')`)
    await tx.run(sql`insert into identity_connection (organisation_id, id, custom_app_id, user_id)
      select organisation_id, ${connectionId}, custom_app_id, ${userId} from identity_connection limit 1`)
  })
  return world.as(admin, { userId, connectionId })
}

const head = 'referenceNumber,destinationName,destinationCity,productCode,quantity,batch'
const two = `${head}\nSO-1,Fresh,Hamilton,APPLE,4,\nSO-2,Corner,,PEAR,1.5,B7\nSO-1,,,PEAR,2,\n`

test('rows with one reference number are one import, which becomes a consignment as if it had been posted', async () => {
  const { status, body: answer } = await upload(two)
  assert.equal(status, 200, JSON.stringify(answer))
  const [first, second] = answer.imports
  assert.deepEqual(
    [answer.isDryRun, answer.rowCount, first.rows, first.referenceNumber, first.result, second.rows],
    [false, 3, [2, 4], 'SO-1', 1, [3]],
  )
  const { idempotencyKey: _, ...sent } = await request(first.consignmentImportId)
  assert.deepEqual(sent, {
    ...{ consignmentType: 2, clientCode: 'KAURI', warehouseCode: 'AKL', referenceNumber: 'SO-1' },
    destinationAddress: { name: 'Fresh', city: 'Hamilton' },
    products: [
      { productCode: 'APPLE', items: [{ quantity: 4 }] },
      { productCode: 'PEAR', items: [{ quantity: 2 }] },
    ],
  })
  await drain()
  assert.equal(await exists(first.consignmentImportId), 201)
  assert.equal(await exists(second.consignmentImportId), 201)
})

test('an order that was uploaded before makes no second import: in the same file, in another one, by another person', async () => {
  const before = await countImports()
  const again = await upload(two)
  assert.deepEqual(
    again.body.imports.map(({ result }: { result: number }) => result),
    [2, 2],
  )
  const columns =
    'quantity;productCode;destinationName;referenceNumber;batch\n1.5;PEAR;Corner;SO-2;B7\n1;APPLE;New;SO-3;\n'
  const other = await upload(columns, {}, await colleague())
  assert.equal(other.status, 200, JSON.stringify(other.body))
  const [known, fresh] = other.body.imports
  assert.equal(known.consignmentImportId, again.body.imports[1].consignmentImportId)
  assert.deepEqual([known.result, fresh.result, (await countImports()) - before], [2, 1, 1])
})

test('a faulty row refuses all of the file, and every fault is told by its row and its column', async () => {
  const before = await countImports()
  const faulty = [
    'Order no,Ship to,SKU,Qty,Ship by,batch',
    'SO-4,Fresh,APPLE,many,tomorrow,',
    ',Fresh,,2,,',
    'SO-5,Fresh,APPLE,1,,',
    'SO-5,Corner,APPLE,0,,',
    '',
    `SO-6,Fresh,APPLE,1,,${'x'.repeat(201)}`,
  ].join('\n')
  const mapping = {
    ...{ 'order no': 'referenceNumber', 'Ship to': 'destinationName', SKU: 'productCode' },
    ...{ Qty: 'quantity', 'Ship by': 'expectedDispatchDateTime' },
  }
  const refused = await upload(faulty, { mapping })
  assert.equal(refused.status, 422, JSON.stringify(refused.body))
  assert.deepEqual(refused.body.ErrorMessages, [
    'Row 2: Qty must be a number.',
    'Row 2: Ship by must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.',
    'Row 3: Order no is required.',
    'Row 3: SKU is required.',
    'Row 5: Ship to is not as in row 4 of the same order.',
    'Row 5: Qty must be more than 0.',
    'Row 7: batch must have at most 200 characters.',
  ])
  assert.equal(await countImports(), before)
  const skipped = await upload(`${faulty}\nSO-7,Fresh,APPLE,1,,`, { mapping, skipFaulty: true })
  assert.equal(skipped.status, 200, JSON.stringify(skipped.body))
  assert.deepEqual(
    skipped.body.imports.map(({ rows, result }: { rows: number[]; result: number }) => [rows, result]),
    [
      ...[
        [[2], 3],
        [[3], 3],
        [[4, 5], 3],
        [[7], 3],
      ],
      ...[[[8], 1]],
    ],
  )
  assert.deepEqual(skipped.body.imports[2].details[0], {
    ...{ row: 5, column: 'Ship to', code: 'conflict' },
    message: 'Row 5: Ship to is not as in row 4 of the same order.',
  })
  assert.equal(await countImports(), before + 1)
})

test('a dry run stores nothing, and tells what the imports would wait for', async () => {
  const before = await countImports()
  const text = `${head}\nSO-1,Fresh,Hamilton,APPLE,4,\nSO-1,,,PEAR,2,\nSO-8,Fresh,,APPEL,1,\nSO-9,Fresh,,PEAR,x,\n`
  const { status, body: answer } = await upload(text, { dryRun: true, skipFaulty: true })
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(
    answer.imports.map(({ result, messages }: { result: number; messages: string[] }) => [result, messages]),
    [
      [2, []],
      [1, ['Row 4: The client KAURI has no product with the code APPEL.']],
      [3, ['Row 5: quantity must be a number.']],
    ],
  )
  assert.equal(answer.imports[1].details[0].column, 'productCode')
  assert.equal((await upload(text, { dryRun: true })).status, 422)
  await admin.post(`/v1/partners/${clientId}/code-aliases`, {
    ...{ kind: 'product', code: 'APPEL', replacement: 'APPLE' },
  })
  const foreseen = await upload(text, { dryRun: true, skipFaulty: true })
  assert.deepEqual(foreseen.body.imports[1].messages, [])
  assert.equal(await countImports(), before)
})

test('rows that differ only in their serial are items of one line, and cells are read as their fields want them', async () => {
  const text = [
    'referenceNumber\tproductCode\tquantity\tserial\tattributes\tcontainerSize\tserviceTypeCodes\tnote\toriginLatitude',
    'IN-1\tAPPLE\t1\tS1\tColour: red\tforty foot\tEXP | exp\tFragile, please\t-36.8',
    'IN-1\tAPPLE\t1\tS2\tColour: red\t\t\t\t',
    'IN-1\tAPPLE\t3\t\t\t\t\t\t',
  ].join('\r\n')
  const { status, body: answer } = await upload(text, { consignmentType: 1 })
  assert.equal(status, 200, JSON.stringify(answer))
  const { products, containerSize, serviceTypeCodes, notes, originAddress } = await request(
    answer.imports[0].consignmentImportId,
  )
  assert.deepEqual(
    { products, containerSize, serviceTypeCodes, notes, originAddress },
    {
      products: [
        {
          productCode: 'APPLE',
          attributes: [{ name: 'Colour', description: 'red' }],
          items: [
            { quantity: 1, serial: 'S1' },
            { quantity: 1, serial: 'S2' },
          ],
        },
        { productCode: 'APPLE', items: [{ quantity: 3 }] },
      ],
      ...{ containerSize: 3, serviceTypeCodes: ['EXP', 'exp'], notes: [{ note: 'Fragile, please' }] },
      originAddress: { latitude: -36.8 },
    },
  )
  const repeated = await upload(`${text}\r\nIN-1\tAPPLE\t1\tS1`, { consignmentType: 1 })
  assert.deepEqual(repeated.body.ErrorMessages, [
    'Row 5: serial must not repeat a serial of the same product.',
  ])
})

test('a file in the code page of Windows keeps its letters', async () => {
  const text = `${head}\nSO-20,Café Rīga,,APPLE,1,\n`
  const utf8 = await upload(text)
  const old = await upload(Buffer.from(`${head}\nSO-21,Café,,APPLE,1,\n`, 'latin1'))
  const names = await Promise.all(
    [utf8, old].map(async ({ body: { imports } }) => {
      return (await request(imports[0].consignmentImportId)).destinationAddress.name
    }),
  )
  assert.deepEqual(names, ['Café Rīga', 'Café'])
})

test('what is wrong with the whole file, its client or its warehouse is refused at once', async () => {
  const messages = async (text: string, more: object = {}) => {
    const { status, body: answer } = await upload(text, { skipFaulty: true, ...more })
    return [status, ...answer.ErrorMessages]
  }
  assert.deepEqual(await messages('Refrence number,productCode,quantity\nSO-30,APPLE,1\n'), [
    422,
    'file has an unknown column "Refrence number"; did you mean referenceNumber?',
  ])
  assert.deepEqual(
    await messages('Order,productCode,quantity\nSO-30,APPLE,1\n', { mapping: { Order: null } }),
    [422, 'file has no column for referenceNumber.'],
  )
  assert.deepEqual(await messages(`${head}\nSO-30,Fresh, Lane,,APPLE,1,B1\n`), [
    422,
    'file has more cells than heads in line 2; a text with a comma needs quotes.',
  ])
  assert.deepEqual(await messages(`${head}\n${'SO-30,Fresh,,APPLE,1,\n'.repeat(5_001)}`), [
    422,
    'file must have at most 5,000 rows.',
  ])
  assert.deepEqual(await messages(two, { clientCode: 'SWF' }), [
    400,
    'clientCode is not the code of a client.',
  ])
  assert.deepEqual(await messages(two, { warehouseCode: 'NONE' }), [
    400,
    'warehouseCode is not the code of a warehouse.',
  ])
  assert.equal((await messages(two, { mapping: { batch: 'colour' } }))[0], 400)
})

test('a client uploads for itself only', async () => {
  const kauri = world.as(admin, { partnerId: clientId })
  const { status, body: answer } = await upload(`${head}\nSO-40,Fresh,,APPLE,1,\n`, {}, kauri)
  assert.equal(status, 200, JSON.stringify(answer))
  const [{ consignmentImportId }] = answer.imports
  assert.equal((await kauri.get(`/v1/consignment-imports/${consignmentImportId}`)).status, 200)
  assert.equal((await upload(two, { clientCode: 'NONE' }, kauri)).status, 403)
})

test('the template of a type can be filled in and uploaded', async () => {
  for (const type of [0, 1, 2]) {
    const { bytes } = await admin.get(`/v1/consignment-imports/csv-template?ConsignmentType=${type}`)
    const heads = bytes.toString().trim().split(',')
    const values: Record<string, string> = {
      referenceNumber: `T-${type}`,
      productCode: 'APPLE',
      quantity: '2',
    }
    const row = heads.map(name => values[name] ?? '').join(',')
    const { status, body: answer } = await upload(`${bytes}${row}\n`, { consignmentType: type })
    assert.equal(status, 200, JSON.stringify(answer))
    assert.equal(answer.imports[0].result, 1)
  }
})

test('five thousand rows are checked and imported within seconds', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `L-${i},Fresh,Hamilton,APPLE,1,\n`)
  const { body: answer } = await upload(`${head}\n${rows.join('')}`, { dryRun: true })
  assert.equal(answer.imports.length, 5_000)
  const stored = await upload(`${head}\n${rows.join('')}`)
  assert.equal(
    new Set(stored.body.imports.map((one: { consignmentImportId: string }) => one.consignmentImportId)).size,
    5_000,
  )
})
