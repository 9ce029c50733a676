// Takes stock out of rows: decides how much each entry of a command gets, with which serials and allocations.
// Every command that moves, holds or re-describes stock does this first. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import type { FieldFault, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { Decimal, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import {
  type Allocation,
  type AllocationLookup,
  listConsignmentNumbers,
  readAllocations,
} from '../inventory/allocations.ts'
import { numberOf, Serials, serialFaults, toItems } from './quantities.ts'
import type { StockRow } from './read-stock-rows.ts'
import { findProducts } from './stock-products.ts'

/** The fields by which an entry selects a part of a row. Without them it selects the whole row. */
export const partFields = {
  quantity: optional(Decimal(4, { exclusiveMinimum: 0 })),
  unitTypeId: optional({ ...Uuid, description: 'The unit of quantity; default items.' }),
  serials: optional(Serials),
}
const StockPart = Type.Object(partFields)
export type StockPart = Static<typeof StockPart>

/** A part of a row that an entry requests. `n` is the index of the entry in the command. */
export interface TakeRequest {
  n: number
  row: StockRow
  part: StockPart
}

/** The stock that an entry gets. `n` is the index of the entry in the command. */
export interface TakenPart {
  n: number
  row: StockRow
  /** ten-thousandths */
  quantity: bigint
  /** ids of the serial items that leave the row */
  items: readonly string[]
  /** the allocations that move along; empty unless everything left in the row is taken */
  allocations: readonly Allocation[]
}

/** What earlier entries have left in a row. Quantities in ten-thousandths. */
interface Remainder {
  onHand: bigint
  allocated: bigint
  /** ids of items by serial */
  items: Map<string, string>
}

export interface TakeOptions {
  /** what an entry without a quantity gets: the whole row with its allocations, or only unallocated stock */
  all: 'everything' | 'free'
  /** the allocations of a row to respect; default all of its stored allocations */
  allocationsOf?: AllocationLookup
}

/**
 * Decides what each request gets, in order: stock that one request takes is gone for the next. A request
 * that cannot be met in full gets nothing, and its problems are reported to `refuse`. Call it under the stock
 * lock.
 */
export async function planTake(
  tx: Tx,
  organisationId: string,
  requests: readonly TakeRequest[],
  { all, allocationsOf }: TakeOptions,
  refuse: ReportEntryFault,
): Promise<TakenPart[]> {
  const state = await readTakeState(tx, organisationId, requests, allocationsOf)
  return state.plan(requests, all, refuse).parts
}

/** Reads what requests can take. `allocationsOf` are the allocations to respect, if they are not all. */
export async function readTakeState(
  tx: Tx,
  organisationId: string,
  requests: readonly Omit<TakeRequest, 'n'>[],
  allocationsOf?: AllocationLookup,
): Promise<TakeState> {
  const ids = [...new Set(requests.map(({ row }) => row.id))]
  const inUnits = requests.filter(({ part }) => part.unitTypeId)
  const [products, allocations, serialsOf] = await Promise.all([
    findProducts(
      tx,
      organisationId,
      inUnits.map(({ row }) => row.productId),
    ),
    allocationsOf ?? readAllocations(tx, organisationId, ids),
    readSerials(
      tx,
      organisationId,
      requests.filter(hasSerials).map(({ row }) => row.id),
    ),
  ])
  return new TakeState(products, allocations, serialsOf)
}

/** What is left in rows after the requests that were planned and kept. */
export class TakeState {
  readonly #products: Awaited<ReturnType<typeof findProducts>>
  readonly #allocationsOf: AllocationLookup
  readonly #serialsOf: Awaited<ReturnType<typeof readSerials>>
  readonly #remainders = new Map<string, Remainder>()

  constructor(
    products: Awaited<ReturnType<typeof findProducts>>,
    allocationsOf: AllocationLookup,
    serialsOf: Awaited<ReturnType<typeof readSerials>>,
  ) {
    this.#products = products
    this.#allocationsOf = allocationsOf
    this.#serialsOf = serialsOf
  }

  /** Plans requests. What they take is gone for others once `keep` is called. */
  plan(
    requests: readonly TakeRequest[],
    all: TakeOptions['all'],
    refuse: ReportEntryFault,
  ): { parts: TakenPart[]; keep(): void } {
    const remainders = new Map<string, Remainder>()
    const takesAllocated = all === 'everything'
    const parts = requests.flatMap(request => {
      const { n, row, part } = request
      const product = this.#products.get(row.productId) ?? { code: row.productCode, chain: [] }
      const remainder = remainders.get(row.id) ?? this.#remainderOf(row)
      remainders.set(row.id, remainder)
      const quantity = part.quantity
        ? toItems(product, { ...part, quantity: part.quantity }, (...fault) => refuse(n, ...fault))
        : remainder.onHand - (takesAllocated ? 0n : remainder.allocated)
      if (quantity === undefined) return []
      return takeOne(request, quantity, remainder, takesAllocated, this.#allocationsOf(row.id), refuse)
    })
    return {
      parts,
      keep: () => {
        for (const [id, remainder] of remainders) this.#remainders.set(id, remainder)
      },
    }
  }

  /** A copy of what is left in a row. */
  #remainderOf(row: StockRow): Remainder {
    const known = this.#remainders.get(row.id)
    if (known !== undefined) return { ...known, items: new Map(known.items) }
    const allocated = this.#allocationsOf(row.id).reduce((sum, { quantity }) => sum + quantity, 0n)
    return { onHand: row.onHand, allocated, items: new Map(this.#serialsOf(row.id)) }
  }
}

/** Takes the quantity of one request out of the remainder of its row, or reports why it cannot be taken. */
function takeOne(
  { n, row, part }: TakeRequest,
  quantity: bigint,
  remainder: Remainder,
  takesAllocated: boolean,
  allocations: readonly Allocation[],
  refuse: ReportEntryFault,
): TakenPart[] {
  const { locationName } = row
  const free = remainder.onHand - remainder.allocated
  const isWhole = quantity === remainder.onHand && (takesAllocated || remainder.allocated === 0n)
  const serials = part.serials ?? []
  // A request for whatever is free need not list serials: any that are not allocated by name will do.
  const isAnyFree = !takesAllocated && !part.quantity && serials.length === 0
  const named = findNamedItems(row, serials, remainder, isWhole ? [] : allocations)
  const problems: FieldFault[] = []
  if (quantity === 0n)
    problems.push([`nothing is ${takesAllocated ? 'left' : 'free'} in ${locationName}`, 'insufficient_stock'])
  if (!isWhole && quantity > free) problems.push(describeShortage(row, quantity, remainder, allocations))
  problems.push(
    ...serialFaults(trackingOf(row), quantity, serials, { mayOmit: isWhole || isAnyFree }),
    ...named.problems,
  )
  for (const problem of problems) refuse(n, ...problem)
  if (problems.length > 0) return []
  const items = isWhole
    ? [...remainder.items.values()]
    : isAnyFree
      ? unallocatedItems(remainder, allocations).slice(0, numberOf(quantity))
      : named.items
  removeItems(remainder, items)
  remainder.onHand -= quantity
  if (isWhole) remainder.allocated = 0n
  return [{ n, row, quantity, items, allocations: isWhole ? allocations : [] }]
}

/** The items left in a row that are not allocated by name. */
function unallocatedItems({ items }: Remainder, allocations: readonly Allocation[]): string[] {
  const allocated = new Set(allocations.map(({ itemId }) => itemId))
  return [...items.values()].filter(id => !allocated.has(id))
}

function removeItems(remainder: Remainder, items: readonly string[]): void {
  const taken = new Set(items)
  for (const [serial, id] of remainder.items) if (taken.has(id)) remainder.items.delete(serial)
}

const trackingOf = ({ productCode, serialTrackingMode }: StockRow) => ({
  code: productCode,
  serialTrackingMode,
})
const hasSerials = ({ row }: Pick<TakeRequest, 'row'>) => row.serialTrackingMode !== SerialTrackingMode.None

/** Why a quantity cannot be taken: `only 12 of 40 are free in A-01-2; 28 are allocated to SSL-000123-OUT`. */
function describeShortage(
  row: Pick<StockRow, 'locationName'>,
  quantity: bigint,
  { onHand, allocated }: Pick<Remainder, 'onHand' | 'allocated'>,
  allocations: readonly Allocation[],
): FieldFault {
  if (allocated === 0n || quantity > onHand)
    return [
      onHand === 0n
        ? `nothing is left in ${row.locationName}`
        : `only ${numberOf(onHand)} are in ${row.locationName}, not ${numberOf(quantity)}`,
      'insufficient_stock',
    ]
  const free = `only ${numberOf(onHand - allocated)} of ${numberOf(onHand)} are free in ${row.locationName}`
  return [
    `${free}; ${numberOf(allocated)} are allocated to ${listConsignmentNumbers(allocations)}`,
    'allocated',
  ]
}

/** Reads the serials in rows, with the ids of their items. */
async function readSerials(
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

/** Finds the items that a request names by serial, with a problem for each that it cannot have. */
function findNamedItems(
  row: StockRow,
  serials: readonly string[],
  { items }: Remainder,
  allocations: readonly Allocation[],
): { items: string[]; problems: FieldFault[] } {
  const allocationOfItem = new Map(allocations.map(allocation => [allocation.itemId, allocation]))
  const problems: FieldFault[] = []
  const found = new Set<string>()
  for (const serial of serials) {
    const id = items.get(serial)
    const allocation = id === undefined ? undefined : allocationOfItem.get(id)
    if (id === undefined)
      problems.push([`the serial ${serial} of ${row.productCode} is not in that stock`, 'serial_unknown'])
    else if (found.has(id)) problems.push([`the serial ${serial} is listed twice`, 'duplicate'])
    else if (allocation)
      problems.push([`the serial ${serial} is allocated to ${allocation.consignmentNumber}`, 'allocated'])
    else found.add(id)
  }
  return { items: [...found], problems }
}
