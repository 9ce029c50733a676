// What the entries of a confirmation mean: picks of lines of the job's consignments. Pure. Spec 2.15.

import type { RequestedPick } from '../../consignments/picking/confirm-picks.ts'
import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { smaller } from '../../platform/decimal.ts'
import { isProblem, type Problem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { numberOf, toItems } from '../../stock/inventory/quantities.ts'
import type { StockProduct } from '../../stock/inventory/stock-products.ts'
import type { StockRow } from '../../stock/inventory/stock-rows.ts'
import { dealOut } from './deal-out.ts'
import type { OpenPick } from './open-picks.ts'

/** What was picked: of one allocation, or of a row of stock for whoever it is for. */
export type WavePickEntry = Omit<
  RequestedPick,
  'consignmentProductId' | 'inventoryAllocationId' | 'isOverride'
> & {
  inventoryAllocationId?: string | null
}

/** A pick of a line, and the number of the entry that it comes from. */
export interface DealtPick {
  entry: number
  consignmentId: string
  pick: RequestedPick
}

interface Known {
  /** what each entry names, or why there is nothing */
  rows: readonly (StockRow | Problem)[]
  products: ReadonlyMap<string, StockProduct>
  /** by the positions of the consignments */
  open: readonly OpenPick[]
}

type Left = OpenPick & { left: bigint }

/**
 * Finds what entries mean, in their order; what one takes the next does not find. `refuse` is told why an
 * entry means nothing, as the end of a sentence.
 */
export function dealPicks(
  entries: readonly WavePickEntry[],
  { rows, products, open }: Known,
  refuse: ReportEntryFault,
): DealtPick[] {
  const all = open.map((pick): Left => ({ ...pick, left: pick.quantity }))
  return entries.flatMap((entry, n) => {
    const id = entry.inventoryAllocationId?.toLowerCase()
    const row = rows[n] as StockRow | Problem
    const own = all.filter(
      pick =>
        pick.left > 0n &&
        (id ? pick.inventoryAllocationId === id : !isProblem(row) && pick.warehouseProductId === row.id),
    )
    if (id && own.length === 0)
      refuse(n, `inventoryAllocationId ${id} names no open pick of the job`, 'unknown_reference')
    else if (isProblem(row)) refuse(n, ...row)
    else if (own.length === 0) refuse(n, `the job has nothing to pick in ${row.locationName}`, 'state')
    else return dealEntry(n, entry, { row, product: products.get(row.productId), own }, refuse)
    return []
  })
}

function dealEntry(
  n: number,
  entry: WavePickEntry,
  { row, product, own }: { row: StockRow; product: StockProduct | undefined; own: readonly Left[] },
  refuse: ReportEntryFault,
): DealtPick[] {
  const there = sum(own)
  const { quantity: said, unitTypeId, serials } = entry
  const quantity =
    said === undefined || said === null || product === undefined
      ? there
      : toItems(product, { quantity: said, unitTypeId }, (...fault) => refuse(n, ...fault))
  if (quantity === undefined) return []
  const problem = problemOf(entry, quantity, there, row)
  if (problem !== null) {
    refuse(n, ...problem)
    return []
  }
  const ofLine = Map.groupBy(own, ({ consignmentProductId }) => consignmentProductId)
  const shares = dealOut(
    quantity,
    serials ?? [],
    [...ofLine].map(([consignmentProductId, picks]) => ({
      consignmentProductId,
      left: sum(picks),
      named: picks.flatMap(({ serial }) => serial ?? []),
    })),
  )
  const { inventoryAllocationId, stock: _, unitTypeId: __, ...facts } = entry
  const toLogisticUnit = oneUnit(entry.toLogisticUnit)
  return shares.flatMap((share): DealtPick[] => {
    const picks = ofLine.get(share.consignmentProductId) as Left[]
    takeOff(picks, entry.isShort ? sum(picks) : share.quantity)
    if (share.quantity === 0n && !entry.isShort) return []
    const { consignmentId } = picks[0] as Left
    const pick = {
      ...facts,
      consignmentProductId: share.consignmentProductId,
      warehouseProductId: row.id,
      inventoryAllocationId: inventoryAllocationId?.toLowerCase(),
      quantity: numberOf(share.quantity),
      serials: share.serials,
      ...(toLogisticUnit === undefined ? {} : { toLogisticUnit }),
    }
    return [{ entry: n, consignmentId, pick }]
  })
}

const sum = (picks: readonly Left[]) => picks.reduce((all, { left }) => all + left, 0n)

function takeOff(picks: readonly Left[], quantity: bigint): void {
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
  there: bigint,
  { locationName, productCode, serialTrackingMode }: StockRow,
): Problem | null {
  if (quantity === 0n && !isShort) return ['a quantity of 0 is for what is short', 'range']
  if (quantity > there)
    return [
      `only ${numberOf(there)} of ${numberOf(quantity)} are to be picked in ${locationName} for the job`,
      'state',
    ]
  const count = serials?.length ?? 0
  if (serialTrackingMode === SerialTrackingMode.None)
    return count === 0 ? null : [`the product ${productCode} takes no serials`, 'invalid']
  const needed = numberOf(quantity)
  return count === needed
    ? null
    : [`${needed} of ${productCode} need as many serials, not ${count}`, 'invalid']
}

/** What is taken for several consignments is put on one unit, also where that is new and has no name yet. */
function oneUnit(unit: WavePickEntry['toLogisticUnit']): WavePickEntry['toLogisticUnit'] {
  return unit?.isNew && !unit.logisticUnitId ? { ...unit, logisticUnitId: newId() } : unit
}
