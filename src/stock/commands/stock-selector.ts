// How commands select a row of stock: by its id, or by a description, because a device that is offline cannot
// know the ids of rows that do not exist yet. Spec 2.14.

import { type Db, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { snakeCase } from '../../platform/database/write.ts'
import { collectFaults, type FieldFault, isFieldFault } from '../../platform/http/entry-faults.ts'
import { LocalTime, named, optional, ShortText, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { descriptionFieldNames } from '../ledger/stock-identity.ts'
import type { LockedStock, LockTarget } from '../ledger/stock-lock.ts'
import { Sscc } from '../logistic-units/unit-references.ts'
import { descriptionFields } from './goods-description.ts'
import { locationFields } from './location-reference.ts'
import { numberOf } from './quantities.ts'
import { readStockRowsById, type StockRow } from './read-stock-rows.ts'

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

/** A description that selects one row of stock. */
export const StockReference = named(
  'StockReference',
  Type.Object(
    { partnerProductId: Uuid, ...selectorFields },
    {
      description:
        'Selects stock by its properties. An omitted field matches anything; null matches an empty value ' +
        '(logisticUnit null: loose; inventoryHoldId null: not held). Of a date and time only the day is ' +
        'compared. Exactly one row on hand must match.',
    },
  ),
)
export type StockReference = Static<typeof StockReference>

/** The fields by which an entry of a command selects a row of stock. */
export const stockFields = { warehouseProductId: optional(Uuid), stock: optional(StockReference) }

/** Selects a row of stock by id or by description. */
export interface StockSelector {
  warehouseProductId?: string | null | undefined
  stock?: StockReference | null | undefined
}

/** The fault of an entry that does not select its stock in exactly one way. `path` leads to the entry. */
export function selectorFaults(path: string, entry: unknown): ValidationError[] {
  const { warehouseProductId, stock } = (entry ?? {}) as StockSelector
  if (Boolean(warehouseProductId) !== Boolean(stock)) return []
  return [{ path, problem: 'must name its stock, either by warehouseProductId or by stock' }]
}

/** The fault of an entry that selects its stock in two ways, for commands in which it may select none. */
export function optionalSelectorFaults(path: string, entry: unknown): ValidationError[] {
  const { warehouseProductId, stock } = (entry ?? {}) as StockSelector
  if (!warehouseProductId || !stock) return []
  return [{ path, problem: 'must name its stock in one way, by warehouseProductId or by stock' }]
}

export interface StockMatch extends LockTarget {
  id: string
  partnerId: string
}

/** How many candidate rows an "ambiguous stock" refusal lists. */
const maxListedMatches = 10

/**
 * Finds the rows that each selector matches, in the order of the entries; none for an entry that selects no
 * stock. It runs before the stock is locked, to find out what to lock. Of a description it returns at most
 * one row more than a refusal lists. `warehouseId` restricts the search to one warehouse.
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
  const byDescription = entries.flatMap(({ stock }, n) =>
    stock ? { n, ...stock, ...stock.logisticUnit, given: Object.keys(stock).filter(isGiven(stock)) } : [],
  )
  if (byId.length + byDescription.length === 0) return entries.map(() => [])
  const found = await db.rows<StockMatch & { n: number }>(
    join(
      [
        sql`
    select g.n, p.id, p.warehouse_id, p.partner_id, p.product_id
    from json_to_recordset(${JSON.stringify(byId)}) as g (n integer, "warehouseProductId" uuid)
    join warehouse_product p on p.organisation_id = ${organisationId} and p.id = g."warehouseProductId"
    where ${warehouseId}::uuid is null or p.warehouse_id = ${warehouseId}`,
        sql`
    select g.n, p.* from json_to_recordset(${JSON.stringify(byDescription)}) as g (n integer, given jsonb,
      "partnerProductId" uuid, "warehouseId" uuid, "warehouseLocationId" uuid, "locationName" text,
      "logisticUnitId" uuid, "ssccNumber" text, "referenceNumber" text, "inventoryHoldId" uuid, batch text,
      "bestBeforeDate" text, "expiryDate" text, "packagingDate" text, "productionDate" text,
      "sellByDate" text, "receivedDate" text, attributes jsonb)
    cross join lateral (
      select p.id, p.warehouse_id, p.partner_id, p.product_id
      from warehouse_product p
      join warehouse w on w.organisation_id = p.organisation_id and w.id = p.warehouse_id
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

/** Whether a description gives a field. Null counts as given, except for a location or warehouse. */
const isGiven = (stock: StockReference) => (field: string) =>
  stock[field as keyof StockReference] !== undefined &&
  (stock[field as keyof StockReference] !== null ||
    !['warehouseId', 'warehouseLocationId', 'locationName'].includes(field))

/** The day of a date and time in warehouse `w`, as for `parseLocalDay`: only an offset makes an instant. */
const dayOf = (value: Sql): Sql => sql`case when ${value} ~ '[+-][0-9]{2}:[0-9]{2}$'
  then (${value}::timestamptz at time zone w.timezone_id)::date else left(${value}, 10)::date end`

/** The condition that a date of a row `p` is the one in a description `g`, if it gives one. */
const dateMatches = (field: string): Sql => {
  const day = dayOf(raw(`g."${field}"`))
  return sql`(not g.given ? ${field} or p.${raw(snakeCase(field))} is not distinct from ${day})`
}

/** The condition that row `p` with warehouse `w`, location `l` and unit `u` matches description `g`. */
const selectorMatches = sql`
  (not g.given ? 'warehouseId' or p.warehouse_id = g."warehouseId")
  and (not g.given ? 'warehouseLocationId' or p.warehouse_location_id = g."warehouseLocationId")
  and (not g.given ? 'locationName' or lower(l.name) = lower(g."locationName"))
  and (not g.given ? 'logisticUnit' or case
    when g."logisticUnitId" is not null then p.logistic_unit_id = g."logisticUnitId"
    when g."ssccNumber" is not null then u.sscc_number = g."ssccNumber"
    when g."referenceNumber" is not null then lower(u.reference_number) = lower(g."referenceNumber")
    else p.logistic_unit_id is null end)
  and (not g.given ? 'inventoryHoldId' or p.inventory_hold_id is not distinct from g."inventoryHoldId")
  and (not g.given ? 'batch' or lower(p.batch) is not distinct from lower(nullif(trim(g.batch), '')))
  and ${join(descriptionFieldNames.filter(field => field !== 'batch').map(dateMatches), ' and ')}
  and (not g.given ? 'receivedDate' or p.received_date = ${dayOf(raw('g."receivedDate"'))})
  and (not g.given ? 'attributes' or jsonb_array_length(p.attributes) = coalesce(jsonb_array_length(case
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
 * Finds the ids of the rows that each entry selects. If all entries give ids, no query runs, and the rows
 * need not exist.
 */
export async function findRowIds(
  db: Db,
  organisationId: string,
  entries: readonly StockSelector[],
  warehouseId: string | null = null,
): Promise<string[][]> {
  if (entries.every(({ stock }) => !stock))
    return entries.map(({ warehouseProductId: id }) => (id ? [id] : []))
  const matches = await matchStock(db, organisationId, entries, warehouseId)
  return matches.map(rows => rows.map(({ id }) => id))
}

/**
 * Reads the row that each entry selects, or a problem if it selects none or several. `locking` is the stock
 * lock or the pending request for it, so that these queries need not wait for its response. Rows of products
 * that the lock does not cover are ignored, because they were created after it was requested.
 */
export async function readSelectedStock(
  db: Db,
  organisationId: string,
  locking: Pick<LockedStock, 'covers'> | Promise<LockedStock>,
  entries: readonly StockSelector[],
  warehouseId: string | null = null,
): Promise<(StockRow | FieldFault)[]> {
  const rowIds = await findRowIds(db, organisationId, entries, warehouseId)
  const rows = await readStockRowsById(db, organisationId, [...new Set(rowIds.flat())])
  const locked = await locking
  const isLocked = (row: StockRow) =>
    locked.covers(row) && (warehouseId === null || row.warehouseId === warehouseId)
  return entries.map((entry, n): StockRow | FieldFault => {
    const matches = (rowIds[n] ?? []).flatMap(id => rows.get(id) ?? []).filter(isLocked)
    const [match] = matches
    if (match === undefined)
      return entry.warehouseProductId
        ? [`warehouseProductId ${entry.warehouseProductId} does not refer to stock`, 'unknown_reference']
        : ['nothing on hand is like the stock that is described', 'not_here']
    return matches.length === 1 ? match : [describeAmbiguity(matches), 'ambiguous']
  })
}

/**
 * Replaces the description in each entry by the id of the row that it matches. Call it under the stock lock.
 * Throws 400 with a fault for each description that matches no row or several. `array` names the entries in
 * these faults.
 */
export async function resolveRowIds<Entry extends StockSelector>(
  db: Db,
  locked: LockedStock,
  entries: readonly Entry[],
  { array, warehouseId }: { array: string | ((entry: number) => string); warehouseId: string | null },
): Promise<Entry[]> {
  const descriptions = entries.map(({ stock }) => ({ stock }))
  const rows = await readSelectedStock(db, locked.organisationId, locked, descriptions, warehouseId)
  const faults = collectFaults()
  const nameOf = typeof array === 'string' ? (n: number) => `${array}[${n}]` : array
  const resolved = entries.map((entry, n) => {
    const row = rows[n]
    if (!entry.stock || row === undefined) return entry
    if (!isFieldFault(row)) return { ...entry, stock: null, warehouseProductId: row.id }
    faults.add(nameOf(n), ...row)
    return entry
  })
  faults.throwIfAny()
  return resolved
}

function describeAmbiguity(rows: readonly StockRow[]): string {
  const hasMore = rows.length > maxListedMatches
  const list = rows.slice(0, maxListedMatches).map(describeRow).join('; ')
  const count = hasMore ? `more than ${maxListedMatches}` : rows.length
  return `stock may be any of ${count} rows, so say which: ${list}${hasMore ? '; …' : ''}`
}

/** Describes a row so that a person can tell it from similar ones. */
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
