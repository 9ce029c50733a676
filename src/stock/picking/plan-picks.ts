// What picks do to promises and serials. Pure: rows, promises and serials are given as they are under the
// lock. Spec 2.14.

import { SerialTrackingMode, Substitution } from '../../partners/enumerations.ts'
import type { ReportEntryFault, ReportFault } from '../../platform/http/entry-faults.ts'
import type { OutwardLine } from '../allocation/outward-lines.ts'
import { type Allocation, listConsignmentNumbers } from '../inventory/allocations.ts'
import { numberOf } from '../inventory/quantities.ts'
import type { StockRow } from '../inventory/stock-rows.ts'
import { type AllocationChange, oneItem } from '../ledger/movement.ts'

/** What somebody took from a row of stock for a line. */
export interface PickEntry {
  line: OutwardLine
  row: StockRow
  /** ten-thousandths; null: all of the row that is promised to the line */
  quantity: bigint | null
  serials: readonly string[]
  /** the one promise that is meant; without it all that the line has in the row */
  inventoryAllocationId?: string | null | undefined
  /**
   * Nothing more is to be had there: what is still promised is missing. With serials and a quantity of 0
   * those are missing.
   */
  isShort: boolean
  /** more than is promised may be picked, or other stock */
  isOverride: boolean
}

/** A serial as it is in the database. */
export interface KnownSerial {
  id: string
  productId: string
  serial: string
  /** the row that it lies in, or null where it is not in stock */
  warehouseProductId: string | null
}

/** What an entry comes to. */
export interface PlannedPick {
  quantity: bigint
  /** of that, what was not promised before */
  unpromised: bigint
  /** what less is promised at the row */
  taken: AllocationChange[]
  /** the serials that go: those in the row, or those that come into being */
  items: string[]
  newSerials: { serial: string; knownId: string | undefined }[]
  /** what is missing: promised still, and not there */
  missing: bigint
  /** what is no longer promised for it, and the serials that are missing */
  released: AllocationChange[]
  missingItems: string[]
}

/** What is known under the lock about rows that are picked from. */
export interface PickSnapshot {
  promisesOf(warehouseProductId: string): readonly Allocation[]
  serials: readonly KnownSerial[]
}

type Open = Allocation & { left: bigint }

/**
 * Plans the entries in their order. `refuse` is told why an entry cannot be, as the end of a sentence; its
 * plan is of no use then.
 */
export function planPicks(
  entries: readonly PickEntry[],
  stock: PickSnapshot,
  refuse: ReportEntryFault,
): PlannedPick[] {
  const open = new Map<string, Open[]>()
  const free = new Map<string, bigint>()
  // The ids of serials that entries before have taken, and the names of those that come into being.
  const gone = new Set<string>()
  const inRow = Map.groupBy(stock.serials, ({ warehouseProductId }) => warehouseProductId)
  return entries.map((entry, n) => {
    const { line, row } = entry
    const promises = open.get(row.id) ?? stock.promisesOf(row.id).map(copy)
    open.set(row.id, promises)
    const ofLine = promises.filter(
      ({ consignmentProductId, isPicked }) => consignmentProductId === line.id && !isPicked,
    )
    const tell: ReportFault = (...fault) => refuse(n, ...fault)
    const own = promisesMeant(entry, ofLine, stock.serials, tell)
    const promised = sum(own)
    const quantity = entry.quantity ?? promised
    const left = free.get(row.id) ?? row.onHand - row.allocated
    const unpromised = quantity > promised ? quantity - promised : 0n
    free.set(row.id, left - unpromised)
    for (const fault of quantityFaults(entry, { quantity, promised, left, others: promises }))
      tell(fault, 'state')
    const named = nameSerials(entry, quantity, stock, promises, gone, tell)
    const byName = ofLine.filter(({ itemId }) => itemId !== null && named.items.includes(itemId))
    const taken = takePromises([...new Set([...byName, ...own])], quantity - unpromised, named.items)
    for (const id of named.items) gone.add(id)
    const missing = entry.isShort ? sum(own) : 0n
    const missingItems =
      missing === 0n ? [] : itemsMissing(entry, missing, own, promises, inRow.get(row.id) ?? [], gone)
    for (const id of missingItems) gone.add(id)
    const released = missing === 0n ? [] : takePromises(own, missing, [])
    return { ...named, quantity, unpromised, taken, missing, missingItems, released: released.map(atTo) }
  })
}

/** Whether an entry picks nothing and says which serials are missing. */
const namesMissing = ({ row, quantity, serials, isShort }: PickEntry) =>
  isShort &&
  quantity === 0n &&
  serials.length > 0 &&
  row.serialTrackingMode === SerialTrackingMode.FullCapture

/** Of what a line was promised in a row, what an entry is about. */
function promisesMeant(
  entry: PickEntry,
  ofLine: readonly Open[],
  serials: readonly KnownSerial[],
  refuse: ReportFault,
): Open[] {
  const { row, inventoryAllocationId: id } = entry
  if (!namesMissing(entry)) return ofLine.filter(promise => !id || promise.id === id)
  const items = new Map(
    serials.filter(({ productId }) => productId === row.productId).map(one => [one.serial, one.id]),
  )
  return [...new Set(entry.serials)].flatMap(serial => {
    const promise = ofLine.find(({ itemId, left }) => left > 0n && itemId && itemId === items.get(serial))
    if (promise === undefined) refuse(`the serial ${serial} is not allocated to the line there`, 'state')
    return promise ?? []
  })
}

const copy = (promise: Allocation): Open => ({ ...promise, left: promise.quantity })
const sum = (promises: readonly Open[]) => promises.reduce((all, { left }) => all + left, 0n)
const atTo = (change: AllocationChange): AllocationChange => ({ ...change, at: 'to' })

/** Why so much of a row cannot be picked for a line. */
function quantityFaults(
  entry: PickEntry,
  {
    quantity,
    promised,
    left,
    others,
  }: { quantity: bigint; promised: bigint; left: bigint; others: readonly Open[] },
): string[] {
  const { line, row, isShort, isOverride } = entry
  if (quantity === 0n)
    return namesMissing(entry) || (isShort && promised > 0n)
      ? []
      : [`nothing of ${row.locationName} is allocated to the line`]
  if (quantity <= promised) return []
  const said = promised === 0n ? 'nothing is' : `only ${numberOf(promised)} of ${numberOf(quantity)} are`
  if (!isOverride)
    return [`${said} allocated to the line in ${row.locationName}; isOverride picks other stock, and more`]
  if (row.inventoryHoldId !== null) return [`the stock in ${row.locationName} is held`]
  if (row.isQuarantined) return [`the stock in ${row.locationName} is in quarantine`]
  if (row.partnerId !== line.clientId) return ['the stock is another client’s']
  if (row.productId !== line.productId && line.productSubstitution !== Substitution.Allowed)
    return [`${row.productCode} cannot stand in for ${line.productCode}: the client does not allow it`]
  if (quantity - promised <= left) return []
  const promises = others.filter(({ consignmentProductId }) => consignmentProductId !== line.id)
  const told = promises.length === 0 ? '' : `; the rest is allocated to ${listConsignmentNumbers(promises)}`
  return [`only ${numberOf(left)} more are free in ${row.locationName}${told}`]
}

/** The serials of an entry: as many as are picked, of the row or new, and promised to nobody else. */
function nameSerials(
  entry: PickEntry,
  quantity: bigint,
  stock: PickSnapshot,
  promises: readonly Open[],
  gone: Set<string>,
  refuse: ReportFault,
): Pick<PlannedPick, 'items' | 'newSerials'> {
  const { line, row, serials } = entry
  const { serialTrackingMode: mode, productCode: code } = row
  if (namesMissing(entry)) return { items: [], newSerials: [] }
  if (mode === SerialTrackingMode.None) {
    if (serials.length > 0) refuse(`the product ${code} takes no serials`, 'invalid')
    return { items: [], newSerials: [] }
  }
  const needed = numberOf(quantity)
  if (serials.length !== needed)
    refuse(`${needed} of ${code} need as many serials, not ${serials.length}`, 'invalid')
  const known = new Map(
    stock.serials.filter(({ productId }) => productId === row.productId).map(one => [one.serial, one]),
  )
  const items: string[] = []
  const newSerials: PlannedPick['newSerials'] = []
  for (const serial of new Set(serials)) {
    const item = known.get(serial)
    const other = promises.find(({ itemId, left }) => left > 0n && itemId !== null && itemId === item?.id)
    if (mode === SerialTrackingMode.ReleaseCapture) {
      const name = `${row.productId} ${serial}`
      if (item?.warehouseProductId) refuse(`the serial ${serial} of ${code} is in stock already`, 'duplicate')
      else if (gone.has(name)) refuse(`the serial ${serial} of ${code} is given twice`, 'duplicate')
      else newSerials.push({ serial, knownId: item?.id })
      gone.add(name)
    } else if (item === undefined || item.warehouseProductId !== row.id || gone.has(item.id))
      refuse(`the serial ${serial} of ${code} is not in that stock`, 'unknown_reference')
    else if (other?.isPicked)
      refuse(`the serial ${serial} is picked for ${other.consignmentNumber} already`, 'state')
    else if (other && other.consignmentProductId !== line.id)
      refuse(`the serial ${serial} is allocated to ${other.consignmentNumber}`, 'state')
    else items.push(item.id)
  }
  if (new Set(serials).size < serials.length) refuse('a serial is given twice', 'duplicate')
  return { items, newSerials }
}

/**
 * Takes a quantity off the promises of a line: of each serial that is named its own promise, else one of
 * those that name none, else that of a serial which stays.
 */
function takePromises(own: readonly Open[], quantity: bigint, items: readonly string[]): AllocationChange[] {
  const taken = new Map<Open, bigint>()
  const take = (promise: Open | undefined, most: bigint): bigint => {
    if (promise === undefined) return 0n
    const part = promise.left < most ? promise.left : most
    promise.left -= part
    taken.set(promise, (taken.get(promise) ?? 0n) + part)
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
  for (const promise of unnamed) if (wanted > 0n && promise.left > 0n) wanted -= take(promise, wanted)
  return [...taken].map(([promise, part]) => ({
    at: 'from',
    consignmentId: promise.consignmentId,
    consignmentProductId: promise.consignmentProductId,
    itemId: promise.itemId,
    isPicked: promise.isPicked,
    quantity: -part,
  }))
}

/**
 * Which serials are missing is not known; those that were promised to the line are taken to be, then others
 * that nobody was promised, in the order of their serials.
 */
function itemsMissing(
  { row }: PickEntry,
  missing: bigint,
  own: readonly Open[],
  promises: readonly Open[],
  inRow: readonly KnownSerial[],
  gone: ReadonlySet<string>,
): string[] {
  if (row.serialTrackingMode !== SerialTrackingMode.FullCapture) return []
  const promisedTo = new Map(
    promises.filter(({ left }) => left > 0n).map(promise => [promise.itemId, promise]),
  )
  const ownItems = new Set(own.map(({ itemId }) => itemId))
  const candidates = inRow
    .filter(({ id }) => !gone.has(id) && (ownItems.has(id) || !promisedTo.has(id)))
    .toSorted(
      (a, b) => Number(ownItems.has(b.id)) - Number(ownItems.has(a.id)) || (a.serial < b.serial ? -1 : 1),
    )
  return candidates.slice(0, Number(missing / oneItem)).map(({ id }) => id)
}
