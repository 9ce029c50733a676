// The stock that commands name: by the id of its row, or by what it is, since a device that is offline cannot
// know ids that do not exist yet. Spec 2.14.

import { type Db, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { snakeCase } from '../../platform/database/write.ts'
import { collectFaults, isProblem, type Problem } from '../../platform/http/entry-faults.ts'
import { LocalTime, named, optional, ShortText, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import type { Finding } from '../../platform/http/validation.ts'
import type { LockedStock, LockTarget } from '../ledger/stock-lock.ts'
import { Sscc } from '../logistic-units/unit-references.ts'
import { descriptionFields } from './goods-description.ts'
import { locationFields } from './location-reference.ts'
import { numberOf } from './quantities.ts'
import { descriptionFieldNames } from './stock-products.ts'
import { readStockById, type StockRow } from './stock-rows.ts'

const selectorFields = {
  warehouseId: optional(Uuid),
  ...locationFields,
  logisticUnit: optional(
    Type.Object({
      logisticUnitId: optional(Uuid),
      ssccNumber: optional(Sscc),
      referenceNumber: optional(ShortText),
    }),
  ),
  inventoryHoldId: optional(Uuid),
  ...descriptionFields,
  receivedDate: optional(LocalTime),
}

/** Stock by what it is. */
export const StockReference = named(
  'StockReference',
  Type.Object(
    { partnerProductId: Uuid, ...selectorFields },
    {
      description:
        'Stock by what it is: a field that is left out may be anything, and one of null has to be empty ' +
        '(logisticUnit null: loose; inventoryHoldId null: not held). Of a date and time the day counts. ' +
        'One row on hand must be meant.',
    },
  ),
)
export type StockReference = Static<typeof StockReference>

/** How an entry of a command names a row of stock. */
export const stockFields = { warehouseProductId: optional(Uuid), stock: optional(StockReference) }

/** Stock as an entry names it. */
export interface StockSelector {
  warehouseProductId?: string | null | undefined
  stock?: StockReference | null | undefined
}

/** The fault of an entry that names its stock in no way or in two; `path` leads to the entry. */
export function selectorFaults(path: string, entry: unknown): Finding[] {
  const { warehouseProductId, stock } = (entry ?? {}) as StockSelector
  if (Boolean(warehouseProductId) !== Boolean(stock)) return []
  return [{ path, problem: 'must name its stock, either by warehouseProductId or by stock' }]
}

/** The fault of an entry that names its stock in two ways, where it need not name any. */
export function optionalSelectorFaults(path: string, entry: unknown): Finding[] {
  const { warehouseProductId, stock } = (entry ?? {}) as StockSelector
  if (!warehouseProductId || !stock) return []
  return [{ path, problem: 'must name its stock in one way, by warehouseProductId or by stock' }]
}

/** A row that an entry may mean. */
export interface StockMatch extends LockTarget {
  id: string
  partnerId: string
}

/** So many rows are told where several are meant. */
const maxListedMatches = 10

/**
 * Finds the rows that entries may mean, for each entry in its place: what has to be locked before it can be
 * said which. None for an entry that names no stock. `warehouseId` is where all of them have to be, if
 * anywhere.
 */
export async function matchStock(
  db: Db,
  organisationId: string,
  entries: readonly StockSelector[],
  warehouseId: string | null = null,
): Promise<StockMatch[][]> {
  const byId = entries.flatMap(({ warehouseProductId }, n) =>
    warehouseProductId ? { n, warehouseProductId } : [],
  )
  const byWhat = entries.flatMap(({ stock }, n) =>
    stock ? { n, ...stock, ...stock.logisticUnit, told: Object.keys(stock).filter(isGiven(stock)) } : [],
  )
  if (byId.length + byWhat.length === 0) return entries.map(() => [])
  const found = await db.rows<StockMatch & { n: number }>(
    join(
      [
        sql`
    select g.n, p.id, p.warehouse_id, p.partner_id, p.product_id
    from json_to_recordset(${JSON.stringify(byId)}) as g (n integer, "warehouseProductId" uuid)
    join warehouse_product p on p.organisation_id = ${organisationId} and p.id = g."warehouseProductId"
    where ${warehouseId}::uuid is null or p.warehouse_id = ${warehouseId}`,
        sql`
    select g.n, p.* from json_to_recordset(${JSON.stringify(byWhat)}) as g (n integer, told jsonb,
      "partnerProductId" uuid, "warehouseId" uuid, "warehouseLocationId" uuid, "locationName" text,
      "logisticUnitId" uuid, "ssccNumber" text, "referenceNumber" text, "inventoryHoldId" uuid, batch text,
      "bestBeforeDate" text, "expiryDate" text, "packagingDate" text, "productionDate" text,
        "sellByDate" text,
      "receivedDate" text, attributes jsonb)
    cross join lateral (
      select p.id, p.warehouse_id, p.partner_id, p.product_id
      from warehouse_product p
      join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
      left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
      where p.organisation_id = ${organisationId} and p.product_id = g."partnerProductId"
        and not p.is_depleted and (${warehouseId}::uuid is null or p.warehouse_id = ${warehouseId})
        and ${selectorMatches}
      order by p.id limit ${maxListedMatches + 1}
    ) p`,
      ],
      ' union all ',
    ),
  )
  const matches: StockMatch[][] = entries.map(() => [])
  for (const { n, ...match } of found) matches[n]?.push(match)
  return matches
}

/** A field counts where it is there, null included; of places and the warehouse null is no place. */
const isGiven = (stock: StockReference) => (field: string) =>
  stock[field as keyof StockReference] !== undefined &&
  (stock[field as keyof StockReference] !== null ||
    !['warehouseId', 'warehouseLocationId', 'locationName'].includes(field))

/** That a date of a row is what a reference says. */
const dateMatches = (field: string): Sql => {
  const given = raw(`g."${field}"`)
  const column = raw(snakeCase(field))
  return sql`(not g.told ? ${field} or p.${column} is not distinct from left(${given}, 10)::date)`
}

/** That a row is what a reference says. */
const selectorMatches = sql`
  (not g.told ? 'warehouseId' or p.warehouse_id = g."warehouseId")
  and (not g.told ? 'warehouseLocationId' or p.warehouse_location_id = g."warehouseLocationId")
  and (not g.told ? 'locationName' or lower(l.name) = lower(g."locationName"))
  and (not g.told ? 'logisticUnit' or case
    when g."logisticUnitId" is not null then p.logistic_unit_id = g."logisticUnitId"
    when g."ssccNumber" is not null then u.sscc_number = g."ssccNumber"
    when g."referenceNumber" is not null then lower(u.reference_number) = lower(g."referenceNumber")
    else p.logistic_unit_id is null end)
  and (not g.told ? 'inventoryHoldId' or p.inventory_hold_id is not distinct from g."inventoryHoldId")
  and (not g.told ? 'batch' or p.batch is not distinct from nullif(g.batch, ''))
  and ${join(descriptionFieldNames.filter(field => field !== 'batch').map(dateMatches), ' and ')}
  and (not g.told ? 'receivedDate' or p.received_date = left(g."receivedDate", 10)::date)
  and (not g.told ? 'attributes' or jsonb_array_length(p.attributes) = coalesce(jsonb_array_length(case
      when jsonb_typeof(g.attributes) = 'array' then g.attributes end), 0)
    and not exists (
      select from jsonb_to_recordset(case when jsonb_typeof(g.attributes) = 'array' then g.attributes
          else '[]' end) as a ("productAttributeId" uuid, name text, description text)
      where not exists (
        select from jsonb_to_recordset(p.attributes) as o ("productAttributeId" uuid, description text)
        join product_attribute t on t.organisation_id = p.organisation_id and t.id = o."productAttributeId"
        where coalesce(a."productAttributeId" = t.id, lower(trim(a.name)) = lower(t.name))
          and nullif(a.description, '') is not distinct from o.description)))`

/**
 * The ids of the rows that each entry may mean. Where all entries name rows by their ids nothing is asked,
 * and there may be no such rows.
 */
export async function findRowIds(
  db: Db,
  organisationId: string,
  entries: readonly StockSelector[],
  warehouseId: string | null = null,
): Promise<string[][]> {
  if (entries.every(({ stock }) => !stock))
    return entries.map(({ warehouseProductId: id }) => (id ? [id.toLowerCase()] : []))
  const matches = await matchStock(db, organisationId, entries, warehouseId)
  return matches.map(rows => rows.map(({ id }) => id))
}

/**
 * Reads the rows that entries name, under the lock, which may have been asked for just before. In the place
 * of each entry stands its row, or why there is none. What came to be since the lock was asked for, of
 * products that it does not cover, is not seen.
 */
export async function readSelectedStock(
  db: Db,
  organisationId: string,
  locking: Pick<LockedStock, 'covers'> | Promise<LockedStock>,
  entries: readonly StockSelector[],
  warehouseId: string | null = null,
): Promise<(StockRow | Problem)[]> {
  const named = await findRowIds(db, organisationId, entries, warehouseId)
  const rows = await readStockById(db, organisationId, [...new Set(named.flat())])
  const locked = await locking
  const isThere = (row: StockRow) =>
    locked.covers(row) && (warehouseId === null || row.warehouseId === warehouseId)
  return entries.map((entry, n): StockRow | Problem => {
    const meant = (named[n] ?? []).flatMap(id => rows.get(id) ?? []).filter(isThere)
    const [only] = meant
    if (only === undefined)
      return entry.warehouseProductId
        ? [`warehouseProductId ${entry.warehouseProductId} names no stock`, 'unknown_reference']
        : ['nothing on hand is what stock says', 'unknown_reference']
    return meant.length === 1 ? only : [describeAmbiguity(meant), 'invalid']
  })
}

/**
 * The entries, each that says what its stock is with the id of that row. Ask under the lock. Throws 400 with
 * a sentence for each that means no row or several.
 */
export async function resolveRowIds<Entry extends StockSelector>(
  db: Db,
  locked: LockedStock,
  entries: readonly Entry[],
  { array, warehouseId }: { array: string | ((entry: number) => string); warehouseId: string | null },
): Promise<Entry[]> {
  const described = entries.map(({ stock }) => ({ stock }))
  const rows = await readSelectedStock(db, locked.organisationId, locked, described, warehouseId)
  const faults = collectFaults()
  const nameOf = typeof array === 'string' ? (n: number) => `${array}[${n}]` : array
  const found = entries.map((entry, n) => {
    const row = rows[n]
    if (!entry.stock || row === undefined) return entry
    if (!isProblem(row)) return { ...entry, stock: null, warehouseProductId: row.id }
    faults.add(nameOf(n), ...row)
    return entry
  })
  faults.throwIfAny()
  return found
}

function describeAmbiguity(rows: readonly StockRow[]): string {
  const told = rows.slice(0, maxListedMatches).map(describeRow).join('; ')
  const count = rows.length > maxListedMatches ? `more than ${maxListedMatches}` : rows.length
  return `stock may be any of ${count} rows, so say which: ${told}${rows.length > maxListedMatches ? '; …' : ''}`
}

/** A row for somebody who has to tell it from others. */
function describeRow(row: StockRow): string {
  const facts = [
    row.logisticUnitNumber,
    row.inventoryHoldId && 'held',
    row.batch && `batch ${row.batch}`,
    row.bestBeforeDate && `best before ${row.bestBeforeDate}`,
    row.expiryDate && `expires ${row.expiryDate}`,
    row.packagingDate && `packed ${row.packagingDate}`,
    row.productionDate && `produced ${row.productionDate}`,
    row.sellByDate && `sell by ${row.sellByDate}`,
    `received ${row.receivedDate}`,
  ].filter(Boolean)
  return (
    `${row.id} (${numberOf(row.onHand)} of ${row.productCode} in ${row.locationName}, ` +
    `${facts.join(', ')})`
  )
}
