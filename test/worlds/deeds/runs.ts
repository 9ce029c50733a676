// Days are billed by runs: what is over is closed, storage, fees and minimums are raised, and all of it goes on
// a schedule. What becomes known later is corrected by the next run.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { nameOfBooking, ownerOf } from '../notebook/books.ts'
import { chargeDay } from '../notebook/money.ts'
import { Status } from '../notebook/orders.ts'
import { addDays, type Run } from '../notebook/runs.ts'
import { billOf } from '../statements/charges.ts'
import type { Row } from '../statements/read-stock.ts'
import { ask, say, untilNotBusy, type World } from '../world.ts'
import { learnBookings } from './learn-bookings.ts'

const refusals = ['invalid', 'state', 'wrong_status']
const done = 3

/** Waits until a run is over, and returns it. */
async function untilDone({ service, caller }: World, runId: string): Promise<Row> {
  for (;;) {
    await service.bill?.()
    const { body } = await untilNotBusy(() => caller.get(`/v1/billing-runs/${runId}`))
    assert.equal(body.failure, null)
    if (body.status === done) return body
    // Another world's turn may do this run.
    await setTimeout(5)
  }
}

/** What a run raised and put on a schedule gets its ids. */
async function learnRun(world: World, run: Run): Promise<void> {
  const { partnerScheduleIds } = await untilDone(world, run.id)
  assert.equal(partnerScheduleIds.length, run.schedule ? 1 : 0, `the run up to ${run.to} made no schedule`)
  if (run.schedule) run.schedule.id = partnerScheduleIds[0]
  world.told.clear()
  await learnBookings(world)
}

/** The days up to one of the latest are billed. */
async function billByRun(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId, service } = world
  const { runs, books } = notebook
  const today = notebook.dayAt(Date.now())
  const to = addDays(today, -1 - choices.below(4))
  const billedTo = runs.done.at(-1)?.to ?? ''
  if (service.bill === undefined || to <= billedTo) return
  say(world, `bill by a run up to ${to}`)
  const closing = runs.closedUpTo(to)
  const bills = await Promise.all(closing.map(consignment => billOf(world, consignment)))
  const from = runs.firstDay(to)
  const body = { partnerId: clientId, periodTo: to }
  const { billingRunId } = await ask(world, 'post', '/v1/billing-runs', body)
  for (const [i, consignment] of closing.entries()) {
    const bill = { ...(bills[i] as (typeof bills)[number]), day: chargeDay(consignment, today) }
    Object.assign(consignment, { status: Status.Closed, bill })
    consignment.closedByRuns++
    books.bill(consignment, bill)
  }
  const run: Run = { id: billingRunId, from, to, closed: closing.length, topUp: null, schedule: null }
  runs.add(run)
  await learnRun(world, run)
}

/** A run of which the schedule was removed makes it again, of what is open by now. */
async function bundleAgain(world: World): Promise<void> {
  const { runs, books } = world.notebook
  const run = runs.done.find(({ schedule }) => schedule && !books.schedules.includes(schedule))
  if (run === undefined) return
  say(world, `make the schedule of the run up to ${run.to} again`)
  await ask(world, 'post', `/v1/billing-runs/${run.id}/retry`, {})
  runs.bundle(run)
  await learnRun(world, run)
}

/** What a run raised is not to be paid, or is after all. What is on a schedule is taken off it first. */
async function waive(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const raised = books.bookings.filter(one => one.raised !== null)
  const chosen = choices.among(raised, nameOfBooking)
  if (chosen === undefined) return
  const { isVoid, what } = chosen
  const isRefused = !isVoid && (chosen.schedule !== null || books.leftOf(chosen) !== chosen.cents)
  say(world, `${isVoid ? 'charge after all' : 'waive'} ${what} of ${ownerOf(chosen)}`)
  const path = `/v1/schedule-transactions/${chosen.id}/status`
  const body = isVoid ? { status: 1 } : { status: 3, reason: 'It was right' }
  const answer = await ask(world, 'put', path, body, { mayBe: isRefused ? refusals : [] })
  assert.equal(answer === null, isRefused, `whether ${what} can be waived`)
  if (answer !== null) chosen.isVoid = !isVoid
}

/** Runs do otherwise from now on, those of the client or those of everybody without a rule; or as the others. */
async function changeRule(world: World, choices: Choices): Promise<void> {
  const { clientId, notebook } = world
  const { runs } = notebook
  const isOwn = !choices.onceIn(3)
  const paths = { own: `/v1/partners/${clientId}/billing-rule`, general: '/v1/organisation/billing-rule' }
  const whose = isOwn ? 'own' : 'general'
  if (runs[whose] !== null && choices.onceIn(3)) {
    say(world, `there is no rule any more for ${isOwn ? 'the client' : 'all'}`)
    await ask(world, 'delete', paths[whose])
    runs[whose] = null
    return
  }
  const rule = {
    closesComplete: !choices.onceIn(4),
    raisesStorage: !choices.onceIn(4),
    autoApprove: choices.onceIn(2),
  }
  say(world, `runs of ${isOwn ? 'the client' : 'all'} do otherwise: ${JSON.stringify(rule)}`)
  await ask(world, 'put', paths[whose], { period: 4, ...rule }, { mayBeSo: true })
  runs[whose] = rule
}

export const runKinds: DeedKind[] = [
  { name: 'bill by a run', often: 2, perform: billByRun },
  { name: 'bundle again', often: 1, perform: bundleAgain },
  { name: 'waive', often: 1, perform: waive },
  { name: 'change what runs do', often: 1, perform: changeRule },
]
