// Prices are tested on what was billed, and what was billed is adjusted to them, sooner or later.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import {
  adjustedOf,
  type BackTest,
  type Side,
  sumOf,
  testBills,
  toleranceOf,
} from '../notebook/back-tests.ts'
import type { Booking } from '../notebook/books.ts'
import type { PriceList } from '../notebook/money.ts'
import { Status } from '../notebook/orders.ts'
import { addDays } from '../notebook/runs.ts'
import { compareBackTest } from '../statements/back-tests.ts'
import { wordsOfTransaction } from '../statements/books.ts'
import type { Row } from '../statements/read-stock.ts'
import { ask, say, untilNotBusy, type World } from '../world.ts'

const path = '/v1/rate-card-back-tests'
const done = 3
/** Activities and freight; what runs raise is tested elsewhere. */
const kinds = { client: [1, 2], carrier: [3] }

/** Waits until a back-test is over, and returns it. */
async function untilTested({ service, caller }: World, id: string): Promise<Row> {
  for (;;) {
    await service.test?.()
    const { body } = await untilNotBusy(() => caller.get(`${path}/${id}`))
    assert.equal(body.failure, null)
    if (body.status === done) return body
    // Another world's turn may run this test.
    await setTimeout(5)
  }
}

async function test(world: World, choices: Choices): Promise<void> {
  const { notebook, service, clientId, books } = world
  const side: Side = choices.onceIn(3) ? 'carrier' : 'client'
  const lists = side === 'client' ? notebook.priceLists : notebook.carrierLists
  const list = choices.among(lists, ({ id }) => String(lists.findIndex(one => one.id === id)))
  if (list === undefined || service.test === undefined) return
  if (testBills(notebook, side, list).length === 0) return
  say(world, `test the prices ${lists.indexOf(list) + 1} of the ${side} on what was billed`)
  const today = notebook.dayAt(Date.now())
  const body = {
    ...{ dateFrom: addDays(today, -400), dateTo: today, rateCardVersionId: list.id, kinds: kinds[side] },
    partnerIds: [side === 'client' ? clientId : books.carrierId],
  }
  const { rateCardBackTestId: id } = await ask(world, 'post', path, body)
  const told = await untilTested(world, id)
  const listed = await ask(world, 'get', `${path}/${id}/differences?PageSize=500`)
  const made: BackTest = { id, side, list, bills: testBills(notebook, side, list) }
  compareBackTest(made, told, listed.rateCardBackTestDifferences)
  notebook.backTests.all.push(made)
}

const [reopened, adjusted] = [1, 2]

/** What was billed is billed by the tested prices, save what changed since. */
async function adjust(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const tests = notebook.backTests.all
  const one = choices.among(tests, ({ id }) => String(tests.findIndex(other => other.id === id)))
  if (one === undefined) return
  const lists = one.side === 'client' ? notebook.priceLists : notebook.carrierLists
  say(world, `adjust what the ${one.side} was billed to the prices ${lists.indexOf(one.list) + 1}`)
  const listed = await ask(world, 'get', `${path}/${one.id}/differences?PageSize=500`)
  const differing = new Set(listed.rateCardBackTestDifferences.map((row: Row) => row.consignmentId))
  const answer = await ask(world, 'post', `${path}/${one.id}/adjust`)
  const reasons = one.bills
    .filter(({ consignment }) => differing.has(consignment.id))
    .map(tested => ({ tested, reason: reasonToSkip(world, one.side, tested) }))
  const skipped = reasons.flatMap(({ tested: { consignment }, reason }) =>
    reason === null ? [] : [`${consignment.number} ${reason}`],
  )
  const told = answer.skipped.map(({ consignmentNumber, reason }: Row) => `${consignmentNumber} ${reason}`)
  assert.deepEqual(told.toSorted(), skipped.toSorted(), 'what was not adjusted')
  const raised = await learnAdjustments(
    world,
    one,
    reasons.flatMap(r => (r.reason === null ? [r.tested] : [])),
  )
  assert.equal(answer.raised, raised, 'how many bills were adjusted')
}

type Tested = BackTest['bills'][number]

function reasonToSkip({ notebook }: World, side: Side, { consignment, bill, adjusted: before }: Tested) {
  if (consignment.status !== Status.Closed || consignment.bill !== bill) return reopened
  return adjustedOf(notebook, consignment, side).length === before ? null : adjusted
}

/**
 * What an adjustment is booked by: what it corrects, as that is called when it is raised, or, if there is no
 * such thing, the tested prices.
 */
function bookedBy({ notebook }: World, { consignment, bill }: Tested, side: Side, kind: 'work' | 'freight') {
  const { books } = notebook
  const rows = side === 'client' ? bill.rows : (bill.costs ?? [])
  const entered = new Set(consignment.byHand.map(({ what }) => what))
  const wasBilled = rows.some(
    ({ what, isFreight }) => !entered.has(what) && isFreight === (kind === 'freight'),
  )
  return wasBilled
    ? { tax: bill.tax, account: books.account, centre: books.asCalledNow(bill.centre) }
    : { tax: books.tax, account: books.account, centre: books.centreNow }
}

/** Books what was raised: one for each kind that differs. Returns how many. */
async function learnAdjustments(world: World, { id, side, list }: BackTest, bills: readonly Tested[]) {
  const { notebook } = world
  const { scheduleTransactions } = await ask(world, 'get', '/v1/schedule-transactions?PageSize=500')
  const known = new Set(notebook.books.bookings.map(one => one.id))
  const rows: Row[] = scheduleTransactions.filter((row: Row) => !known.has(row.id))
  let raised = 0
  for (const tested of bills)
    for (const kind of ['work', 'freight'] as const) {
      const isOf = ({ isFreight }: { isFreight: boolean }) => isFreight === (kind === 'freight')
      const [before, after] = [tested.before.filter(isOf), tested.after.filter(isOf)]
      const [from, to, tolerance] = [sumOf(before), sumOf(after), toleranceOf(after)]
      const { consignment } = tested
      const row = rows.find(
        ({ consignmentId, type }) =>
          consignmentId === consignment.id && (type === 1) === (kind === 'freight'),
      )
      const words = `${kind} of ${consignment.number} from ${from} to ${to}, test ${id}`
      if (row === undefined) assert.ok(Math.abs(to - from) <= tolerance, `nobody adjusted the ${words}`)
      if (row === undefined) continue
      raised++
      const cents = Math.round(row.amountExclTax * 100)
      assert.ok(Math.abs(from + cents - to) <= tolerance && cents !== 0, `${cents} cents for the ${words}`)
      notebook.books.bookings.push(adjustmentOf(world, { tested, side, list, kind, from, cents, row }))
    }
  assert.equal(rows.length, raised, `adjustments that nobody knows of: ${JSON.stringify(rows)}`)
  return raised
}

interface Adjusted {
  tested: Tested
  side: Side
  list: PriceList
  kind: 'work' | 'freight'
  from: number
  cents: number
  row: Row
}

function adjustmentOf(world: World, { tested, side, list, kind, from, cents, row }: Adjusted): Booking {
  const { notebook } = world
  const lists = side === 'client' ? notebook.priceLists : notebook.carrierLists
  const version = `version ${lists.indexOf(list) + 1} of ${side === 'client' ? 'Prices' : 'Costs'}`
  const [to, was] = [from + cents, from].map(amount => (amount / 100).toFixed(2))
  const name = kind === 'work' ? 'Handling' : 'Freight'
  const what = `${name}: ${to} by ${version}, ${was} was billed, ${cents / 100} each`
  assert.equal(wordsOfTransaction(row), what)
  return {
    ...{ id: row.id, consignment: tested.consignment, partner: side, kind, what, count: 1, cents },
    ...{ base: 0, least: 0, day: notebook.dayAt(Date.now()), ...bookedBy(world, tested, side, kind) },
    ...{ bill: null, schedule: null, isVoid: false, creditOf: null, raised: null, isOfTest: true },
  }
}

export const backTestKinds: DeedKind[] = [
  { name: 'test prices', often: 1, perform: test },
  { name: 'adjust to a test', often: 1, perform: adjust },
]
