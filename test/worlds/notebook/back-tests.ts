// What bills would have come to by other prices: each bill, before and after, by the name of what was charged.

import type { Booking } from './books.ts'
import { centsFor, type Owed, owedFor, type PriceList } from './money.ts'
import type { Notebook } from './notebook.ts'
import { type Bill, type Consignment, Status } from './orders.ts'

export type Side = Booking['partner']

/** What was charged, and how: by which of the two kinds, and under which name. */
interface Amount {
  isFreight: boolean
  name: string
  cents: number
  /** by how much it may differ, because weights may */
  tolerance: number
}

/** A bill, and what it would have come to. */
export interface TestedBill {
  consignment: Consignment
  bill: Bill
  before: readonly Amount[]
  after: readonly Amount[]
  /** how often bills of it were adjusted before */
  adjusted: number
  /** the reasons for which somebody pays nothing for a part of it */
  unpaid: readonly number[]
}

/** A test of prices: what each bill of a side would have been. */
export interface BackTest {
  id: string
  side: Side
  list: PriceList
  bills: readonly TestedBill[]
}

export const sumOf = (amounts: readonly Amount[]): number => amounts.reduce((all, one) => all + one.cents, 0)
export const toleranceOf = (amounts: readonly Amount[]): number =>
  amounts.reduce((all, one) => all + one.tolerance, 0)

/** The bills of a side that were adjusted, and are not given back. */
export const adjustedOf = ({ books }: Notebook, consignment: Consignment, side: Side): Booking[] =>
  books.bookingsOf(consignment).filter(one => one.isOfTest && !one.isVoid && one.partner === side)

/** A part of what a weight or a volume may differ by. */
function toleranceFor({ price, parts, fuel }: Owed): number {
  const of = price.counted === 'kg' ? 0.0021 : price.counted === 'm3' ? 0.000021 : 0
  return of === 0 ? 0 : of * parts * price.each * (1 + fuel) * 100 + 1
}

/** What each closed bill of a side would have come to by other prices. */
export function testBills(notebook: Notebook, side: Side, list: PriceList): TestedBill[] {
  return notebook.consignments.flatMap(consignment => {
    const { bill, status, isCarried } = consignment
    if (bill === null || status !== Status.Closed || (side === 'carrier' && !isCarried)) return []
    return [testBill(notebook, { consignment, bill, side, list })]
  })
}

function testBill(
  notebook: Notebook,
  { consignment, bill, side, list }: { consignment: Consignment; bill: Bill; side: Side; list: PriceList },
): TestedBill {
  const isClient = side === 'client'
  const isSame = (isClient ? bill.list : bill.carrierList) === list
  const entered = new Set(consignment.byHand.map(({ what }) => what))
  const rows = (isClient ? bill.rows : (bill.costs ?? [])).filter(({ what }) => !entered.has(what))
  // What somebody left out is left out of both if it is the same charge, and else of none.
  const computed = rows
    .filter(({ isLeftOut }) => !(isSame && isLeftOut))
    .map(({ what, cents, isFreight }): Amount => {
      return { isFreight, name: what.replace(/, [^,]* each$/, ''), cents, tolerance: 0 }
    })
  const earlier = adjustedOf(notebook, consignment, side).map(
    ({ kind, cents }): Amount => ({ isFreight: kind === 'freight', name: 'Adjusted', cents, tolerance: 0 }),
  )
  const { owed, unpaid } = owedFor(consignment, list, bill.items)
  const after = owed.map((row): Amount => {
    const { service, price, count, fuel } = row
    const cents = centsFor(price, count, fuel)
    return { isFreight: service.isFreight, name: service.name, cents, tolerance: toleranceFor(row) }
  })
  return {
    ...{ consignment, bill, before: [...computed, ...earlier], after: isSame ? computed : after },
    ...{ adjusted: earlier.length, unpaid: isClient ? unpaid.map(({ reason }) => reason) : [] },
  }
}

export class BackTests {
  readonly all: BackTest[] = []
}
