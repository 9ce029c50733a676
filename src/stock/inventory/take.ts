// Taking stock out of rows: how much may be had, with which serials, and what is promised of it. What all
// commands that move, hold or change stock ask first. Spec 2.14.

import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import type { Problem, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { Decimal, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { type Allocation, listConsignmentNumbers, readAllocations } from './allocations.ts'
import { numberOf, Serials, serialFaults, toItems } from './quantities.ts'
import { findProducts } from './stock-products.ts'
import type { StockRow } from './stock-rows.ts'

/** How an entry says how much of a row it is about: all of it, where it does not. */
export const partFields = {
  quantity: optional(Decimal(4, { exclusiveMinimum: 0 })),
  unitTypeId: optional({ ...Uuid, description: 'the unit that quantity is in; items, where it is left out' }),
  serials: optional(Serials),
}
const Part = Type.Object(partFields)
export type Part = Static<typeof Part>

/** A part of a row that an entry asks for. `n` is the entry's number. */
export interface TakeRequest {
  n: number
  row: StockRow
  part: Part
}

/** What an entry gets. */
export interface TakenPart {
  n: number
  row: StockRow
  /** ten-thousandths */
  quantity: bigint
  /** the ids of the serials that go with it */
  items: readonly string[]
  /** everything that was left of the row goes, and takes these promises along */
  promises: readonly Allocation[]
}

/** What entries before have left of a row. */
interface Remainder {
  onHand: bigint
  promised: bigint
  items: Map<string, string>
}

export interface TakeOptions {
  /** what is all of a row: everything, which takes its promises along, or only what is not promised */
  all: 'everything' | 'free'
  /** what is promised of a row, where that is not all of its allocations */
  allocationsOf?: (warehouseProductId: string) => readonly Allocation[]
}

/**
 * Finds what each entry gets, in their order; what one takes the next does not find. An entry that cannot
 * have what it asks for gets nothing, and `refuse` is told why, as the end of a sentence. Ask under the lock.
 */
export async function take(
  tx: Tx,
  organisationId: string,
  wanted: readonly TakeRequest[],
  { all, allocationsOf: given }: TakeOptions,
  refuse: ReportEntryFault,
): Promise<TakenPart[]> {
  const ids = [...new Set(wanted.map(({ row }) => row.id))]
  const inUnits = wanted.filter(({ part }) => part.unitTypeId)
  const products = await findProducts(
    tx,
    organisationId,
    inUnits.map(({ row }) => row.productId),
  )
  const promises = given ?? (await readAllocations(tx, organisationId, ids))
  const serials = await serialsIn(
    tx,
    organisationId,
    wanted.filter(hasSerials).map(({ row }) => row.id),
  )
  const left = new Map<string, Remainder>()
  const leftOf = (row: StockRow): Remainder => {
    const known = left.get(row.id)
    const promised = promises(row.id).reduce((sum, { quantity }) => sum + quantity, 0n)
    const of = known ?? { onHand: row.onHand, promised, items: new Map(serials(row.id)) }
    left.set(row.id, of)
    return of
  }
  const isAll = all === 'everything'
  return wanted.flatMap(one => {
    const { row, part } = one
    const product = products.get(row.productId) ?? { code: row.productCode, chain: [] }
    const of = leftOf(row)
    const quantity = part.quantity
      ? toItems(product, { ...part, quantity: part.quantity }, (...fault) => refuse(one.n, ...fault))
      : of.onHand - (isAll ? 0n : of.promised)
    return quantity === undefined ? [] : takeOne(one, quantity, of, isAll, promises(row.id), refuse)
  })
}

/** What one entry gets of what is left. */
function takeOne(
  { n, row, part }: TakeRequest,
  quantity: bigint,
  left: Remainder,
  isAll: boolean,
  promises: readonly Allocation[],
  refuse: ReportEntryFault,
): TakenPart[] {
  const { locationName } = row
  const free = left.onHand - left.promised
  const isWhole = quantity === left.onHand && (isAll || left.promised === 0n)
  const serials = part.serials ?? []
  // Of a row that is free in part, without a word about which, any serials go that nobody was promised.
  const isAnyFree = !isAll && !part.quantity && serials.length === 0
  const named = namedItems(row, serials, left, isWhole ? [] : promises)
  const problems: Problem[] = []
  if (quantity === 0n) problems.push([`nothing is ${isAll ? 'left' : 'free'} in ${locationName}`, 'state'])
  if (!isWhole && quantity > free) problems.push([tooMuch(row, quantity, left, promises), 'state'])
  problems.push(
    ...serialFaults(asProduct(row), quantity, serials, { mayLack: isWhole || isAnyFree }),
    ...named.problems,
  )
  for (const problem of problems) refuse(n, ...problem)
  if (problems.length > 0) return []
  const items = isWhole
    ? [...left.items.values()]
    : isAnyFree
      ? unpromised(left, promises).slice(0, numberOf(quantity))
      : named.items
  forget(left, items)
  left.onHand -= quantity
  if (isWhole) left.promised = 0n
  return [{ n, row, quantity, items, promises: isWhole ? promises : [] }]
}

/** The items of a row that nobody was promised by name. */
function unpromised({ items }: Remainder, promises: readonly Allocation[]): string[] {
  const promised = new Set(promises.map(({ itemId }) => itemId))
  return [...items.values()].filter(id => !promised.has(id))
}

function forget(left: Remainder, items: readonly string[]): void {
  const taken = new Set(items)
  for (const [serial, id] of left.items) if (taken.has(id)) left.items.delete(serial)
}

const asProduct = ({ productCode, serialTrackingMode }: StockRow) => ({
  code: productCode,
  serialTrackingMode,
})
const hasSerials = ({ row }: TakeRequest) => row.serialTrackingMode !== SerialTrackingMode.None

/** Why so much cannot be had: `only 12 of 40 are free in A-01-2; 28 are allocated to SSL-000123-OUT`. */
export function tooMuch(
  row: Pick<StockRow, 'locationName'>,
  quantity: bigint,
  { onHand, promised }: { onHand: bigint; promised: bigint },
  promises: readonly Allocation[],
): string {
  if (promised === 0n || quantity > onHand)
    return `only ${numberOf(onHand)} are there in ${row.locationName}, not ${numberOf(quantity)}`
  const free = `only ${numberOf(onHand - promised)} of ${numberOf(onHand)} are free in ${row.locationName}`
  return `${free}; ${numberOf(promised)} are allocated to ${listConsignmentNumbers(promises)}`
}

/** The serials that lie in rows, with their ids. */
async function serialsIn(
  tx: Tx,
  organisationId: string,
  warehouseProductIds: readonly string[],
): Promise<(warehouseProductId: string) => (readonly [serial: string, id: string])[]> {
  if (warehouseProductIds.length === 0) return () => []
  const rows = await tx.rows<{ warehouseProductId: string; serial: string; id: string }>(sql`
    select warehouse_product_id, serial, id from warehouse_product_item
    where organisation_id = ${organisationId} and warehouse_product_id = any(${warehouseProductIds})`)
  const byRow = Map.groupBy(rows, row => row.warehouseProductId)
  return id => (byRow.get(id) ?? []).map(({ serial, id }) => [serial, id] as const)
}

/** The items of serials that are named, and what is wrong with those that cannot be had. */
function namedItems(
  row: StockRow,
  serials: readonly string[],
  { items }: Remainder,
  promises: readonly Allocation[],
): { items: string[]; problems: Problem[] } {
  const promised = new Map(promises.map(promise => [promise.itemId, promise]))
  const problems: Problem[] = []
  const found = new Set<string>()
  for (const serial of serials) {
    const id = items.get(serial)
    const to = id === undefined ? undefined : promised.get(id)
    if (id === undefined)
      problems.push([`the serial ${serial} of ${row.productCode} is not in that stock`, 'unknown_reference'])
    else if (found.has(id)) problems.push([`the serial ${serial} is given twice`, 'duplicate'])
    else if (to) problems.push([`the serial ${serial} is allocated to ${to.consignmentNumber}`, 'state'])
    else found.add(id)
  }
  return { items: [...found], problems }
}
