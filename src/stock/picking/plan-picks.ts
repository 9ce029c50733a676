// Plans how picks change allocations and serials. Pure: takes rows, allocations and serials as read under the
// stock lock. Spec 2.14.

import { smaller } from '../../platform/decimal.ts'
import type { FieldFault, ReportEntryFault, ReportFault } from '../../platform/http/entry-faults.ts'
import { SerialTrackingMode, Substitution } from '../../vocabulary/partners.ts'
import type { OutboundLine } from '../allocation/outbound-lines.ts'
import { numberOf, serialsNeeded } from '../commands/quantities.ts'
import type { StockRow } from '../commands/read-stock-rows.ts'
import { type Allocation, listConsignmentNumbers } from '../inventory/allocations.ts'
import { type AllocationChange, oneItem } from '../ledger/movement.ts'

/** A pick: what was taken from a stock row for a line. */
export interface PickEntry {
  line: OutboundLine
  row: StockRow
  /** ten-thousandths; null for all of the row that is allocated to the line */
  quantity: bigint | null
  serials: readonly string[]
  /** one specific allocation; by default all that the line has in the row */
  inventoryAllocationId?: string | null | undefined
  /**
   * Whether the row is exhausted, so that whatever is still allocated is missing. With a quantity of 0 and
   * serials, only these serials are missing.
   */
  isShort: boolean
  /** whether more than is allocated, or other stock, may be picked */
  isOverride: boolean
  /** the row that this one stands in for: as much of what is allocated to the line there is released */
  insteadOf?: string | undefined
}

/** A serial as stored. */
export interface KnownSerial {
  id: string
  productId: string
  serial: string
  /** the row that it is in; null if it is not in stock */
  warehouseProductId: string | null
  /** the consignment that it left with, if its goods did not come back since */
  leftWith: string | null
}

/** The plan for one entry. Quantities are ten-thousandths. */
export interface PlannedPick {
  quantity: bigint
  /** the part of it that was not allocated before */
  unallocated: bigint
  /** the reductions of allocations in the row */
  taken: AllocationChange[]
  /** the reductions of allocations in the row that it stands in for */
  replaced: AllocationChange[]
  /** the picked serials that are in the row, and those that are captured now */
  items: string[]
  newSerials: { serial: string; knownId: string | undefined }[]
  /** what is allocated but missing */
  missing: bigint
  /** the allocations that are released for it, and the missing serials */
  released: AllocationChange[]
  missingItems: string[]
}

/** The allocations and serials of the rows that are picked from, as read under the stock lock. */
export interface PickSnapshot {
  allocationsOf(warehouseProductId: string): readonly Allocation[]
  serials: readonly KnownSerial[]
}

type RemainingAllocation = Allocation & { left: bigint }

/**
 * Plans the entries in their order. `refuse` reports why an entry cannot be picked, as the end of a sentence;
 * its plan must not be used then.
 */
export function planPicks(
  entries: readonly PickEntry[],
  stock: PickSnapshot,
  refuse: ReportEntryFault,
): PlannedPick[] {
  const remainingByRow = new Map<string, RemainingAllocation[]>()
  const freeByRow = new Map<string, bigint>()
  // The ids of serials that earlier entries use, and the keys of those that they capture.
  const usedSerials = new Set<string>()
  const remainingIn = (rowId: string): RemainingAllocation[] => {
    const allocations = remainingByRow.get(rowId) ?? stock.allocationsOf(rowId).map(copy)
    remainingByRow.set(rowId, allocations)
    return allocations
  }
  const inRow = Map.groupBy(stock.serials, ({ warehouseProductId }) => warehouseProductId)
  return entries.map((entry, n) => {
    const { line, row } = entry
    const allocations = remainingIn(row.id)
    const ofLine = unpickedOf(line, allocations)
    const refuseEntry: ReportFault = (...fault) => refuse(n, ...fault)
    const own = selectAllocations(entry, ofLine, stock.serials, refuseEntry)
    const allocated = sum(own)
    const quantity = entry.quantity ?? allocated
    const left = freeByRow.get(row.id) ?? row.onHand - row.allocated
    const unallocated = quantity > allocated ? quantity - allocated : 0n
    freeByRow.set(row.id, left - unallocated)
    for (const fault of quantityFaults(entry, { quantity, allocated, left, others: allocations }))
      refuseEntry(...fault)
    const resolved = resolveSerials(entry, quantity, stock, allocations, usedSerials, refuseEntry)
    const byName = ofLine.filter(({ itemId }) => itemId !== null && resolved.items.includes(itemId))
    const taken = takeAllocations([...new Set([...byName, ...own])], quantity - unallocated, resolved.items)
    for (const id of resolved.items) usedSerials.add(id)
    const insteadOf = entry.insteadOf ? unpickedOf(line, remainingIn(entry.insteadOf)) : undefined
    if (insteadOf !== undefined && sum(insteadOf) === 0n)
      refuseEntry('nothing is allocated to the line in the stock that it stands in for', 'not_here')
    const replaced = takeAllocations(insteadOf ?? [], unallocated, []).map(changeAtTarget)
    const missing = entry.isShort ? sum(own) : 0n
    const missingItems =
      missing === 0n
        ? []
        : assumeMissingSerials(entry, missing, own, allocations, inRow.get(row.id) ?? [], usedSerials)
    for (const id of missingItems) usedSerials.add(id)
    const released = missing === 0n ? [] : takeAllocations(own, missing, [])
    return {
      ...resolved,
      quantity,
      unallocated,
      taken,
      replaced,
      missing,
      missingItems,
      released: released.map(changeAtTarget),
    }
  })
}

const unpickedOf = (line: OutboundLine, allocations: readonly RemainingAllocation[]) =>
  allocations.filter(({ consignmentProductId, isPicked }) => consignmentProductId === line.id && !isPicked)

/** Returns whether an entry picks nothing and names the serials that are missing. */
const isMissingSerials = ({ row, quantity, serials, isShort }: PickEntry) =>
  isShort &&
  quantity === 0n &&
  serials.length > 0 &&
  row.serialTrackingMode === SerialTrackingMode.FullCapture

/** Selects those allocations of the line in the row that an entry refers to. */
function selectAllocations(
  entry: PickEntry,
  ofLine: readonly RemainingAllocation[],
  serials: readonly KnownSerial[],
  refuse: ReportFault,
): RemainingAllocation[] {
  const { row, inventoryAllocationId: id } = entry
  if (!isMissingSerials(entry)) return ofLine.filter(allocation => !id || allocation.id === id)
  const items = new Map(
    serials.filter(({ productId }) => productId === row.productId).map(({ serial, id }) => [serial, id]),
  )
  return [...new Set(entry.serials)].flatMap(serial => {
    const allocation = ofLine.find(({ itemId, left }) => left > 0n && itemId && itemId === items.get(serial))
    if (allocation === undefined)
      refuse(`the serial ${serial} is not allocated to the line there`, 'not_here')
    return allocation ?? []
  })
}

const copy = (allocation: Allocation): RemainingAllocation => ({ ...allocation, left: allocation.quantity })
const sum = (allocations: readonly RemainingAllocation[]) =>
  allocations.reduce((all, { left }) => all + left, 0n)
const changeAtTarget = (change: AllocationChange): AllocationChange => ({ ...change, at: 'to' })

/** Returns why the quantity cannot be picked from the row for the line; empty if it can. */
function quantityFaults(
  entry: PickEntry,
  {
    quantity,
    allocated,
    left,
    others,
  }: { quantity: bigint; allocated: bigint; left: bigint; others: readonly RemainingAllocation[] },
): FieldFault[] {
  const { line, row, isShort, isOverride } = entry
  if (quantity === 0n)
    return isMissingSerials(entry) || (isShort && allocated > 0n)
      ? []
      : [[`nothing of ${row.locationName} is allocated to the line`, 'not_here']]
  if (quantity <= allocated) return []
  const allocatedText =
    allocated === 0n ? 'nothing is' : `only ${numberOf(allocated)} of ${numberOf(quantity)} are`
  if (!isOverride)
    return [
      [
        `${allocatedText} to be picked in ${row.locationName} for this line; with an override (isOverride) ` +
          'more or other stock can be picked',
        'insufficient_stock',
      ],
    ]
  if (row.inventoryHoldId !== null) return [[`the stock in ${row.locationName} is held`, 'held']]
  if (row.isQuarantined) return [[`the stock in ${row.locationName} is in quarantine`, 'held']]
  if (row.partnerId !== line.clientId) return [['the stock is another client’s', 'wrong_client']]
  if (row.productId !== line.productId && line.productSubstitution !== Substitution.Allowed)
    return [
      [
        `${row.productCode} cannot stand in for ${line.productCode}: the client does not allow it`,
        'not_permitted',
      ],
    ]
  if (quantity - allocated <= left) return []
  const allocations = others.filter(({ consignmentProductId }) => consignmentProductId !== line.id)
  const remainder =
    allocations.length === 0 ? '' : `; the rest is allocated to ${listConsignmentNumbers(allocations)}`
  const free = left > 0n ? `only ${numberOf(left)} more are` : 'nothing more is'
  return [
    [
      `${free} free in ${row.locationName}${remainder}`,
      allocations.length === 0 ? 'insufficient_stock' : 'allocated',
    ],
  ]
}

/**
 * Resolves and checks the serials of an entry: one for each item, in the row or new, and not allocated
 * elsewhere.
 */
function resolveSerials(
  entry: PickEntry,
  quantity: bigint,
  stock: PickSnapshot,
  allocations: readonly RemainingAllocation[],
  usedSerials: Set<string>,
  refuse: ReportFault,
): Pick<PlannedPick, 'items' | 'newSerials'> {
  const { line, row, serials } = entry
  const { serialTrackingMode: mode, productCode: code } = row
  if (isMissingSerials(entry)) return { items: [], newSerials: [] }
  if (mode === SerialTrackingMode.None) {
    if (serials.length > 0) refuse(`${code} has no serials`, 'serial_not_taken')
    return { items: [], newSerials: [] }
  }
  const needed = numberOf(quantity)
  if (serials.length !== needed) refuse(serialsNeeded(code, needed, serials.length), 'serial_required')
  const known = new Map(
    stock.serials.filter(({ productId }) => productId === row.productId).map(item => [item.serial, item]),
  )
  const items: string[] = []
  const newSerials: PlannedPick['newSerials'] = []
  for (const serial of new Set(serials)) {
    const item = known.get(serial)
    const other = allocations.find(({ itemId, left }) => left > 0n && itemId !== null && itemId === item?.id)
    if (mode === SerialTrackingMode.ReleaseCapture) {
      const name = `${row.productId} ${serial}`
      if (item?.leftWith && !entry.isOverride)
        refuse(`${serial} left with ${item.leftWith}; isOverride picks it all the same`, 'conflict')
      else if (item?.warehouseProductId)
        refuse(`the serial ${serial} of ${code} is in stock already`, 'duplicate')
      else if (usedSerials.has(name)) refuse(`the serial ${serial} of ${code} is listed twice`, 'duplicate')
      else newSerials.push({ serial, knownId: item?.id })
      usedSerials.add(name)
    } else if (item === undefined || item.warehouseProductId !== row.id || usedSerials.has(item.id))
      refuse(`the serial ${serial} of ${code} is not in that stock`, 'serial_unknown')
    else if (other?.isPicked)
      refuse(`the serial ${serial} is picked for ${other.consignmentNumber} already`, 'allocated')
    else if (other && other.consignmentProductId !== line.id)
      refuse(`the serial ${serial} is allocated to ${other.consignmentNumber}`, 'allocated')
    else items.push(item.id)
  }
  if (new Set(serials).size < serials.length) refuse('a serial is listed twice', 'duplicate')
  return { items, newSerials }
}

/**
 * Takes a quantity off the allocations of a line: for each named serial its own allocation, otherwise one
 * without a serial, otherwise that of a serial that is not picked.
 */
function takeAllocations(
  own: readonly RemainingAllocation[],
  quantity: bigint,
  items: readonly string[],
): AllocationChange[] {
  const taken = new Map<RemainingAllocation, bigint>()
  const take = (allocation: RemainingAllocation | undefined, max: bigint): bigint => {
    if (allocation === undefined) return 0n
    const part = smaller(allocation.left, max)
    allocation.left -= part
    taken.set(allocation, (taken.get(allocation) ?? 0n) + part)
    return part
  }
  let wanted = quantity
  for (const id of items)
    if (wanted > 0n)
      wanted -= take(
        own.find(({ itemId, left }) => itemId === id && left > 0n),
        oneItem,
      )
  const unnamed = own.toSorted((a, b) => Number(a.itemId !== null) - Number(b.itemId !== null))
  for (const allocation of unnamed)
    if (wanted > 0n && allocation.left > 0n) wanted -= take(allocation, wanted)
  return [...taken].map(([allocation, part]) => ({
    at: 'from',
    consignmentId: allocation.consignmentId,
    consignmentProductId: allocation.consignmentProductId,
    itemId: allocation.itemId,
    isPicked: allocation.isPicked,
    quantity: -part,
  }))
}

/**
 * Chooses which serials count as missing, as that is unknown: first those that were allocated to the line,
 * then those that are not allocated to anybody, in the order of the serials.
 */
function assumeMissingSerials(
  { row }: PickEntry,
  missing: bigint,
  own: readonly RemainingAllocation[],
  allocations: readonly RemainingAllocation[],
  inRow: readonly KnownSerial[],
  usedSerials: ReadonlySet<string>,
): string[] {
  if (row.serialTrackingMode !== SerialTrackingMode.FullCapture) return []
  const allocationByItem = new Map(
    allocations.filter(({ left }) => left > 0n).map(allocation => [allocation.itemId, allocation]),
  )
  const ownItems = new Set(own.map(({ itemId }) => itemId))
  const candidates = inRow
    .filter(({ id }) => !usedSerials.has(id) && (ownItems.has(id) || !allocationByItem.has(id)))
    .toSorted(
      (a, b) => Number(ownItems.has(b.id)) - Number(ownItems.has(a.id)) || (a.serial < b.serial ? -1 : 1),
    )
  return candidates.slice(0, Number(missing / oneItem)).map(({ id }) => id)
}
