// Entries of commands that are about what a consignment has picked: which goods they mean, and where these
// go. Spec 2.14.

import { SerialTrackingMode } from '../../partners/enumerations.ts'
import type { Tx } from '../../platform/database/db.ts'
import { scale } from '../../platform/decimal.ts'
import type { Problem, ReportEntryFault, ReportFault } from '../../platform/http/entry-faults.ts'
import { type Static, Type, Uuid } from '../../platform/http/schema.ts'
import type { OutwardLine } from '../../stock/allocation/outward-lines.ts'
import { convertToItems, productOfLine } from '../../stock/inventory/convert-to-items.ts'
import type { StockLocation } from '../../stock/inventory/location-reference.ts'
import { numberOf, serialFaults } from '../../stock/inventory/quantities.ts'
import { findProducts } from '../../stock/inventory/stock-products.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../../stock/inventory/stock-selector.ts'
import { partFields } from '../../stock/inventory/take.ts'
import { oneItem } from '../../stock/ledger/movement.ts'
import type { LockedStock } from '../../stock/ledger/stock-lock.ts'
import { resolveTargetUnits, type TargetUnit } from '../../stock/logistic-units/target-units.ts'
import { lockUnits, type UnitReference } from '../../stock/logistic-units/unit-references.ts'
import type { PickedTransfer } from '../../stock/picking/move-picked.ts'
import type { PickedStock } from '../../stock/picking/picked-stock.ts'

/** How an entry names picked goods: without a row all of the line, without a quantity all that is there. */
export const pickedFields = {
  consignmentProductId: Uuid,
  ...stockFields,
  ...partFields,
}
const Picked = Type.Object(pickedFields)
export type PickedEntry = Static<typeof Picked>

/** What is wrong with how entries name their stock. */
export const pickedEntryFaults = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))

/** The entries by rows of stock and in items. 400 where one is nothing that can be. */
export async function resolveEntries<Entry extends PickedEntry>(
  tx: Tx,
  locked: LockedStock,
  { array, warehouseId, lines }: { array: string; warehouseId: string; lines: readonly OutwardLine[] },
  entries: readonly Entry[],
): Promise<Entry[]> {
  const named = await resolveRowIds(tx, locked, entries, { array, warehouseId })
  return convertToItems(tx, locked.organisationId, named, array, productOfLine(lines))
}

/** The goods of an entry. */
export interface PickedGoods {
  /** the entry's number */
  n: number
  part: PickedStock
  /** ten-thousandths */
  quantity: bigint
  items: string[]
}

/**
 * Finds what each entry means; what one takes the next does not find. `refuse` is told why an entry cannot
 * be.
 */
export function findPickedGoods(
  parts: readonly PickedStock[],
  entries: readonly PickedEntry[],
  refuse: ReportEntryFault,
): PickedGoods[] {
  const left = parts.map(part => ({ part, quantity: part.quantity, items: [...part.items] }))
  return entries.flatMap((entry, n) => {
    const { consignmentProductId, warehouseProductId, serials = [] } = entry
    const own = left.filter(
      ({ part, quantity }) =>
        quantity > 0n &&
        part.consignmentProductId === consignmentProductId &&
        (!warehouseProductId || part.row.id === warehouseProductId.toLowerCase()),
    )
    const there = own.reduce((all, { quantity }) => all + quantity, 0n)
    const asked = entry.quantity ? scale(4, entry.quantity) : there
    if (there === 0n) {
      refuse(n, 'nothing of the line is picked there', 'state')
      return []
    }
    if (asked > there) {
      refuse(n, `only ${numberOf(there)} of ${numberOf(asked)} are picked there`, 'state')
      return []
    }
    const wanted = new Set(serials ?? [])
    const problems = partFaults(own[0]?.part as PickedStock, { asked, there, wanted: [...wanted] })
    const known = new Set(own.flatMap(({ items }) => items.map(({ serial }) => serial)))
    for (const serial of wanted)
      if (!known.has(serial)) problems.push([`the serial ${serial} is not picked there`, 'state'])
    for (const problem of problems) refuse(n, ...problem)
    if (problems.length > 0) return []
    return takeFrom(own, asked, wanted).map(goods => ({ ...goods, n }))
  })
}

/** Serials of picked goods are known, whenever they were captured: a part needs as many as it has goods. */
function partFaults(
  { row, productCode }: PickedStock,
  { asked, there, wanted }: { asked: bigint; there: bigint; wanted: string[] },
): Problem[] {
  const isTracked = row.serialTrackingMode !== SerialTrackingMode.None
  const product = {
    code: productCode,
    serialTrackingMode: isTracked ? SerialTrackingMode.FullCapture : SerialTrackingMode.None,
  }
  return serialFaults(product, asked, wanted, { mayOmit: asked === there })
}

interface Left {
  part: PickedStock
  quantity: bigint
  items: PickedStock['items']
}

function takeFrom(own: readonly Left[], asked: bigint, wanted: ReadonlySet<string>) {
  const taken: { part: PickedStock; quantity: bigint; items: string[] }[] = []
  let rest = asked
  for (const from of own) {
    const items = wanted.size === 0 ? from.items : from.items.filter(({ serial }) => wanted.has(serial))
    const most = from.part.items.length > 0 ? BigInt(items.length) * oneItem : from.quantity
    const quantity = most < rest ? most : rest
    if (quantity === 0n) continue
    from.quantity -= quantity
    from.items = from.items.filter(item => !items.includes(item))
    rest -= quantity
    taken.push({ part: from.part, quantity, items: items.map(({ id }) => id) })
  }
  return taken
}

/**
 * The goods with where they go. A unit that is named has to be able to stand there. `refuse` is told why one
 * cannot, by the number of its entry.
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
  const units = await resolveTargetUnits(
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
    return {
      ...{ part, quantity, items, row: part.row, target },
      unit: unit === null ? null : placeUnit(units[i], target, (...fault) => refuse(n, ...fault)),
    }
  })
}

/** A unit that is to stand in a location, where it can. */
function placeUnit(
  unit: TargetUnit | undefined,
  target: Pick<StockLocation, 'id' | 'name'>,
  refuse: ReportFault,
): TargetUnit | undefined {
  if (unit === undefined) return undefined
  if (unit.standsAt === null) unit.warehouseLocationId = target.id
  else if (unit.standsAt !== target.id)
    refuse(
      `the logistic unit ${unit.known?.logisticUnitNumber} has goods on it and stands elsewhere ` +
        `than in ${target.name}`,
      'state',
    )
  return unit
}
