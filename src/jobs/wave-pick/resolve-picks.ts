// Turns the entries of a confirmation into picks of lines of the job's consignments. Pure. Spec 2.15.

import type { RequestedPick } from '../../floor/picking/requested-pick.ts'
import { smaller } from '../../platform/decimal.ts'
import { type FieldFault, isFieldFault, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { numberOf, serialsNeeded, toItems } from '../../stock/commands/quantities.ts'
import type { StockRow } from '../../stock/commands/read-stock-rows.ts'
import type { StockProduct } from '../../stock/commands/stock-products.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { distributePicks } from './distribute.ts'
import type { OpenPick } from './open-picks.ts'

/** An entry of a confirmation: a pick of one allocation, or of a row of stock for all its consignments. */
export type WavePickEntry = Omit<
  RequestedPick,
  'consignmentProductId' | 'inventoryAllocationId' | 'isOverride'
> & {
  inventoryAllocationId?: string | null
}

/** A pick of a line, with the index of the entry that it comes from. */
export interface LinePick {
  entry: number
  consignmentId: string
  pick: RequestedPick
}

/** What the entries are resolved against. */
interface JobStock {
  /** the row of stock that each entry names, or why there is none */
  rows: readonly (StockRow | FieldFault)[]
  products: ReadonlyMap<string, StockProduct>
  /** by the positions of the consignments */
  open: readonly OpenPick[]
}

/** An open pick, with the quantity that no entry has taken yet, in ten-thousandths. */
type RemainingPick = OpenPick & { left: bigint }

/**
 * Finds the picks that entries stand for, in their order; what one entry takes is not available to the next.
 * Calls `refuse` with the reason, as the end of a sentence, for each entry that stands for none.
 */
export function resolveWavePicks(
  entries: readonly WavePickEntry[],
  { rows, products, open }: JobStock,
  refuse: ReportEntryFault,
): LinePick[] {
  const remaining = open.map((pick): RemainingPick => ({ ...pick, left: pick.quantity }))
  return entries.flatMap((entry, n) => {
    const id = entry.inventoryAllocationId
    const row = rows[n] as StockRow | FieldFault
    const matching = remaining.filter(
      pick =>
        pick.left > 0n &&
        (id ? pick.inventoryAllocationId === id : !isFieldFault(row) && pick.warehouseProductId === row.id),
    )
    if (id && matching.length === 0)
      refuse(n, `inventoryAllocationId ${id} does not refer to an open pick of the job`, 'unknown_reference')
    else if (isFieldFault(row)) refuse(n, ...row)
    else if (matching.length === 0)
      refuse(n, `the job has nothing to pick in ${row.locationName}`, 'not_here')
    else return resolveEntry(n, entry, { row, product: products.get(row.productId), matching }, refuse)
    return []
  })
}

function resolveEntry(
  n: number,
  entry: WavePickEntry,
  {
    row,
    product,
    matching,
  }: { row: StockRow; product: StockProduct | undefined; matching: readonly RemainingPick[] },
  refuse: ReportEntryFault,
): LinePick[] {
  const open = sum(matching)
  const { quantity: requested, unitTypeId, serials } = entry
  const quantity =
    requested === undefined || requested === null || product === undefined
      ? open
      : toItems(product, { quantity: requested, unitTypeId }, (...fault) => refuse(n, ...fault))
  if (quantity === undefined) return []
  const problem = problemOf(entry, quantity, open, row)
  if (problem !== null) {
    refuse(n, ...problem)
    return []
  }
  const picksByLine = Map.groupBy(matching, ({ consignmentProductId }) => consignmentProductId)
  const shares = distributePicks(
    quantity,
    serials ?? [],
    [...picksByLine].map(([consignmentProductId, picks]) => ({
      consignmentProductId,
      quantity: sum(picks),
      allocatedSerials: picks.flatMap(({ serial }) => serial ?? []),
    })),
  )
  const { inventoryAllocationId, stock: _, unitTypeId: __, ...facts } = entry
  const toLogisticUnit = withUnitId(entry.toLogisticUnit)
  return shares.flatMap((share): LinePick[] => {
    const picks = picksByLine.get(share.consignmentProductId) as RemainingPick[]
    take(picks, entry.isShort ? sum(picks) : share.quantity)
    if (share.quantity === 0n && !entry.isShort) return []
    const { consignmentId } = picks[0] as RemainingPick
    const pick = {
      ...facts,
      consignmentProductId: share.consignmentProductId,
      warehouseProductId: row.id,
      inventoryAllocationId: inventoryAllocationId ?? undefined,
      quantity: numberOf(share.quantity),
      serials: share.serials,
      ...(toLogisticUnit === undefined ? {} : { toLogisticUnit }),
    }
    return [{ entry: n, consignmentId, pick }]
  })
}

const sum = (picks: readonly RemainingPick[]) => picks.reduce((total, { left }) => total + left, 0n)

function take(picks: readonly RemainingPick[], quantity: bigint): void {
  let rest = quantity
  for (const pick of picks) {
    const part = smaller(pick.left, rest)
    pick.left -= part
    rest -= part
  }
}

function problemOf(
  { isShort, serials }: WavePickEntry,
  quantity: bigint,
  open: bigint,
  { locationName, productCode, serialTrackingMode }: StockRow,
): FieldFault | null {
  if (quantity === 0n && !isShort)
    return ['a quantity of 0 needs isShort, which reports the goods as missing', 'range']
  if (quantity > open)
    return [
      `only ${numberOf(open)} of ${numberOf(quantity)} are to be picked in ${locationName} for the job`,
      'insufficient_stock',
    ]
  const count = serials?.length ?? 0
  if (serialTrackingMode === SerialTrackingMode.None)
    return count === 0 ? null : [`${productCode} has no serials`, 'serial_not_taken']
  const needed = numberOf(quantity)
  return count === needed ? null : [serialsNeeded(productCode, needed, count), 'serial_required']
}

/**
 * Gives a new logistic unit its id, so that the goods of all consignments of an entry are put on one unit.
 */
function withUnitId(unit: WavePickEntry['toLogisticUnit']): WavePickEntry['toLogisticUnit'] {
  return unit?.isNew && !unit.logisticUnitId ? { ...unit, logisticUnitId: newId() } : unit
}
