// The entries of commands on picked goods: which goods they select, and where these go. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import type { FieldFault, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { type Static, Type, Uuid } from '../../platform/http/schema.ts'
import type { OutboundLine } from '../../stock/allocation/outbound-lines.ts'
import { convertToItems, productOfRowOrLine } from '../../stock/commands/convert-to-items.ts'
import type { StockLocation } from '../../stock/commands/location-reference.ts'
import { partFields } from '../../stock/commands/plan-take.ts'
import { numberOf, serialFaults } from '../../stock/commands/quantities.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../../stock/commands/stock-selector.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { resolveDestinationUnits } from '../../stock/logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../../stock/logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../../stock/logistic-units/unit-references.ts'
import type { PickedTransfer } from '../../stock/picking/move-picked.ts'
import type { PickedStock } from '../../stock/picking/picked-stock.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'

/**
 * The fields that select picked goods: without a row all of the line, without a quantity all that are there.
 */
export const pickedGoodsFields = {
  consignmentProductId: Uuid,
  ...stockFields,
  ...partFields,
}
const PickedEntry = Type.Object(pickedGoodsFields)
export type PickedEntry = Static<typeof PickedEntry>

/** The faults in how entries name their stock. */
export const pickedEntryFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))

/** Resolves the rows of stock of entries and converts their quantities to items. Throws 400 for faults. */
export async function resolvePickedEntries<Entry extends PickedEntry>(
  tx: Tx,
  locked: LockedStock,
  { array, warehouseId, lines }: { array: string; warehouseId: string; lines: readonly OutboundLine[] },
  entries: readonly Entry[],
): Promise<Entry[]> {
  const withRowIds = await resolveRowIds(tx, locked, entries, { array, warehouseId })
  const { organisationId } = locked
  const productOf = await productOfRowOrLine(tx, organisationId, withRowIds, lines)
  return convertToItems(tx, organisationId, withRowIds, array, productOf)
}

/** Goods that an entry selects. */
export interface PickedGoods {
  /** the index of the entry */
  n: number
  part: PickedStock
  /** ten-thousandths */
  quantity: bigint
  /** the ids of the items with serials */
  items: string[]
}

/**
 * Finds the goods that each entry selects. Goods that one entry takes are not available to the next. Faults
 * go to `refuse`, by the index of the entry.
 */
export function findPickedGoods(
  parts: readonly PickedStock[],
  entries: readonly PickedEntry[],
  refuse: ReportEntryFault,
): PickedGoods[] {
  const remaining = parts.map(part => ({ part, quantity: part.quantity, items: [...part.items] }))
  return entries.flatMap((entry, n) => {
    const { consignmentProductId, warehouseProductId, serials = [] } = entry
    const candidates = remaining.filter(
      ({ part, quantity }) =>
        quantity > 0n &&
        part.consignmentProductId === consignmentProductId &&
        (!warehouseProductId || part.row.id === warehouseProductId),
    )
    const available = candidates.reduce((all, { quantity }) => all + quantity, 0n)
    const requested = entry.quantity ? scale(4, entry.quantity) : available
    if (available === 0n) {
      refuse(n, 'nothing of the line is picked there', 'not_here')
      return []
    }
    if (requested > available) {
      refuse(
        n,
        `only ${numberOf(available)} of ${numberOf(requested)} are picked there`,
        'insufficient_stock',
      )
      return []
    }
    const wanted = new Set(serials ?? [])
    const problems = serialFaultsOfPart(candidates[0]?.part as PickedStock, {
      requested,
      available,
      wanted: [...wanted],
    })
    const known = new Set(candidates.flatMap(({ items }) => items.map(({ serial }) => serial)))
    for (const serial of wanted)
      if (!known.has(serial)) problems.push([`the serial ${serial} is not picked there`, 'serial_unknown'])
    for (const problem of problems) refuse(n, ...problem)
    if (problems.length > 0) return []
    return takeFrom(candidates, requested, wanted).map(goods => ({ ...goods, n }))
  })
}

/**
 * Picked goods with serials have all of them, whenever they were captured, so a part needs one for each item.
 */
function serialFaultsOfPart(
  { row, productCode }: PickedStock,
  { requested, available, wanted }: { requested: bigint; available: bigint; wanted: string[] },
): FieldFault[] {
  const isTracked = row.serialTrackingMode !== SerialTrackingMode.None
  const product = {
    code: productCode,
    serialTrackingMode: isTracked ? SerialTrackingMode.FullCapture : SerialTrackingMode.None,
  }
  return serialFaults(product, requested, wanted, { mayOmit: requested === available })
}

/** What remains of a part after earlier entries. */
interface RemainingPart {
  part: PickedStock
  quantity: bigint
  items: PickedStock['items']
}

function takeFrom(candidates: readonly RemainingPart[], requested: bigint, wanted: ReadonlySet<string>) {
  const taken: { part: PickedStock; quantity: bigint; items: string[] }[] = []
  let outstanding = requested
  for (const from of candidates) {
    const items = wanted.size === 0 ? from.items : from.items.filter(({ serial }) => wanted.has(serial))
    const available = from.part.items.length > 0 ? BigInt(items.length) * oneItem : from.quantity
    const quantity = available < outstanding ? available : outstanding
    if (quantity === 0n) continue
    from.quantity -= quantity
    from.items = from.items.filter(item => !items.includes(item))
    outstanding -= quantity
    taken.push({ part: from.part, quantity, items: items.map(({ id }) => id) })
  }
  return taken
}

/**
 * Resolves the locations and logistic units that goods go to. A unit that is named must be able to stand in
 * the location. Faults go to `refuse`, by the index of the entry.
 */
export async function resolveDestinations(
  tx: Tx,
  locked: LockedStock,
  goods: readonly PickedGoods[],
  places: readonly {
    target: Pick<StockLocation, 'id' | 'warehouseId' | 'name'>
    unit: UnitReference | null | undefined
  }[],
  refuse: ReportEntryFault,
): Promise<PickedTransfer[]> {
  const products = await findProducts(
    tx,
    locked.organisationId,
    goods.map(({ part }) => part.row.productId),
  )
  await lockUnits(tx, locked.organisationId, {
    ids: goods.flatMap(({ part }) => part.row.logisticUnitId ?? []),
    named: goods.flatMap(({ part }, i) => {
      const unit = places[i]?.unit
      return unit ? [{ partnerId: part.row.partnerId, unit }] : []
    }),
  })
  const units = await resolveDestinationUnits(
    tx,
    locked,
    goods.map(({ part: { row } }, i) => {
      const unit = places[i]?.unit
      const gs1CompanyPrefix = products.get(row.productId)?.gs1CompanyPrefix ?? null
      return unit ? { unit, partnerId: row.partnerId, warehouseId: row.warehouseId, gs1CompanyPrefix } : null
    }),
    (i, ...fault) => refuse(goods[i]?.n ?? 0, ...fault),
  )
  return goods.map(({ n, part, quantity, items }, i) => {
    const { target, unit } = places[i] as (typeof places)[number]
    const targetUnit = units[i]
    if (unit !== null && targetUnit)
      resolveUnitLocation(targetUnit, target.id, null, (...fault) => refuse(n, ...fault))
    return {
      ...{ part, quantity, items, row: part.row, target },
      unit: unit === null ? null : targetUnit,
    }
  })
}
