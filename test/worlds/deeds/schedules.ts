// What is owed goes on schedules and is taken off them, is sent, exported and given back, while taxes, terms
// and names of accounts change.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { nameOfBooking, type Schedule } from '../notebook/books.ts'
import { ask, say, type World } from '../world.ts'

const refusals = ['invalid', 'state', 'wrong_status']

const nameOf = ({ notebook }: World, schedule: Schedule) =>
  `schedule ${notebook.books.schedules.indexOf(schedule) + 1}`

/** What is owed goes on a schedule. */
async function schedule(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId } = world
  const { books } = notebook
  const { open } = books
  if (open.length === 0) return
  say(world, `put what is owed on a schedule: ${open.length} rows`)
  const reference = choices.onceIn(2) ? notebook.newName('REF') : null
  const body = { partnerId: clientId, date: notebook.dayAt(Date.now()), referenceNumber: reference }
  const { partnerScheduleId } = await ask(world, 'post', '/v1/schedules', body)
  const made: Schedule = {
    ...{ id: partnerScheduleId, day: body.date, reference, description: null },
    ...{ isApproved: false, invoice: null, dueOn: null, exported: null },
  }
  books.schedules.push(made)
  for (const booking of open) booking.schedule = made
}

/** A schedule is sent, or is a draft again, unless another program has it. */
async function approve(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const chosen = choices.of(books.schedules)
  if (chosen === undefined) return
  const isRefused = chosen.isApproved && chosen.exported !== null
  say(world, `${chosen.isApproved ? 'take back' : 'approve'} ${nameOf(world, chosen)}`)
  const path = `/v1/schedules/${chosen.id}/status`
  const answer = await ask(
    world,
    'put',
    path,
    { status: chosen.isApproved ? 1 : 2 },
    { mayBe: isRefused ? refusals : [] },
  )
  assert.equal(answer === null, isRefused, 'a schedule that another program has became a draft')
  if (answer === null) return
  if (chosen.isApproved) books.withdraw(chosen)
  else books.approve(chosen)
}

const isFixed = ({ isApproved, exported }: Schedule) => isApproved || exported !== null

/** Something comes off a schedule. Something must stay, and what was sent stays as it is. */
async function takeOff(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const chosen = choices.of(books.schedules)
  if (chosen === undefined) return
  const own = books.on(chosen)
  const some = choices.some(own, 1 + choices.below(3), nameOfBooking)
  say(world, `take ${some.length} rows off ${nameOf(world, chosen)}: ${some.map(({ what }) => what)}`)
  const isRefused = isFixed(chosen) || some.length === own.length
  const answer = await ask(
    world,
    'post',
    `/v1/schedules/${chosen.id}/transactions/remove`,
    { transactionIds: some.map(({ id }) => id) },
    { mayBe: isRefused ? refusals : [] },
  )
  assert.equal(answer === null, isRefused, 'rows came off a schedule that must keep them')
  if (answer !== null) for (const booking of some) booking.schedule = null
}

/** What is open goes on a schedule that there is already. */
async function putOn(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const [chosen, { open }] = [choices.of(books.schedules), books]
  if (chosen === undefined || open.length === 0) return
  const some = choices.some(open, 1 + choices.below(3), nameOfBooking)
  say(world, `put ${some.length} rows on ${nameOf(world, chosen)}: ${some.map(({ what }) => what)}`)
  const isRefused = isFixed(chosen)
  const answer = await ask(
    world,
    'post',
    `/v1/schedules/${chosen.id}/transactions/add`,
    { transactionIds: some.map(({ id }) => id) },
    { mayBe: isRefused ? refusals : [] },
  )
  assert.equal(answer === null, isRefused, 'rows went on a schedule that was sent')
  if (answer !== null) for (const booking of some) booking.schedule = chosen
}

/** A draft is called otherwise, gets another day, and takes what became due meanwhile. */
async function change(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const { books } = notebook
  const chosen = choices.of(books.schedules)
  if (chosen === undefined) return
  const today = notebook.dayAt(Date.now())
  const day = choices.onceIn(2) ? notebook.dayAt(Date.now() - choices.below(9) * 86_400_000) : chosen.day
  const reference = choices.onceIn(2) ? notebook.newName('REF') : null
  const description = choices.of([null, 'As agreed', '=Handling'] as const)
  const isBundled = choices.onceIn(2)
  say(world, `change ${nameOf(world, chosen)}: ${day}${isBundled ? ', with what is open' : ''}`)
  const isRefused = isFixed(chosen)
  const body = { date: day, referenceNumber: reference, description }
  const answer = await ask(
    world,
    'put',
    `/v1/schedules/${chosen.id}`,
    { ...body, ...(isBundled ? { transactionsUpTo: today } : {}) },
    { mayBe: isRefused ? refusals : [], mayBeSo: true },
  )
  assert.equal(answer === null, isRefused, 'a schedule that was sent was changed')
  if (answer === null) return
  Object.assign(chosen, { day, reference, description })
  if (isBundled) for (const booking of books.open) booking.schedule = chosen
}

/** A schedule was none: what it had is open again. One with a number stays, for numbers have no gaps. */
async function remove(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const chosen = choices.of(books.schedules)
  if (chosen === undefined) return
  const isRefused = isFixed(chosen) || chosen.invoice !== null
  say(world, `remove ${nameOf(world, chosen)}`)
  const path = `/v1/schedules/${chosen.id}`
  const answer = await ask(world, 'delete', path, undefined, { mayBe: isRefused ? refusals : [] })
  assert.equal(answer === null, isRefused, 'a schedule that was sent was removed')
  if (answer === null) return
  for (const booking of books.on(chosen)) booking.schedule = null
  books.schedules.splice(books.schedules.indexOf(chosen), 1)
}

/** Another program takes a schedule, or does not have it after all. */
async function hand(world: World, choices: Choices): Promise<void> {
  const chosen = choices.of(world.notebook.books.schedules)
  if (chosen === undefined) return
  const path = `/v1/schedules/${chosen.id}/exported`
  if (chosen.exported !== null && !chosen.isApproved && choices.onceIn(2)) {
    say(world, `${nameOf(world, chosen)} is not in another program after all`)
    await ask(world, 'delete', path)
    chosen.exported = null
    return
  }
  const url = choices.onceIn(2) ? `https://books.example.com/${world.notebook.newNumber()}` : null
  say(world, `another program takes ${nameOf(world, chosen)}`)
  await ask(world, 'post', path, { externalUrl: url })
  chosen.exported = { url }
}

/** A credit was none, or is one after all. What is on a schedule is taken off it first. */
async function withdrawCredit(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const credits = books.bookings.filter(({ creditOf }) => creditOf !== null)
  const credit = choices.among(credits, nameOfBooking)
  if (credit?.creditOf == null) return
  const { creditOf, isVoid, cents } = credit
  const isRefused = isVoid ? creditOf.isVoid || -cents > books.leftOf(creditOf) : credit.schedule !== null
  say(world, `${isVoid ? 'give after all' : 'take back'} the credit ${credit.what}`)
  const path = `/v1/schedule-transactions/${credit.id}/status`
  const body = isVoid ? { status: 1 } : { status: 3, reason: 'It was right' }
  const answer = await ask(world, 'put', path, body, { mayBe: isRefused ? refusals : [] })
  assert.equal(answer === null, isRefused, `the credit ${credit.what} changed`)
  if (answer !== null) credit.isVoid = !isVoid
}

/** From now on another tax counts. */
async function changeTax(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const percent = choices.of([15, 12.5, 0, 17.123456])
  const tax = { name: percent === 15 ? 'GST' : `GST of ${percent}`, percent }
  if (percent === books.tax.percent) return
  say(world, `tax what is charged by ${percent} percent`)
  await ask(world, 'put', `/v1/tax-rates/${world.books.taxRateId}`, tax)
  books.tax = tax
}

/** Bills are due otherwise, and the accounts and the client are called otherwise in another program. */
async function changeTerms(world: World, choices: Choices): Promise<void> {
  const { notebook, clientId } = world
  const { books } = notebook
  const days = choices.of([null, 0, 20, 31])
  const isOwn = choices.onceIn(2)
  const name = choices.of([null, 'Kauri, Foods & "Co"', '+64 Kauri'])
  const account = notebook.newName('ACC')
  say(world, `bills of ${isOwn ? 'the client' : 'all'} are due after ${days} days, sales are ${account}`)
  await ask(world, 'put', `/v1/revenue-accounts/${world.books.revenueAccountId}`, { code: account })
  await ask(
    world,
    'put',
    `/v1/partners/${clientId}`,
    {
      accountingName: name,
      ...(isOwn ? { paymentTermsDays: days } : {}),
    },
    { mayBeSo: true },
  )
  if (!isOwn) await ask(world, 'put', '/v1/organisation', { paymentTermsDays: days }, { mayBeSo: true })
  Object.assign(books, { account, accountingName: name })
  const { general } = books.terms
  if (!isOwn && general !== days) books.termsSet.push([general, days])
  books.terms = { ...books.terms, [isOwn ? 'own' : 'general']: days }
}

/** The money of the warehouse is counted by another cost centre, by one that is called otherwise, or by none. */
async function changeCentre(world: World, choices: Choices): Promise<void> {
  const { notebook, warehouseId } = world
  const { books } = notebook
  const how = choices.of(['new', 'new', 'renamed', 'none'] as const)
  const code = notebook.newName('CENTRE')
  if (how === 'renamed') {
    const centre = choices.among(books.centres, ({ id }) => String(books.centres.findIndex(c => c.id === id)))
    if (centre === undefined) return
    say(world, `the cost centre ${centre.code} is ${code}`)
    await ask(world, 'put', `/v1/cost-centres/${centre.id}`, { code })
    centre.code = code
    return
  }
  say(
    world,
    how === 'none' ? 'the warehouse has no cost centre' : `the cost centre of the warehouse is ${code}`,
  )
  if (how === 'none') books.centre = null
  else {
    const name = 'Cool rooms'
    const { costCentreId: id } = await ask(world, 'post', '/v1/cost-centres', { code, name })
    books.centre = { id, code, name }
    books.centres.push(books.centre)
  }
  const body = { costCentreId: books.centre?.id ?? null }
  await ask(world, 'put', `/v1/warehouses/${warehouseId}`, body, { mayBeSo: true })
}

export const scheduleKinds: DeedKind[] = [
  { name: 'schedule', often: 2, perform: schedule },
  { name: 'approve', often: 2, perform: approve },
  { name: 'take off a schedule', often: 2, perform: takeOff },
  { name: 'put on a schedule', often: 1, perform: putOn },
  { name: 'change a schedule', often: 1, perform: change },
  { name: 'remove a schedule', often: 1, perform: remove },
  { name: 'hand a schedule over', often: 1, perform: hand },
  { name: 'withdraw a credit', often: 1, perform: withdrawCredit },
  { name: 'change the tax', often: 1, perform: changeTax },
  { name: 'change the cost centre', often: 1, perform: changeCentre },
  { name: 'change the terms', often: 1, perform: changeTerms },
]
