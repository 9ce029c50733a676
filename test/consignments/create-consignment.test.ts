import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consignmentNumber } from '../../src/consignments/create-consignment.ts'
import { sql } from '../../src/platform/database/db.ts'
import { line, openImports } from '../support/given-imports.ts'

const { imported, row, world, post, drain } = await openImports()
const { database } = world

/** Quantity, weight and volume of the lines of a new consignment, as the database stores them. */
async function storedLines(...products: object[]) {
  const id = await imported({ products })
  const rows = await database.db.rows<{ amounts: string[] }>(sql`
    select array[expected_quantity::text, expected_weight_kg::text, expected_volume_m3::text] as amounts
    from consignment_product where consignment_id = ${id} order by ordinal`)
  return rows.map(({ amounts }) => amounts)
}

test('consignment numbers have the prefix, at least six digits and the type', () => {
  assert.equal(consignmentNumber('WBL', 1, 1), 'WBL-000001-IN')
  assert.equal(consignmentNumber('WBL', 42, 2), 'WBL-000042-OUT')
  assert.equal(consignmentNumber('WBL', 1_234_567, 0), 'WBL-1234567-P2P')
})

test('consignment numbers have no gaps and follow the order of the imports', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push(await post())
  await drain()
  const numbers = await Promise.all(ids.map(async id => (await row(id)).number as number))
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => (numbers[0] as number) + i),
  )
})

test('the weight and volume of a line come from its items, or else from the product', async () => {
  assert.deepEqual(
    await storedLines(
      line({ items: [{ quantity: 10 }] }),
      line({ items: [{ quantity: 10, weightKG: 3.1 }] }),
      line({ items: [{ quantity: 4, weightKG: 1, volumeM3: 0.5 }, { quantity: 6 }] }),
      line({ productCode: 'PEAR', items: [{ quantity: 10 }] }),
      line({ productCode: 'PEAR', items: [{ quantity: 1, weightKG: 0.3 }, { quantity: 2 }] }),
    ),
    [
      ['10.0000', '2.5000', '0.005000'],
      ['10.0000', '3.1000', '0.005000'],
      ['10.0000', '2.5000', '0.503000'],
      ['10.0000', null, null],
      ['3.0000', '0.3000', null],
    ],
  )
})

test('sums are exact', async () => {
  const items = Array.from({ length: 1_000 }, () => ({ quantity: 0.1, weightKG: 0.0001, volumeM3: 0.000001 }))
  assert.deepEqual(
    await storedLines(
      line({ items }),
      line({ items: [{ quantity: 33.3333 }, { quantity: 99_999_999_900.0001 }] }),
    ),
    [
      ['100.0000', '0.1000', '0.001000'],
      ['99999999933.3334', '24999999983.3334', '49999999.966667'],
    ],
  )
})

test('items, service types, tasks and notes are stored as they were sent', async () => {
  const id = await imported({
    products: [
      line({ items: [{ quantity: 2.5 }, { quantity: 1, weightKG: 1 }], attributes: [{ name: 'colour' }] }),
    ],
    serviceTypeCodes: ['EXP', 'exp'],
    tasks: [{ taskTypeCode: 'WRAP', value: 2 }],
    notes: [{ note: 'first' }, { note: 'second', displayOnPrintOut: true }],
  })
  const found = await database.db.row<Record<string, unknown>>(sql`select
    (select json_agg(json_build_array(i.ordinal, i.quantity, i.weight_kg) order by i.ordinal)
      from consignment_product_item i
      join consignment_product l on l.organisation_id = i.organisation_id and l.id = i.consignment_product_id
        where l.consignment_id = c.id) as items,
    (select json_agg(l.attributes) from consignment_product l where l.consignment_id = c.id) as attributes,
    (select count(*) from consignment_service_type s where s.consignment_id = c.id) as service_types,
    (select json_agg(value) from consignment_task t where t.consignment_id = c.id) as tasks,
    (select json_agg(json_build_array(note, display_on_print_out) order by id) from consignment_note n
      where n.consignment_id = c.id) as notes
    from consignment c where c.id = ${id}`)
  assert.deepEqual(found, {
    items: [
      [0, 2.5, null],
      [1, 1, 1],
    ],
    attributes: [[{ name: 'colour', description: null }]],
    serviceTypes: 1,
    tasks: [2],
    notes: [
      ['first', false],
      ['second', true],
    ],
  })
})
