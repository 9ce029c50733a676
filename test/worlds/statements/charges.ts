// What is charged for each consignment, and what of it nobody pays for.

import type { Tax } from '../notebook/books.ts'
import {
  centsFor,
  chargeDay,
  factsOfItem,
  isByExpected,
  itemsOf,
  type Owed,
  owedBy,
  partsOf,
  pricesOn,
  type Unpaid,
} from '../notebook/money.ts'
import { type Bill, type BillRow, type Charged, type Consignment, Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function charges(world: World): Promise<void> {
  for (const consignment of world.notebook.consignments) {
    if (consignment.bill) await compareBill(world, consignment, consignment.bill)
    else if (consignment.status !== Status.Void) await billOf(world, consignment)
  }
}

/** The charges of a consignment, as the service tells them. */
export const chargesOf = (world: World, { id }: Consignment) =>
  ask(world, 'get', `/v1/consignments/${id}/charges`)

/** A row as the service tells it. It tells no tax of freight. */
interface ToldRow extends BillRow {
  id: string
  isByHand: boolean
  taxPercent: number | null
}

export const rowsOf = (told: Row): ToldRow[] =>
  asRows([
    ...told.clientActivityCharges.map((row: Row) => ({ ...row, isFreight: false })),
    ...told.clientFreightCharges.map((row: Row) => ({ ...row, isFreight: true })),
  ])

/** What the carrier is owed. */
const costsOf = (told: Row): ToldRow[] =>
  asRows(told.carrierFreightCharges.map((row: Row) => ({ ...row, isFreight: true })))

const asRows = (rows: readonly Row[]): ToldRow[] =>
  rows.map((row: Row) => ({
    ...{ id: row.id, isByHand: row.isAdhoc, isFreight: row.isFreight },
    ...{ base: row.chargeBase, least: row.chargeMin, taxPercent: row.taxRatePercent ?? null },
    what: `${row.particulars}, ${row.chargeRate} each`,
    count: row.metricValue,
    cents: Math.round(row.amountExclTax * 100),
    isLeftOut: !row.isEffective,
  }))

const withoutIds = (rows: readonly BillRow[]): BillRow[] =>
  rows.map(({ what, count, cents, base, least, isFreight, isLeftOut }) => ({
    ...{ what, count, cents, base, least, isFreight, isLeftOut },
  }))

/** Rows of several tasks may look the same, save that one of them is left out. */
const inOrder = <T extends { what: string; count: number; isLeftOut: boolean }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) =>
    a.what === b.what
      ? a.count - b.count || Number(a.isLeftOut) - Number(b.isLeftOut)
      : a.what < b.what
        ? -1
        : 1,
  )

/** A bill stays as it was closed. */
async function compareBill(world: World, consignment: Consignment, bill: Bill): Promise<void> {
  const told = await chargesOf(world, consignment)
  const what = `the charges of ${consignment.number}, which is closed`
  const rows = rowsOf(told)
  sameText(inOrder(withoutIds(rows)), bill.rows, what)
  compareTax(consignment, bill.tax, rows, what)
  sameText(inOrder(withoutIds(costsOf(told))), bill.costs ?? [], `${what}, for its carrier`)
  compareMargin(consignment, rows, bill.costs, told)
  sameText(unpaidOf(told), bill.unpaid, `what ${consignment.number}, which is closed, does not charge`)
}

/** What was entered is taxed as of then, the rest as of its bill. */
function compareTax({ byHand }: Consignment, tax: Tax, rows: readonly ToldRow[], what: string): void {
  for (const { what: row, taxPercent } of rows) {
    const { percent } = byHand.find(entered => entered.what === row)?.tax ?? tax
    if (taxPercent !== null) sameFigure(taxPercent, percent, `${what}, ${row}, its tax`)
  }
}

export const unpaidOf = ({ unrated }: Row): string[] =>
  unrated.map(({ part, quantity, reason }: Row) => `${part.id} ${quantity} ${reason}`).toSorted()

/** What nobody pays for, in the words of `unpaidOf`. */
export const unpaidTexts = (unpaid: readonly Unpaid[]): string[] =>
  unpaid
    .map(({ item, reason }) => {
      const { id, quantity } = item ? factsOfItem(item) : { id: null, quantity: 0 }
      return `${id} ${quantity} ${reason}`
    })
    .toSorted()

/** What a consignment would be billed now, compared with what the service tells. */
export async function billOf(world: World, consignment: Consignment): Promise<Bill> {
  const { notebook } = world
  const { number, byHand, leftOut } = consignment
  const today = notebook.dayAt(Date.now())
  const told = await chargesOf(world, consignment)
  const { owed, unpaid } = owedNow(world, consignment)
  const what = `the charges of ${number}`
  const all = rowsOf(told)
  compareOwed(
    all.filter(({ isByHand }) => !isByHand),
    owed,
    leftOut,
    what,
  )
  const costs = compareCosts(world, consignment, told)
  const entered = inOrder(withoutIds(all.filter(({ isByHand }) => isByHand)))
  sameText(entered, inOrder(withoutIds(byHand)), `${what} that were entered by hand`)
  sameText(told.isByExpected, isByExpected(consignment), `${what}, whether they are by what was expected`)
  const open = unpaidTexts(unpaid)
  sameText(unpaidOf(told), open, `what ${number} does not charge`)
  const { tax } = notebook.books
  compareTax(consignment, tax, all, what)
  const billed = inOrder(withoutIds(all))
  const unbilled = unbilledOf(consignment, billed, unpaid)
  const charged = chargedNow(world, consignment)
  const parts = itemsOf(consignment)
    .map(factsOfItem)
    .map(({ name, quantity }) => ({ code: name, quantity }))
  const asOfNow = {
    ...{ items: itemsOf(consignment).map(item => ({ ...item })), centre: notebook.books.centreNow },
    list: clientPricesOf(world, consignment),
    carrierList: carrierPricesOf(world, consignment),
  }
  return {
    ...{ rows: billed, costs, unpaid: open, unbilled, day: today, charged, parts },
    ...{ ...asOfNow, tax },
  }
}

function compareOwed(
  told: readonly ToldRow[],
  owed: readonly Owed[],
  leftOut: ReadonlySet<string>,
  what: string,
): void {
  const rows = inOrder(told)
  const known = inOrder(
    owed.map(row => ({
      ...{ ...row, what: `${row.service.name}, ${row.price.each} each` },
      isLeftOut: leftOut.has(row.key),
    })),
  )
  sameText(
    rows.map(row => row.what),
    known.map(row => row.what),
    what,
  )
  for (const [i, row] of rows.entries()) {
    const { key, ...own } = known[i] as Owed
    compareRow(row, { key, ...own }, `${what}, ${row.what}`)
    sameText(row.isFreight, own.service.isFreight, `${what}, ${row.what}, whether it is freight`)
    sameText(row.isLeftOut, leftOut.has(key), `${what}, ${row.what}, whether it is left out`)
  }
}

/** The prices of its carrier by which a consignment is charged, if there are any. */
export const carrierPricesOf = ({ notebook }: World, consignment: Consignment) =>
  consignment.isCarried
    ? pricesOn(notebook, chargeDay(consignment, notebook.dayAt(Date.now())), notebook.carrierLists)
    : undefined

/** What the carrier of a consignment is owed, as the service tells it; null if nothing is agreed with it. */
function compareCosts(world: World, consignment: Consignment, told: Row): BillRow[] | null {
  const list = carrierPricesOf(world, consignment)
  const rows = costsOf(told)
  const owed = list ? owedBy(consignment, list).owed : []
  compareOwed(rows, owed, new Set(), `what the carrier is owed for ${consignment.number}`)
  const costs = list ? inOrder(withoutIds(rows)) : null
  compareMargin(consignment, rowsOf(told), costs, told)
  return costs
}

const sumOf = (rows: readonly BillRow[]) => rows.reduce((all, { cents }) => all + cents, 0)

/** What freight brings and costs, and what is left of it. */
export function marginOf(rows: readonly BillRow[], costs: readonly BillRow[] | null) {
  const charged = sumOf(rows.filter(({ isFreight, isLeftOut }) => isFreight && !isLeftOut))
  const incurred = costs && sumOf(costs)
  const margin = incurred === null ? null : charged - incurred
  const percent = margin === null ? null : charged > 0 ? (margin / charged) * 100 : margin < 0 ? -100 : null
  return { charged, incurred, margin, percent }
}

function compareMargin(
  { number }: Consignment,
  rows: readonly BillRow[],
  costs: readonly BillRow[] | null,
  { freightMargin: told }: Row,
): void {
  const { charged, incurred, margin, percent } = marginOf(rows, costs)
  const cents = (amount: number | null) => amount && Math.round(amount * 100)
  const what = `the margin of ${number}`
  const amounts = [told.chargedExclTax, told.incurredExclTax, told.marginExclTax].map(cents)
  sameText(amounts, [charged, incurred, margin], what)
  sameFigure(told.marginPercent ?? 0, percent ?? 0, `${what}, in percent`, 0.005_001)
}

/** The prices of its client by which a consignment is charged, if there are any. */
export const clientPricesOf = ({ notebook }: World, consignment: Consignment) =>
  pricesOn(notebook, chargeDay(consignment, notebook.dayAt(Date.now())))

/** What a consignment owes by the prices of its day. */
export function owedNow(world: World, consignment: Consignment): ReturnType<typeof owedBy> {
  const list = clientPricesOf(world, consignment)
  return list ? owedBy(consignment, list) : { owed: [], unpaid: [] }
}

/** How much of a consignment is charged now. */
export function chargedNow({ notebook }: World, consignment: Consignment): Charged {
  const parts = partsOf(consignment)
  const day = chargeDay(consignment, notebook.dayAt(Date.now()))
  const sum = (values: readonly (number | null)[]) =>
    values.every(value => value === null)
      ? null
      : values.reduce<number>((all, value) => all + (value ?? 0), 0)
  return {
    quantity: sum(parts.map(({ quantity }) => quantity)) ?? 0,
    weight: sum(parts.map(({ weight }) => weight)),
    volume: sum(parts.map(({ volume }) => volume)),
    ...{ day, fuel: pricesOn(notebook, day)?.fuel ?? 0 },
  }
}

/** What of a consignment brings no money, in the words of the report of that. */
function unbilledOf(consignment: Consignment, rows: readonly BillRow[], unpaid: readonly Unpaid[]): string[] {
  const [freight, excluded, zero, expected] = [4, 8, 9, 10]
  const kinds = { task: 2, consumable: 3 }
  const nameOf = ({ what }: BillRow) => what.replace(/, [^,]* each$/, '')
  return [
    ...unpaid.map(({ item }) => {
      if (item === null) return `${freight} null null`
      const { name, quantity } = factsOfItem(item)
      return `${'type' in item ? kinds[item.type.kind] : 1} ${name} ${quantity}`
    }),
    ...rows.flatMap(row =>
      row.isLeftOut || row.cents === 0
        ? [`${row.isLeftOut ? excluded : zero} ${nameOf(row)} ${row.count}`]
        : [],
    ),
    ...(isByExpected(consignment) ? [`${expected} null null`] : []),
  ].toSorted()
}

/** Weights may differ by a few of their last places; what they come to follows from what is told. */
function compareRow({ count, cents, base, least }: BillRow, owed: Owed, what: string): void {
  sameText({ base, least }, { base: owed.price.base, least: owed.price.least }, `${what}, its price`)
  const { counted } = owed.price
  const tolerance = counted === 'kg' ? 0.0021 : counted === 'm3' ? 0.000021 : 0
  sameFigure(count, owed.count, `${what}, its count`, tolerance * owed.parts)
  sameFigure(cents, centsFor(owed.price, count, owed.fuel), `${what}, in cents`)
}
