// Why each consignment is charged as it is: every price that was tried, and what became of it.

import { centsFor, factsOfItem, type Item, type Tried, triedBy } from '../notebook/money.ts'
import { type Consignment, Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import {
  carrierPricesOf,
  chargesOf,
  clientPricesOf,
  owedNow,
  rowsOf,
  unpaidOf,
  unpaidTexts,
} from './charges.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function explanations(world: World): Promise<void> {
  for (const consignment of world.notebook.consignments) {
    const told = await ask(world, 'get', `/v1/consignments/${consignment.id}/charges/explanation`)
    if (consignment.bill) await compareClosed(world, consignment, told)
    else if (consignment.status === Status.Void)
      sameText(told, { rates: [], unrated: [] }, consignment.number)
    else compareOpen(world, consignment, told)
  }
}

const outcomes: Record<Tried['outcome'], number> = {
  ...{ taken: 1, 'for the other direction': 3, 'nothing to take': 4, 'nothing left': 5 },
}

function compareOpen(world: World, consignment: Consignment, told: Row): void {
  const what = `why ${consignment.number} is charged so`
  const lists = [clientPricesOf(world, consignment), carrierPricesOf(world, consignment)]
  const known = lists.flatMap(list => (list ? triedBy(consignment, list) : []))
  sameText(
    told.rates.map(({ name }: Row) => name),
    known.map(({ service }) => service.name),
    what,
  )
  for (const [i, { service, tried }] of known.entries()) {
    const rate: Row = told.rates[i]
    const cents = rate.charges.map((charge: Row, j: number) =>
      compareTried(charge, tried[j] as Tried, consignment, `${what}, ${service.name}, price ${j + 1}`),
    )
    sameText(rate.charges.length, tried.length, `${what}, ${service.name}, how many prices`)
    const isAny = tried.some(({ rows }) => rows.length > 0)
    const sum = isAny ? cents.reduce((all: number, own: number) => all + own, 0) : null
    const toldSum = rate.amountExclTax === null ? null : Math.round(rate.amountExclTax * 100)
    sameText(toldSum, sum, `${what}, ${service.name}, in cents`)
  }
  sameText(unpaidOf(told), unpaidTexts(owedNow(world, consignment).unpaid), `${what}, what nobody pays for`)
}

const namesOf = (items: readonly Item[]) => items.map(factsOfItem).map(({ id, name }) => `${id} ${name}`)
const toldNames = (parts: readonly Row[]) => parts.map(({ id, name }) => `${id} ${name}`)

/** Compares what became of a price, and returns what it comes to in cents. */
function compareTried(told: Row, { price, outcome, rows, unmeasured }: Tried, of: Consignment, what: string) {
  sameText(told.outcome, outcomes[outcome], `${what}, what became of it`)
  const type = { inwards: 1, outwards: 2 }
  const failed = {
    ...{ selector: 'consignmentTypes', wanted: price.only && [type[price.only]], found: [type[of.type]] },
  }
  sameText(
    told.failed,
    outcome === 'for the other direction' ? [failed] : [],
    `${what}, why it is not for it`,
  )
  sameText(
    toldNames(told.unmeasured).toSorted(),
    namesOf(unmeasured).toSorted(),
    `${what}, what cannot be counted`,
  )
  sameText(told.rows.length, rows.length, `${what}, its rows`)
  let sum = 0
  for (const { owed, parts } of rows) {
    const [first] = parts
    const isOneByOne = owed.service.isByProduct || price.of.length > 0
    const key = isOneByOne && first ? factsOfItem(first).key : ''
    const row: Row = told.rows.find(({ partKey }: Row) => partKey === key) ?? { parts: [], amounts: [] }
    sameText(toldNames(row.parts).toSorted(), namesOf(parts).toSorted(), `${what}, what it takes`)
    const tolerance = price.counted === 'kg' ? 0.0021 : price.counted === 'm3' ? 0.000021 : 0
    sameFigure(row.metric, owed.count, `${what}, its count`, tolerance * owed.parts)
    const cents = centsFor(price, row.metric, owed.fuel)
    sameText(
      row.amounts.map((amount: number) => Math.round(amount * 100)),
      [cents],
      `${what}, what it takes in cents`,
    )
    sum += cents
  }
  return sum
}

/** What is closed is explained by what it was billed. */
async function compareClosed(world: World, consignment: Consignment, told: Row): Promise<void> {
  const what = `why ${consignment.number}, which is closed, was charged so`
  const cents = told.rates.flatMap(({ kind, charges }: Row) =>
    kind === 3 ? [] : charges.flatMap(({ rows }: Row) => rows.flatMap(({ amounts }: Row) => amounts)),
  )
  const billed = rowsOf(await chargesOf(world, consignment)).filter(({ isByHand }) => !isByHand)
  sameText(
    cents.map((amount: number) => Math.round(amount * 100)).toSorted(),
    billed.map(row => row.cents).toSorted(),
    what,
  )
  sameText(unpaidOf(told), consignment.bill?.unpaid, `${what}, what nobody pays for`)
}
