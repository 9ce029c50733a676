// Creates, lists and reads stock counts. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import { endpoint } from '../../access/endpoint.ts'
import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { type Fault, faultAt } from '../../platform/http/fault.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import {
  IntegerEnum,
  LocalTime,
  named,
  nullable,
  optional,
  ShortText,
  type Static,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { parseLocalTime } from '../../platform/local-time.ts'
import { newId } from '../../platform/new-id.ts'
import { StockCountLineStatus, StockCountStatus } from '../../vocabulary/stock.ts'
import { stockCommand } from '../commands/stock-command.ts'
import { visibleCounts } from './stock-count.ts'

const Text = Type.String()

const StockCount = named(
  'StockCount',
  Type.Object({
    stockCountId: Uuid,
    stockCountNumber: Text,
    status: IntegerEnum(StockCountStatus),
    isBlind: Type.Boolean({ description: 'Whether book quantities are hidden from people who count.' }),
    warehouseId: Uuid,
    warehouseCode: Text,
    warehouseName: Text,
    partnerId: nullable(Uuid),
    partnerCode: nullable(Text),
    partnerName: nullable(Text),
    reference: nullable(Text),
    dueDateTime: nullable(LocalTime),
    createdUtc: UtcTime,
    createdByName: nullable(Text),
    lineCount: Type.Integer(),
    countedLineCount: Type.Integer({ description: 'counted and not yet approved' }),
    approvedLineCount: Type.Integer(),
  }),
)

const { Counted, Approved } = StockCountLineStatus

/** The columns of a count, from `counts` and `lineCounts`. */
const columns = sql`c.id as stock_count_id, c.stock_count_number, c.status, c.is_blind, c.warehouse_id,
  w.code as warehouse_code, w.name as warehouse_name, c.partner_id, p.code as partner_code,
  p.name as partner_name, c.reference, c.due_date_time, c.created_utc, c.created_by_name,
  n.line_count, n.counted_line_count, n.approved_line_count`
const counts = sql`stock_count c
  join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
  left join partner p on p.organisation_id = c.organisation_id and p.id = c.partner_id`
const lineCounts = sql`cross join lateral (
  select count(*) as line_count, count(*) filter (where l.status = ${Counted}) as counted_line_count,
    count(*) filter (where l.status = ${Approved}) as approved_line_count
  from stock_count_line l where l.organisation_id = c.organisation_id and l.stock_count_id = c.id
) n`

const Ids = Type.Array(Uuid, { minItems: 1, maxItems: 1_000 })
const newCountFields = {
  warehouseId: Uuid,
  partnerId: optional({ ...Uuid, description: 'the client whose goods are counted; by default all clients' }),
  warehouseZoneId: optional(Uuid),
  warehouseLocationIds: optional(Ids),
  partnerProductIds: optional(Ids),
  isBlind: optional(
    Type.Boolean({ description: 'whether book quantities are hidden from people who count; default true' }),
  ),
  reference: optional(ShortText),
  dueDateTime: optional(LocalTime),
}
const NewStockCount = Type.Object(newCountFields)
type NewStockCount = Static<typeof NewStockCount>

/**
 * Returns the time zone of the warehouse.
 * @throws 400 if the warehouse, partner, zone, a location or a product does not exist.
 */
async function requireKnownScope(tx: Tx, organisationId: string, body: NewStockCount): Promise<string> {
  const { warehouseId, partnerId, warehouseZoneId, warehouseLocationIds, partnerProductIds } = body
  const own = sql`organisation_id = ${organisationId}`
  const firstMissing = (ids: readonly string[] | null | undefined, known: Sql) => sql`(
    select min(g.id::text) from unnest(${ids ?? []}::uuid[]) as g (id)
    where not exists (select from ${known} and k.id = g.id))`
  const found = await tx.row<{
    timezoneId: string | null
    partner: string | null
    zone: string | null
    location: string | null
    product: string | null
  }>(sql`
    select (select timezone_id from warehouse where ${own} and id = ${warehouseId}) as timezone_id,
      ${firstMissing(partnerId ? [partnerId] : [], sql`partner k where ${own}`)} as partner,
      ${firstMissing(
        warehouseZoneId ? [warehouseZoneId] : [],
        sql`warehouse_zone k where ${own} and k.warehouse_id = ${warehouseId}`,
      )} as zone,
      ${firstMissing(
        warehouseLocationIds,
        sql`warehouse_location k where ${own} and k.warehouse_id = ${warehouseId}`,
      )} as location,
      ${firstMissing(
        partnerProductIds,
        sql`product k where ${own} ${partnerId ? sql`and k.partner_id = ${partnerId}` : empty}`,
      )} as product`)
  const { timezoneId, partner, zone, location, product } = found
  const faults = [
    ...(timezoneId === null
      ? [faultAt('warehouseId', 'does not refer to a warehouse', 'unknown_reference')]
      : []),
    ...(partner === null ? [] : [faultAt('partnerId', 'does not refer to a partner', 'unknown_reference')]),
    ...(zone === null
      ? []
      : [faultAt('warehouseZoneId', 'does not refer to a zone of the warehouse', 'unknown_reference')]),
    ...(location === null
      ? []
      : [missingFault('warehouseLocationIds', `there is no location ${location} in that warehouse`)]),
    ...(product === null ? [] : [missingFault('partnerProductIds', `there is no product ${product}`)]),
  ]
  if (timezoneId === null || faults.length > 0) throw verificationFailed(...faults)
  return timezoneId
}

const missingFault = (path: string, problem: string): Fault => ({
  path,
  code: 'unknown_reference',
  message: `${path}: ${problem}.`,
})

/** Creates the count, without lines, and returns its number. */
async function createCount(tx: Tx, actor: Actor, id: string, body: NewStockCount, timezoneId: string) {
  const { organisationId, userId } = actor
  const { warehouseId, partnerId, isBlind, reference, dueDateTime } = body
  const due = dueDateTime ? parseLocalTime(dueDateTime, timezoneId) : null
  const { stockCountNumber } = await tx.row<{ stockCountNumber: string }>(sql`
    with counted as (
      update organisation set last_stock_count_number = last_stock_count_number + 1
      where id = ${organisationId} returning last_stock_count_number as n
    )
    insert into stock_count (organisation_id, id, number, stock_count_number, warehouse_id, partner_id,
      is_blind, reference, due_date_time, created_by, created_by_name)
    select ${organisationId}, ${id}, n, 'SC-' || lpad(n::text, greatest(6, length(n::text)), '0'),
      ${warehouseId}, ${partnerId ?? null}, ${isBlind ?? true}, ${reference || null}, ${due}::timestamp,
      ${userId}, user_name(${organisationId}, ${userId})
    from counted returning stock_count_number`)
  return stockCountNumber
}

/**
 * Creates a line for every stock row on hand in the scope, except for rows with a line in another open count.
 * Returns how many lines it created and how many rows it left out.
 */
const createLines = (tx: Tx, organisationId: string, id: string, body: NewStockCount) => {
  const { warehouseId, partnerId, warehouseZoneId, warehouseLocationIds, partnerProductIds } = body
  return tx.row<{ lineCount: number; inOtherCounts: number }>(sql`
    with live as materialized (
      select r.id from warehouse_product r
      join warehouse_location l on l.organisation_id = r.organisation_id and l.id = r.warehouse_location_id
      where r.organisation_id = ${organisationId} and r.warehouse_id = ${warehouseId} and not r.is_depleted
        ${partnerId ? sql`and r.partner_id = ${partnerId}` : empty}
        ${warehouseZoneId ? sql`and l.warehouse_zone_id = ${warehouseZoneId}` : empty}
        ${warehouseLocationIds ? sql`and l.id = any(${warehouseLocationIds})` : empty}
        ${partnerProductIds ? sql`and r.product_id = any(${partnerProductIds})` : empty}
    ), made as (
      insert into stock_count_line (organisation_id, id, stock_count_id, warehouse_product_id)
      select ${organisationId}, uuidv7(), ${id}, live.id from live order by live.id
      on conflict (organisation_id, warehouse_product_id) where is_open do nothing
      returning id
    )
    select (select count(*) from made) as line_count,
      (select count(*) from live) - (select count(*) from made) as in_other_counts`)
}

const nothingToCount = ({ inOtherCounts }: { inOtherCounts: number }) =>
  inOtherCounts > 0
    ? 'Nothing is left to count: ' +
      (inOtherCounts === 1
        ? 'the row of stock there is in another open stock count.'
        : `all ${inOtherCounts} rows of stock there are in other open stock counts.`)
    : 'There is no stock to count there. To look at empty locations, name them in warehouseLocationIds.'

export const stockCounts = [
  stockCommand({
    post: '/v1/stock-counts',
    name: 'createStockCount',
    scope: 'inventory',
    summary: 'Create a stock count',
    description:
      'The count starts as a Draft with a line for every stock row on hand in the warehouse, optionally ' +
      'limited to a client, zone, locations and products. Rows with a line in another open count are left ' +
      'out; inOtherCounts is their number. Without anything to count it is refused, unless locations are ' +
      'named.',
    bodyName: 'NewStockCount',
    body: newCountFields,
    answer: named(
      'StockCountCreated',
      Type.Object({
        stockCountId: Uuid,
        stockCountNumber: Text,
        lineCount: Type.Integer(),
        inOtherCounts: Type.Integer(),
      }),
    ),
    creates: 'stockCountId',
    async run({ tx, actor, body }) {
      const timezoneId = await requireKnownScope(tx, actor.organisationId, body)
      const stockCountId = newId()
      const stockCountNumber = await createCount(tx, actor, stockCountId, body, timezoneId)
      const created = await createLines(tx, actor.organisationId, stockCountId, body)
      // Whoever names locations may want to see that they are empty.
      if (created.lineCount === 0 && !body.warehouseLocationIds)
        throw verificationFailed(nothingToCount(created))
      return { stockCountId, stockCountNumber, ...created }
    },
  }),
  endpoint({
    get: '/v1/stock-counts',
    name: 'listStockCounts',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'List stock counts, latest first',
    description: 'A token that belongs to a client sees only the counts of that client’s goods.',
    query: pageQuery({
      SearchText: searchIn('stock count number and reference'),
      Status: Type.Optional(IntegerEnum(StockCountStatus)),
      WarehouseId: Type.Optional(Uuid),
      PartnerId: Type.Optional(Uuid),
    }),
    response: json(pageOf('stockCounts', StockCount)),
    handle({ db, actor, query: { SearchText, Status, WarehouseId, PartnerId, ...page } }) {
      const where = sql`where ${visibleCounts(actor)}
        ${SearchText ? sql`and ${contains(sql`c.search_text`, SearchText)}` : empty}
        ${Status === undefined ? empty : sql`and c.status = ${Status}`}
        ${WarehouseId === undefined ? empty : sql`and c.warehouse_id = ${WarehouseId}`}
        ${PartnerId === undefined ? empty : sql`and c.partner_id = ${PartnerId}`}`
      return readPage(db, 'stockCounts', page, {
        columns,
        from: sql`${counts} ${lineCounts} ${where}`,
        order: sql`c.number desc, c.id`,
        total: sql`select count(*) from stock_count c ${where}`,
      })
    },
  }),
  endpoint({
    get: '/v1/stock-counts/:stockCountId',
    name: 'getStockCount',
    partners: 'clients',
    scope: 'inventory.read',
    extension: true,
    summary: 'Read a stock count',
    response: json(StockCount),
    async handle({ db, actor, params }) {
      const count = await db.maybe<Static<typeof StockCount>>(sql`
        select ${columns} from ${counts} ${lineCounts} where ${visibleCounts(actor)}
          and c.id = ${params.stockCountId}`)
      if (count === undefined) throw notFound('Stock count')
      return count
    },
  }),
]
