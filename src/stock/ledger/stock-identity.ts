// Stock rows: what goods must have in common to share a row, finding it, and planning one that is missing.
// Spec 2.14.

import { empty, type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import type { LockedStock } from './stock-lock.ts'

/** The fields that describe stock, apart from its attributes. */
export const descriptionFieldNames = [
  'batch',
  'bestBeforeDate',
  'expiryDate',
  'packagingDate',
  'productionDate',
  'sellByDate',
] as const
export type DescriptionField = (typeof descriptionFieldNames)[number]

/** What these fields are called in sentences. */
export const descriptionNouns: Record<DescriptionField, string> = {
  batch: 'batch',
  bestBeforeDate: 'best before date',
  expiryDate: 'expiry date',
  packagingDate: 'packaging date',
  productionDate: 'production date',
  sellByDate: 'sell by date',
}

/** The description of goods in stock. Goods that differ in any of it are in different rows. */
export interface StockDescription {
  batch: string | null
  /** plain dates, YYYY-MM-DD */
  bestBeforeDate: string | null
  expiryDate: string | null
  packagingDate: string | null
  productionDate: string | null
  sellByDate: string | null
  /** sorted by id */
  attributes: readonly { productAttributeId: string; description: string | null }[]
}

/** The identity of a stock row, which never changes, unlike its quantities. */
export interface StockIdentity extends StockDescription {
  warehouseId: string
  partnerId: string
  productId: string
  warehouseLocationId: string
  logisticUnitId: string | null
  inventoryHoldId: string | null
  /** YYYY-MM-DD */
  receivedDate: string
}

/** A row of stock that does not exist yet. */
export interface NewStockRow extends Omit<StockIdentity, 'attributes'> {
  id: string
  /** as JSON text */
  attributes: string
}

const identityFields = {
  ...{ warehouseId: 'uuid', partnerId: 'uuid', productId: 'uuid' },
  ...{ warehouseLocationId: 'uuid', logisticUnitId: 'uuid', inventoryHoldId: 'uuid', batch: 'text' },
  ...{ bestBeforeDate: 'date', expiryDate: 'date', packagingDate: 'date', productionDate: 'date' },
  ...{ sellByDate: 'date', receivedDate: 'date', attributes: 'jsonb' },
}
const newRowFields = { id: 'uuid', ...identityFields }

/** New rows as a table to select from. */
export const newRowTable = (rows: readonly NewStockRow[]): Sql => tableOf('g', newRowFields, rows)

/** The start of a statement that inserts rows of stock; `figures` names the columns that follow. */
export const insertRowsInto = (figures: Sql = empty): Sql => sql`
  insert into warehouse_product (organisation_id, id, warehouse_id, partner_id, product_id,
    warehouse_location_id, logistic_unit_id, inventory_hold_id, batch, best_before_date, expiry_date,
    packaging_date, production_date, sell_by_date, received_date, attributes, is_quarantined ${figures})`

/** Selects what a new row `g` in a location `l` is. */
export const selectNewRow = (organisationId: string): Sql => sql`
  select ${organisationId}::uuid, g.id, g."warehouseId", g."partnerId", g."productId",
    g."warehouseLocationId", g."logisticUnitId", g."inventoryHoldId", g.batch, g."bestBeforeDate",
    g."expiryDate", g."packagingDate", g."productionDate", g."sellByDate", g."receivedDate", g.attributes,
    l.type = ${LocationType.Quarantine}`

/** Joins the location of a new row `g` as `l`. */
export const joinNewRowLocation = (organisationId: string): Sql => sql`
  join warehouse_location l on l.organisation_id = ${organisationId} and l.id = g."warehouseLocationId"`

/** The rows that were planned under a lock and are not written yet, by product and identity. */
const plannedRows = new WeakMap<LockedStock, Map<string, NewStockRow>>()

/**
 * Finds the row of each identity, or plans one, which `post` creates with the goods that it brings. Returns
 * their ids in the order of the identities.
 *
 * A row on a logistic unit that is listed is created at once, and empty: it would change the unit's entry,
 * and entries are locked in one order, by the statement that fills and empties rows.
 * @throws Error if the stock is not locked.
 */
export async function findOrCreateStockRows(
  tx: Tx,
  locked: LockedStock,
  identities: readonly StockIdentity[],
): Promise<string[]> {
  if (identities.length === 0) return []
  const unlocked = identities.find(identity => !locked.covers(identity))
  if (unlocked) throw new Error(`Stock of product ${unlocked.productId} is not locked.`)
  const { organisationId } = locked
  const inputs = identities.map((identity, n) => ({
    ...identity,
    attributes: JSON.stringify(identity.attributes),
    n,
  }))
  const rows = await tx.rows<{ n: number; id: string | null; identity: string; isListed: boolean }>(sql`
    with wanted as materialized (
      select g.n, g."productId", g."logisticUnitId", stock_identity("warehouseLocationId", "logisticUnitId",
        "inventoryHoldId", batch, "bestBeforeDate", "expiryDate", "packagingDate", "productionDate",
        "sellByDate", "receivedDate", attributes) as identity
      from ${tableOf('g', { n: 'integer', ...identityFields }, inputs)}
    )
    select g.n, p.id, g.identity, p.id is null and g."logisticUnitId" is not null and exists (
        select from inventory_listing l
        where l.organisation_id = ${organisationId} and l.entry_id = g."logisticUnitId" offset 0
      ) as is_listed
    from wanted g left join lateral (
      select p.id from warehouse_product p where p.organisation_id = ${organisationId}
        and p.product_id = g."productId" and p.identity = g.identity offset 0
    ) p on true
    order by g.n`)
  const planned = plannedRows.get(locked) ?? new Map<string, NewStockRow>()
  plannedRows.set(locked, planned)
  const onListedUnits: string[] = []
  const ids = rows.map(({ n, id, identity, isListed }) => {
    if (id !== null) return id
    const { n: _, ...input } = inputs[n] as (typeof inputs)[number]
    const key = `${input.productId} ${identity}`
    const row = planned.get(key) ?? { ...input, id: newId() }
    planned.set(key, row)
    if (isListed) onListedUnits.push(row.id)
    return row.id
  })
  await createEmptyStockRows(tx, locked, onListedUnits)
  return ids
}

/** Returns those of the rows that are planned and not written yet. Whoever takes them writes them. */
export function takePlannedRows(locked: LockedStock, ids: ReadonlySet<string>): NewStockRow[] {
  const planned = plannedRows.get(locked)
  if (planned === undefined) return []
  const taken = [...planned].filter(([, { id }]) => ids.has(id))
  for (const [key] of taken) planned.delete(key)
  return taken.map(([, row]) => row)
}

/** Creates those of the rows that are planned, without goods: a stock count may find that there are none. */
export async function createEmptyStockRows(
  tx: Tx,
  locked: LockedStock,
  ids: readonly string[],
): Promise<void> {
  const rows = takePlannedRows(locked, new Set(ids))
  if (rows.length === 0) return
  const { organisationId } = locked
  await tx.run(sql`${insertRowsInto()} ${selectNewRow(organisationId)}
    from ${newRowTable(rows)} ${joinNewRowLocation(organisationId)}`)
}
