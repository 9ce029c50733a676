// The products of all clients, and what is in stock of each.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openStock } from '../support/given-stock.ts'
import type { Caller } from '../support/harness.ts'

const world = await openStock()
const { admin, as, database, clientId, carrierId, products, stored } = world
const other = await admin.post('/v1/partners', { name: 'Rimu Nuts', code: 'RIMU', relationship: 1 })
const otherId: string = other.body.partnerId
const made = await admin.post(`/v1/partners/${otherId}/products`, {
  ...{ code: 'ACID', name: 'Peracetic acid', isDangerousGood: true, status: 2 },
})
const acid: string = made.body.partnerProductId

interface Row {
  id: string
  code: string
  partnerId: string
  partnerCode: string
  status: number
  onHandQuantity: number
  availableQuantity: number
}

const list = async (query = '', by: Caller = admin): Promise<Row[]> => {
  const { status, body } = await by.get(`/v1/products?PageSize=500&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.products.length)
  return body.products
}
const codes = async (query?: string, by?: Caller) => (await list(query, by)).map(({ code }) => code)

test('products of all clients are listed by their codes, with their client and stock', async () => {
  const row = await stored(40)
  await stored(2.5, { warehouseLocationId: world.locations.Q1 })
  await stored(5, { batch: 'GONE' }, {})
  const rows = await list()
  assert.deepEqual(
    rows.map(({ code }) => code),
    rows.map(({ code }) => code).toSorted(),
  )
  const apple = rows.find(({ id }) => id === products.APPLE)
  assert.deepEqual(
    [apple?.partnerId, apple?.status, apple?.onHandQuantity, apple?.availableQuantity],
    [clientId, 1, 47.5, 45],
  )
  const own = (await admin.get(`/v1/partners/${clientId}/products`)).body.products
  for (const product of own)
    assert.deepEqual(
      { ...rows.find(({ id }) => id === product.id), ...product },
      {
        ...rows.find(({ id }) => id === product.id),
      },
    )
  const nothing = rows.find(({ id }) => id === acid)
  assert.deepEqual([nothing?.partnerCode, nothing?.onHandQuantity], ['RIMU', 0])
  assert.ok(row)
})

test('clients, a text, a group, dangerous goods and the status narrow the list', async () => {
  assert.deepEqual(await codes(`PartnerId=${otherId}`), ['ACID'])
  assert.equal((await codes(`PartnerId=${otherId}&PartnerId=${clientId}`)).length, (await codes()).length)
  assert.deepEqual(await codes('SearchText=PERACETIC'), ['ACID'])
  assert.deepEqual(await codes('IsDangerousGood=true'), ['ACID'])
  assert.deepEqual(await codes('ProductStatus=2'), ['ACID'])
  assert.ok(!(await codes('ProductStatus=1')).includes('ACID'))
  assert.deepEqual(await codes(`ProductGroupId=${acid}`), [])
})

test("a client's token lists its own products, whatever it asks for; a carrier's is refused", async () => {
  const client = as(admin, { partnerId: otherId })
  assert.deepEqual(await codes('', client), ['ACID'])
  assert.deepEqual(await codes(`PartnerId=${clientId}`, client), [])
  assert.equal((await as(admin, { partnerId: carrierId }).get('/v1/products')).status, 403)
})

test('a page of the list is read from its index, and stock without what is gone', async () => {
  const { organisationId } = admin.actor
  const planOf = async (query: ReturnType<typeof sql>) => {
    const lines = await database.inOneStatement(tx =>
      tx.rows<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${query}`),
    )
    return lines.map(line => line['QUERY PLAN']).join('\n')
  }
  // A few rows would be read as a whole; many are what the indexes are for.
  await database.inOneStatement(tx =>
    tx.run(sql`
      insert into product (organisation_id, id, partner_id, code, name)
      select ${organisationId}, gen_random_uuid(), ${otherId}, 'MANY-' || n, 'Many'
      from generate_series(1, 20000) n`),
  )
  const plan = await planOf(sql`
    select d.id, (
      select sum(s.on_hand_quantity) from warehouse w join warehouse_product s
        on s.organisation_id = w.organisation_id and s.warehouse_id = w.id and s.product_id = d.id
          and not s.is_depleted
      where w.organisation_id = d.organisation_id)
    from product d where d.organisation_id = ${organisationId} order by d.code, d.id limit 100`)
  assert.match(plan, /Index (Only )?Scan using product_by_code on product/)
  assert.match(plan, /Index Scan using warehouse_product_by_\w+ on warehouse_product/)
  assert.doesNotMatch(plan, /\bSort\b/)
})
