// Goods found where a count did not expect them. Finds their stock row, or creates an empty one, and the
// count line for it. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { LocalTime, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { MovementCause } from '../../vocabulary/stock.ts'
import {
  type AttributeIds,
  descriptionFields,
  emptyDescription,
  findOrCreateAttributes,
  receivedDay,
  resolveDescription,
} from '../commands/goods-description.ts'
import {
  type IncomingGoods,
  type Placement,
  planIncomingGoods,
  prepareIncomingMoves,
  startMovement,
} from '../commands/incoming-goods.ts'
import {
  findLocations,
  hasLocation,
  locationFields,
  unknownLocation,
} from '../commands/location-reference.ts'
import { findProducts, type StockProduct } from '../commands/stock-products.ts'
import { createEmptyStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import { likenessOf } from './book-quantity.ts'
import type { LockedStockCount } from './stock-count.ts'

/** Found goods: what they are and where. */
export const UnexpectedGoodsInput = Type.Object({
  partnerProductId: Uuid,
  ...locationFields,
  logisticUnit: optional(UnitReference),
  ...descriptionFields,
  receivedDate: optional({
    ...LocalTime,
    description: 'the day; by default goods with the same appearance count as the same',
  }),
})
export type UnexpectedGoodsInput = Static<typeof UnexpectedGoodsInput>

/** An entry with found goods. `n` is its index in the request. */
export interface UnexpectedGoods {
  n: number
  found: UnexpectedGoodsInput
}

/** Finds the attributes that describe the goods, and creates those that the organisation lacks. */
export const findAttributesOfGoods = (tx: Tx, organisationId: string, entries: readonly UnexpectedGoods[]) =>
  findOrCreateAttributes(
    tx,
    organisationId,
    entries.map(({ found }) => found.attributes),
  )

/** Checks found goods as if they came in, with quantity 0. */
async function toFoundGoods(
  tx: Tx,
  { organisationId, warehouseId, partnerId, timezoneId }: LockedStockCount,
  entries: readonly UnexpectedGoods[],
  { attributeIds, occurredUtc }: { attributeIds: AttributeIds; occurredUtc: string | null },
  refuse: ReportEntryFault,
): Promise<(IncomingGoods & { to: Placement })[]> {
  const products = await findProducts(
    tx,
    organisationId,
    entries.map(({ found }) => found.partnerProductId),
  )
  const find = await findLocations(
    tx,
    organisationId,
    entries.map(({ found }) => ({ ...found, warehouseId })),
  )
  return entries.flatMap(({ n, found }) => {
    const product = products.get(found.partnerProductId)
    const isCounted = product && (partnerId === null || product.partnerId === partnerId)
    if (product === undefined) refuse(n, `there is no product ${found.partnerProductId}`, 'unknown_reference')
    else if (!isCounted)
      refuse(n, `${product.code} is another client’s, and the stock count is of one client`, 'wrong_client')
    const reference = { ...found, warehouseId }
    const location = hasLocation(reference) ? find(reference) : null
    if (location === undefined) refuse(n, ...unknownLocation(reference))
    if (!isCounted || location === undefined) return []
    const to = {
      ...resolveDescription(found, emptyDescription, { timezoneId, attributeIds }, (...fault) =>
        refuse(n, ...fault),
      ),
      warehouseId,
      location,
      unit: found.logisticUnit ?? null,
      mayCreateUnit: false,
      hold: null,
      receivedDate: receivedDay(found.receivedDate, timezoneId, occurredUtc, (...fault) =>
        refuse(n, ...fault),
      ),
    }
    return [{ n, product, quantity: 0n, serials: [], weightKG: null, volumeM3: null, to, isFound: true }]
  })
}

/** A stock row with the appearance of found goods. */
interface SimilarRow {
  n: number
  id: string
  /** its line in this count */
  lineId: string | null
  isDepleted: boolean
}

/**
 * Finds rows in the same location with the appearance of the goods: rows with a line in the count, and rows
 * with stock on hand.
 */
async function findSimilarRows(
  tx: Tx,
  { organisationId, id }: LockedStockCount,
  goods: readonly {
    n: number
    product: StockProduct
    receivedDate: string | null
    [fact: string]: unknown
  }[],
): Promise<(n: number) => readonly SimilarRow[]> {
  const searchInputs = goods.map(({ product, ...facts }) => ({ ...facts, productId: product.id }))
  const rows = await tx.rows<SimilarRow>(sql`
    select g.n, s.id, o.id as line_id, s.is_depleted
    from json_to_recordset(${JSON.stringify(searchInputs)}) as g (n integer, "productId" uuid,
      "warehouseLocationId" uuid, "logisticUnitId" uuid, batch text, "bestBeforeDate" date, "expiryDate" date,
      "packagingDate" date, "productionDate" date, "sellByDate" date, attributes jsonb, "receivedDate" date)
    join warehouse_product s on s.organisation_id = ${organisationId} and s.product_id = g."productId"
      and ${likenessOf('s')} = stock_likeness(g."warehouseLocationId", g."logisticUnitId", g.batch,
        g."bestBeforeDate", g."expiryDate", g."packagingDate", g."productionDate", g."sellByDate",
        g.attributes)
    left join stock_count_line o on o.organisation_id = s.organisation_id and o.warehouse_product_id = s.id
      and o.stock_count_id = ${id}
    where (o.id is not null or not s.is_depleted)
      and (g."receivedDate" is null or s.received_date = g."receivedDate")
    order by g.n, o.is_found desc nulls last, s.inventory_hold_id is not null, s.received_date desc, s.id`)
  const byEntry = Map.groupBy(rows, ({ n }) => n)
  return n => byEntry.get(n) ?? []
}

/**
 * Finds the stock row of each entry, by the entry's index, or creates an empty one. Refused entries have
 * none. Call it under the stock lock. `throwIfAny` is called before anything is created.
 */
export async function findOrCreateRowsOfGoods(
  tx: Tx,
  locked: LockedStock,
  count: LockedStockCount,
  entries: readonly UnexpectedGoods[],
  context: { attributeIds: AttributeIds; occurredUtc: string | null },
  { refuse, throwIfAny }: { refuse: ReportEntryFault; throwIfAny(): void },
): Promise<Map<number, string>> {
  const goods = await toFoundGoods(tx, count, entries, context, refuse)
  const plan = await planIncomingGoods(tx, locked, goods, refuse)
  const receivedDates = new Map(entries.map(({ n, found }) => [n, found.receivedDate]))
  const searched = goods.flatMap(({ n, product, to }, i) => {
    const place = plan.places[i]
    // There cannot be any goods on a unit that does not exist yet.
    if (!place || (place.targetUnit && !place.targetUnit.known)) return []
    const { location: _, unit: __, hold: ___, mayCreateUnit: ____, ...description } = to
    const logisticUnitId = place.targetUnit?.known?.id ?? null
    const receivedDate = receivedDates.get(n) ? to.receivedDate : null
    const { warehouseLocationId } = place
    return [{ ...description, n, product, warehouseLocationId, logisticUnitId, receivedDate }]
  })
  const similarRowsOf = await findSimilarRows(tx, count, searched)
  const rows = new Map<number, string>()
  for (const { n } of goods) {
    const lines = similarRowsOf(n).filter(({ lineId }) => lineId !== null)
    const live = lines.filter(({ isDepleted }) => !isDepleted)
    if (live.length > 1)
      refuse(
        n,
        `it may be any of ${live.length} lines: name one, ${live.map(({ lineId }) => lineId).join(' or ')}`,
        'ambiguous',
      )
    const row = live[0] ?? lines[0] ?? similarRowsOf(n)[0]
    if (row) rows.set(n, row.id)
  }
  throwIfAny()
  const isNew = goods.map(({ n }) => !rows.has(n))
  const moves = await prepareIncomingMoves(
    tx,
    locked,
    null,
    { goods: goods.filter((_, i) => isNew[i]), places: plan.places.filter((_, i) => isNew[i]) },
    startMovement(context.occurredUtc, MovementCause.Count, ''),
  )
  for (const [i, { n }] of goods.filter((_, i) => isNew[i]).entries()) rows.set(n, moves[i]?.to as string)
  await createEmptyStockRows(
    tx,
    locked,
    moves.map(({ to }) => to),
  )
  return rows
}

/**
 * Returns the count's lines for the rows, by row id. Creates missing lines, except for rows that have a line
 * in another open count.
 */
export async function createCountLines(
  tx: Tx,
  { organisationId, id }: LockedStockCount,
  warehouseProductIds: readonly string[],
): Promise<Map<string, string>> {
  if (warehouseProductIds.length === 0) return new Map()
  await tx.run(sql`
    insert into stock_count_line (organisation_id, id, stock_count_id, warehouse_product_id, is_found)
    select ${organisationId}, uuidv7(), ${id}, g.id, true from (
      select distinct id from unnest(${warehouseProductIds}::uuid[]) as g (id) order by id
    ) g
    on conflict do nothing`)
  const lines = await tx.rows<{ warehouseProductId: string; id: string }>(sql`
    select warehouse_product_id, id from stock_count_line where organisation_id = ${organisationId}
      and stock_count_id = ${id} and warehouse_product_id = any(${warehouseProductIds})`)
  return new Map(lines.map(line => [line.warehouseProductId, line.id]))
}
