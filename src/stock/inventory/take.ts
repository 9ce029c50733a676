// Taking stock out of rows: how much may be had, with which serials, and what is promised of it. What all
// commands that move, hold or change stock ask first. Spec 2.14.

import { SerialTrackingMode } from '../../partners/enumerations.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { Decimal, optional, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { consignmentsIn, type Promised, promisesOf } from './promises.ts'
import { itemsOf, numberOf, Serials, serialFaults } from './quantities.ts'
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
export interface Wanted {
  n: number
  row: StockRow
  part: Part
}

/** What an entry gets. */
export interface Taking {
  n: number
  row: StockRow
  /** ten-thousandths */
  quantity: bigint
  /** the ids of the serials that go with it */
  items: readonly string[]
  /** everything that was left of the row goes, and takes these promises along */
  promises: readonly Promised[]
}

/** What entries before have left of a row. */
interface Left {
  onHand: bigint
  promised: bigint
  items: Map<string, string>
}

interface Options {
  /** what is all of a row: everything, which takes its promises along, or only what is not promised */
  all: 'everything' | 'free'
}

/**
 * Finds what each entry gets, in their order; what one takes the next does not find. An entry that cannot have
 * what it asks for gets nothing, and `refuse` is told why, as the end of a sentence. Ask under the lock.
 */
export async function take(
  tx: Tx,
  organisationId: string,
  wanted: readonly Wanted[],
  { all }: Options,
  refuse: (n: number, fault: string) => void,
): Promise<Taking[]> {
  const ids = [...new Set(wanted.map(({ row }) => row.id))]
  const inUnits = wanted.filter(({ part }) => part.unitTypeId)
  const products = await findProducts(
    tx,
    organisationId,
    inUnits.map(({ row }) => row.productId),
  )
  const promises = await promisesOf(tx, organisationId, ids)
  const serials = await serialsIn(
    tx,
    organisationId,
    wanted.filter(hasSerials).map(({ row }) => row.id),
  )
  const left = new Map<string, Left>()
  return wanted.flatMap(one => {
    const { n, row, part } = one
    const of = left.get(row.id) ?? {
      onHand: row.onHand,
      promised: row.allocated,
      items: new Map(serials(row.id)),
    }
    left.set(row.id, of)
    const free = of.onHand - of.promised
    const product = products.get(row.productId)
    const quantity = part.quantity
      ? product
        ? itemsOf(product, { quantity: part.quantity, unitTypeId: part.unitTypeId }, fault =>
            refuse(n, fault),
          )
        : itemsOf({ code: row.productCode, chain: [] }, { quantity: part.quantity }, fault =>
            refuse(n, fault),
          )
      : all === 'everything'
        ? of.onHand
        : free
    if (quantity === undefined) return []
    const isWhole = quantity === of.onHand && (all === 'everything' || of.promised === 0n)
    const own = promises(row.id)
    const faults = [
      ...(quantity === 0n ? [`nothing is ${all === 'free' ? 'free' : 'left'} in ${row.locationName}`] : []),
      ...(isWhole || quantity <= free ? [] : [tooMuch(row, quantity, of, own)]),
      ...serialFaults(asProduct(row), quantity, part.serials ?? [], { mayLack: isWhole }),
    ]
    const named = namedItems(row, part.serials ?? [], of, isWhole ? [] : own)
    if (faults.length + named.faults.length > 0) {
      for (const fault of [...faults, ...named.faults]) refuse(n, fault)
      return []
    }
    const items = isWhole ? [...of.items.values()] : named.items
    for (const serial of part.serials ?? []) of.items.delete(serial)
    of.onHand -= quantity
    if (isWhole) of.promised = 0n
    return [{ n, row, quantity, items, promises: isWhole ? own : [] }]
  })
}

const asProduct = ({ productCode, serialTrackingMode }: StockRow) => ({
  code: productCode,
  serialTrackingMode,
})
const hasSerials = ({ row }: Wanted) => row.serialTrackingMode !== SerialTrackingMode.None

/** Why so much cannot be had: `only 12 of 40 are free in A-01-2; 28 are allocated to SSL-000123-OUT`. */
export function tooMuch(
  row: Pick<StockRow, 'locationName'>,
  quantity: bigint,
  { onHand, promised }: { onHand: bigint; promised: bigint },
  promises: readonly Promised[],
): string {
  if (promised === 0n || quantity > onHand)
    return `only ${numberOf(onHand)} are there in ${row.locationName}, not ${numberOf(quantity)}`
  const free = `only ${numberOf(onHand - promised)} of ${numberOf(onHand)} are free in ${row.locationName}`
  return `${free}; ${numberOf(promised)} are allocated to ${consignmentsIn(promises)}`
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
  { items }: Left,
  promises: readonly Promised[],
): { items: string[]; faults: string[] } {
  const promised = new Map(promises.map(promise => [promise.itemId, promise]))
  const faults: string[] = []
  const found = new Set<string>()
  for (const serial of serials) {
    const id = items.get(serial)
    const to = id === undefined ? undefined : promised.get(id)
    if (id === undefined) faults.push(`the serial ${serial} of ${row.productCode} is not in that stock`)
    else if (found.has(id)) faults.push(`the serial ${serial} is given twice`)
    else if (to) faults.push(`the serial ${serial} is allocated to ${to.consignmentNumber}`)
    else found.add(id)
  }
  return { items: [...found], faults }
}
