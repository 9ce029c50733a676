// The entries of commands on picked goods: which goods they select, and where these go. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import {
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
  type ReportFault,
} from '../../platform/http/entry-faults.ts'
import { type Static, Type, Uuid } from '../../platform/http/schema.ts'
import type { OutboundLine } from '../../stock/allocation/outbound-lines.ts'
import { productOfRowOrLine } from '../../stock/commands/convert-to-items.ts'
import type { StockLocation } from '../../stock/commands/location-reference.ts'
import { partFields } from '../../stock/commands/plan-take.ts'
import { numberOf, serialFaults, toItems } from '../../stock/commands/quantities.ts'
import { findProducts } from '../../stock/commands/stock-products.ts'
import {
  optionalSelectorFaults,
  readSelectedStock,
  stockFields,
} from '../../stock/commands/stock-selector.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import {
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
  type UnitsOfCommand,
} from '../../stock/logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../../stock/logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../../stock/logistic-units/unit-references.ts'
import type { AllocationAfter, PickedTransfer } from '../../stock/picking/move-picked.ts'
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

/** An entry of one of several requests, and what reports its faults. */
interface RequestedEntry {
  consignmentId: string
  entry: PickedEntry
  refuse: ReportFault
}

/** Resolves the rows of stock of entries and converts their quantities to items. */
export async function resolvePickedEntries(
  tx: Tx,
  locked: LockedStock,
  { warehouseId, lines }: { warehouseId: string | null; lines: readonly OutboundLine[] },
  requested: readonly RequestedEntry[],
): Promise<PickedEntry[]> {
  const { organisationId } = locked
  const described = requested.map(({ entry: { stock } }) => ({ stock }))
  const rows = await readSelectedStock(tx, organisationId, locked, described, warehouseId)
  const entries = requested.map(({ entry, refuse }, n): PickedEntry => {
    const row = entry.stock ? rows[n] : undefined
    if (isFieldFault(row)) refuse(...row)
    return row && !isFieldFault(row) ? { ...entry, stock: null, warehouseProductId: row.id } : entry
  })
  const productOfEntry = await productOfRowOrLine(tx, organisationId, entries, lines)
  const isOfOther = ({ consignmentProductId }: PickedEntry, n: number) =>
    lines.find(({ id }) => id === consignmentProductId)?.consignmentId !== requested[n]?.consignmentId
  const productIds = entries.map((entry, n) =>
    entry.quantity && entry.unitTypeId && !isOfOther(entry, n) ? productOfEntry(entry) : undefined,
  )
  const products = await findProducts(
    tx,
    organisationId,
    productIds.flatMap(id => id ?? []),
  )
  return entries.map((entry, n) => {
    const product = products.get(productIds[n] ?? '')
    const { refuse } = requested[n] as RequestedEntry
    const items =
      product && entry.quantity ? toItems(product, { ...entry, quantity: entry.quantity }, refuse) : undefined
    return items === undefined ? entry : { ...entry, quantity: numberOf(items), unitTypeId: null }
  })
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

/** Picked goods, where they are put, and what reports that they cannot be. */
export interface PlacedGoods extends Omit<PickedGoods, 'n'> {
  target: StockLocation
  /** the unit that they are put on; null for none; undefined to keep their unit if it moves as a whole */
  unit: UnitReference | null | undefined
  /** a unit that decides where they are put */
  formerUnitId?: string | null
  allocationAfter: AllocationAfter
  refuse: ReportFault
}

/** The goods of a request with their destinations, and the units that it uses. */
export interface DestinedGoods {
  transfers: readonly PickedTransfer[]
  units: UnitsOfCommand
}

/**
 * Resolves the logistic units that the goods of each request go to, and locks all units that they use. A unit
 * that is named must be able to stand in the location.
 */
export async function resolveDestinations(
  tx: Tx,
  organisationId: string,
  requests: readonly (readonly PlacedGoods[])[],
): Promise<DestinedGoods[]> {
  const all = requests.flat()
  const named = all.flatMap(({ part: { row }, unit }) => (unit ? [{ partnerId: row.partnerId, unit }] : []))
  const ids = all.flatMap(({ part }) => part.row.logisticUnitId ?? [])
  await lockUnits(tx, organisationId, { ids, named })
  const products = await findProducts(
    tx,
    organisationId,
    all.flatMap(({ part, unit }) => (unit ? part.row.productId : [])),
  )
  const unitRequests = requests.map(goods =>
    goods.map(({ part: { row }, unit }): UnitRequest | null => {
      const gs1CompanyPrefix = products.get(row.productId)?.gs1CompanyPrefix ?? null
      const { partnerId, warehouseId } = row
      return unit ? { unit, partnerId, warehouseId, gs1CompanyPrefix } : null
    }),
  )
  const resolved = await resolveUnitsOfCommands(tx, organisationId, unitRequests)
  return requests.map((goods, i) => {
    const { units, faults } = resolved[i] as ResolvedUnits
    for (const [k, ...fault] of faults) goods[k]?.refuse(...fault)
    for (const [k, { target, refuse }] of goods.entries()) {
      const unit = units[k]
      if (unit) resolveUnitLocation(unit, target.id, null, refuse)
    }
    return {
      transfers: goods.map(({ part, quantity, items, target, unit, allocationAfter }, k) => ({
        ...{ part, quantity, items, target, allocationAfter, row: part.row },
        unit: unit === null ? null : units[k],
      })),
      units: {
        units,
        requests: unitRequests[i] as (typeof unitRequests)[number],
        emptied: goods.flatMap(({ part, formerUnitId = null }) => [part.row.logisticUnitId, formerUnitId]),
      },
    }
  })
}
