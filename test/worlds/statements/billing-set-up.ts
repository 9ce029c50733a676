// By what is billed, and what waits to be: partners with what is open, the rules of runs, rate cards with their
// versions and the one in force on a day, and the accounts and cost centres that bills name.

import type { PriceList } from '../notebook/money.ts'
import { pricesOn } from '../notebook/money.ts'
import { Status } from '../notebook/orders.ts'
import { addDays, endOfMonth, type Rule, startOfMonth } from '../notebook/runs.ts'
import { ask, untilNotBusy, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { carrierName, clientName } from './rows.ts'

export async function billingSetUp(world: World): Promise<void> {
  await billedPartners(world)
  await rules(world)
  await rateCards(world)
  await accounts(world)
}

const clientOf = ({ clientId }: World) => ({ id: clientId, name: clientName, code: 'KAURI' })
const carrierOf = ({ books }: World) => ({ id: books.carrierId, name: carrierName, code: 'SWF' })

/** Two in the morning after a day, by the clock in Auckland. */
function runAfter({ notebook }: World, day: string): string {
  const next = addDays(day, 1)
  const clock = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland', timeStyle: 'short' })
  for (const ahead of [12, 13]) {
    const instant = Date.parse(`${next}T02:00:00Z`) - ahead * 3_600_000
    if (notebook.dayAt(instant) === next && clock.format(instant) === '02:00')
      return new Date(instant).toISOString()
  }
  throw new Error(`It is never two on ${next}.`)
}

/** Months one after the other, the first of which may have begun. */
function periodsFrom(world: World, first: string, count: number): Row[] {
  const periods: Row[] = []
  for (let from = first; periods.length < count; ) {
    const to = endOfMonth(from)
    periods.push({ periodFrom: from, periodTo: to, runUtc: runAfter(world, to) })
    from = addDays(to, 1)
  }
  return periods
}

/** The first day of which the carrier is owed something that is not on a schedule. */
function firstOfCarrier({ notebook }: World): string {
  const own = notebook.books.bookings.filter(({ partner, isVoid }) => partner === 'carrier' && !isVoid)
  return startOfMonth([...own.map(({ day }) => day), notebook.dayAt(Date.now())].toSorted()[0] as string)
}

async function billedPartners(world: World): Promise<void> {
  const { notebook } = world
  const { books, runs } = notebook
  const cents = (partner: 'client' | 'carrier') => {
    const own = books.bookings.filter(one => one.partner === partner && !one.isVoid && one.schedule === null)
    const sum = own.reduce((all, one) => all + one.cents, 0)
    return { pendingCount: own.length, pendingExclTax: sum / 100 }
  }
  const [latest] = books.schedules.toSorted((a, b) => (`${a.day} ${a.id}` < `${b.day} ${b.id}` ? 1 : -1))
  const next = (rule: Rule | null, first: string) => (rule && periodsFrom(world, first, 1)[0]) ?? null
  const known = [
    {
      ...{ partner: clientOf(world), relationship: 1, ...cents('client') },
      completeCount: notebook.consignments.filter(({ status }) => status === Status.Complete).length,
      lastSchedule: latest
        ? {
            ...{ id: latest.id, date: latest.day, status: latest.isApproved ? 2 : 1 },
            amountExclTax: books.totalOf(latest).net / 100,
          }
        : null,
      nextPeriod: next(runs.own ?? runs.general, runs.firstOpenDay),
    },
    {
      ...{ partner: carrierOf(world), relationship: 2, ...cents('carrier'), completeCount: 0 },
      ...{ lastSchedule: null, nextPeriod: next(runs.general, firstOfCarrier(world)) },
    },
  ]
  const told = await ask(world, 'get', '/v1/billed-partners')
  sameText(told.billedPartners, known, 'what waits to be billed')
}

/** What nobody changes of a rule. */
const usual = {
  ...{ period: 4, graceDays: 0, runAt: '02:00', maxTransactions: 10_000, weekday: null, dayOfMonth: null },
  ...{ anchorDate: null, billsFrom: null, referenceTemplate: null, descriptionTemplate: null },
}

async function rules(world: World): Promise<void> {
  const { runs, dayAt } = world.notebook
  const read = async (path: string) => (await untilNotBusy(() => world.caller.get(path))).body
  const general = await read('/v1/organisation/billing-rule')
  const month = startOfMonth(dayAt(Date.now()))
  const ofAll = runs.general && { ...usual, ...runs.general, periods: periodsFrom(world, month, 3) }
  sameRule(general, ofAll, 'the rule of all runs')
  const rule = runs.own ?? runs.general
  const ofClient = rule && {
    ...{ ...usual, ...rule, isOwn: runs.own !== null },
    firstPeriodFrom: runs.done[0]?.from ?? runs.firstOpenDay,
    periods: periodsFrom(world, runs.firstOpenDay, 3),
  }
  sameRule(await read(`/v1/partners/${world.clientId}/billing-rule`), ofClient, 'the rule of runs')
}

const sorted = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function sameRule(told: Row, known: Row | null, what: string): void {
  if (known === null) sameText(told.ErrorType, 'Not Found', what)
  else sameText(sorted(told), sorted(known), what)
}

async function rateCards(world: World): Promise<void> {
  const { notebook, books } = world
  const cards = [
    { name: 'Costs', id: books.carrierCardId, lists: notebook.carrierLists, relationship: 2, of: carrierOf },
    { name: 'Prices', id: books.rateCardId, lists: notebook.priceLists, relationship: 1, of: clientOf },
  ]
  const today = notebook.dayAt(Date.now())
  const told = await ask(world, 'get', '/v1/rate-cards')
  const known = cards.map(({ name, id, lists, relationship, of }) => {
    const list = pricesOn(notebook, today, lists)
    const current = list && { id: list.id, number: lists.indexOf(list) + 1, effectiveFrom: list.from }
    return {
      ...{ id, name, relationship, partner: of(world), status: 1, current: current ?? null, draftCount: 0 },
    }
  })
  sameText(told.rateCards.map(sorted), known.map(sorted), 'the rate cards')
  for (const { id, name, lists, of } of cards) {
    await versions(world, id, lists, `the versions of ${name}`)
    for (const day of ['2019-12-31', addDays(today, -60), addDays(today, -3), today])
      await inForce(world, { cardId: id, partnerId: of(world).id, day, list: pricesOn(notebook, day, lists) })
  }
}

/** Of two of one day, the later one counts. */
async function versions(
  world: World,
  cardId: string,
  lists: readonly PriceList[],
  what: string,
): Promise<void> {
  const { rateCardVersions } = await ask(world, 'get', `/v1/rate-cards/${cardId}/versions?PageSize=500`)
  const inOrder = lists.toSorted((a, b) => (a.from === b.from ? 0 : a.from < b.from ? -1 : 1))
  const known = lists.map((list, i) => ({
    ...{ id: list.id, number: i + 1, status: 2, effectiveFrom: list.from, note: null },
    ...{ supersededFrom: inOrder[inOrder.indexOf(list) + 1]?.from ?? null },
    approvedBy: world.notebook.person,
  }))
  const told = rateCardVersions
    .toSorted((a: Row, b: Row) => a.number - b.number)
    .map(({ contentSha256: _, createdUtc: __, approvedUtc: ___, ...row }: Row) => row)
  sameText(told.map(sorted), known.map(sorted), what)
}

async function inForce(
  world: World,
  {
    cardId,
    partnerId,
    day,
    list,
  }: { cardId: string; partnerId: string; day: string; list: PriceList | undefined },
): Promise<void> {
  const path = `/v1/rate-cards/in-force?PartnerId=${partnerId}&Date=${day}`
  const { status, body } = await untilNotBusy(() => world.caller.get(path))
  const what = `the prices of ${day}`
  sameFigure(status, list ? 200 : 404, what)
  if (list) sameText(body, { rateCardId: cardId, rateCardVersionId: list.id, because: 1 }, what)
}

async function accounts(world: World): Promise<void> {
  const { books } = world.notebook
  const { costCentres } = await ask(world, 'get', '/v1/cost-centres')
  const centres = books.centres.map(({ id, code, name }) => ({ id, code, name }))
  const inOrder = (rows: readonly Row[]) => rows.map(sorted).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  sameText(inOrder(costCentres), inOrder(centres), 'the cost centres')
  const { revenueAccounts } = await ask(world, 'get', '/v1/revenue-accounts')
  const { revenueAccountId: id } = world.books
  sameText(inOrder(revenueAccounts), inOrder([{ id, code: books.account, name: 'Sales' }]), 'the accounts')
}
