// Prices change, and what was done is billed, and is not billed after all.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { nameOfBooking, ownerOf } from '../notebook/books.ts'
import { type Counted, centsFor, type Price, pricesOn, type Service } from '../notebook/money.ts'
import { type Bill, type Consignment, Status } from '../notebook/orders.ts'
import type { GroupedBy, StoragePrice } from '../notebook/storage.ts'
import { agreeOn, noTerms, priceOf, type Terms } from '../prices.ts'
import { billOf, chargesOf, owedNow, rowsOf } from '../statements/charges.ts'
import { ask, say, type World } from '../world.ts'
import { learnBookings } from './learn-bookings.ts'

const counted: readonly [Counted, ...Counted[]] = [
  ...(['items', 'kg', 'm3', 'pallets', 'serials', 'lines', 'consignment'] as const),
]

function drawPrice(choices: Choices, isByProduct: boolean): Price {
  const base = choices.onceIn(3) ? choices.below(500) / 100 : 0
  const least = choices.onceIn(3) ? choices.below(2_000) / 100 : 0
  const only = choices.of([null, null, 'inwards', 'outwards'] as const)
  const drawn = choices.of(counted)
  // A consignment as a whole is of no product.
  const count = isByProduct && drawn === 'consignment' ? 'lines' : drawn
  return priceOf(count, (1 + choices.below(9_999)) / 1_000, { base, least, only })
}

const drawnExtras = [['task'], ['consumable'], ['task', 'consumable'], ['task', 'task']] as const

/** What is done besides is charged, some of it, by what it is. */
function drawExtras({ notebook }: World, choices: Choices): Service[] {
  if (!choices.onceIn(2)) return []
  const kinds = drawnExtras[choices.below(drawnExtras.length)] ?? []
  const prices = kinds.map((kind, i) => {
    const types = notebook.extraTypes.filter(type => type.kind === kind && type.isInUse)
    const own = choices.some(types, 1 + choices.below(2), ({ code }) => `${kind} ${code} ${i}`)
    const { each, base, least, only } = drawPrice(choices, false)
    return priceOf(kind, each, { base, least, only, of: own.map(({ id }) => id) })
  })
  return [{ name: `Extras ${notebook.tag}`, isFreight: false, isByProduct: false, prices }]
}

/** Other prices count from now on, or did already for some days. Some work may be charged by none of them. */
async function agree(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const extras = drawExtras(world, choices)
  const services = Array.from({ length: 1 + choices.below(4) }, (_, i): Service => {
    const isByProduct = i < 3 && choices.onceIn(3)
    const prices = Array.from({ length: 1 + choices.below(3) }, () => drawPrice(choices, isByProduct))
    return { name: `Service ${notebook.tag}.${i}`, isFreight: i === 3, isByProduct, prices }
  })
  services.push(...extras)
  const daysAgo = choices.onceIn(3) ? choices.below(6) : 0
  const from = notebook.dayAt(Date.now() - daysAgo * 86_400_000)
  const isRaised = choices.onceIn(2)
  const words = services.map(({ prices, isByProduct, isFreight }) =>
    [
      ...prices.map(({ counted, each, only }) => `${counted}${only === null ? '' : ` ${only}`} at ${each}`),
      ...(isByProduct ? ['by product'] : []),
      ...(isFreight ? ['as freight'] : []),
    ].join(', '),
  )
  say(world, `agree on prices from ${from} on: ${words.join('; ')}`)
  const terms = termsOn(world)
  notebook.priceLists.push(await agreeOn(world, services, { from, isRaised, terms }))
}

/** The carrier is paid otherwise from a day on. */
async function agreeWithCarrier(world: World, choices: Choices): Promise<void> {
  const { notebook, books } = world
  const prices = Array.from({ length: 1 + choices.below(2) }, () => drawPrice(choices, false))
  const from = notebook.dayAt(Date.now() - choices.below(9) * 86_400_000)
  const isRaised = choices.onceIn(2)
  const words = prices.map(({ counted, each, base, least }) => `${counted} at ${each}, ${base}, ${least}`)
  say(world, `agree with the carrier from ${from} on: ${words.join('; ')}${isRaised ? ', raised' : ''}`)
  const services = [{ name: `Haul ${notebook.tag}`, isFreight: true, isByProduct: false, prices }]
  const rateCardId = books.carrierCardId
  notebook.carrierLists.push(await agreeOn(world, services, { from, isRaised, rateCardId }))
}

const listNow = ({ notebook }: World) => pricesOn(notebook, notebook.dayAt(Date.now()))

/** What is agreed now besides the prices of services. */
function termsOn(world: World): Terms {
  const { storage, fee, minimum, hasMinimumAccount } = listNow(world) ?? noTerms
  return { storage, fee, minimum, hasMinimumAccount }
}

const groupings: [GroupedBy[], ...GroupedBy[][]] = [
  ['product'],
  ['product'],
  ['place'],
  ['pallet'],
  ['product', 'place'],
  [],
  ['product', 'pallet'],
]

function drawStorage(choices: Choices, name: string): StoragePrice {
  const by = choices.of(groupings)
  // What leaves passes its dock, and is there for no time that anybody sees.
  const isWhole = !by.includes('place') && !by.includes('pallet')
  return {
    ...{ name, by, each: (1 + choices.below(9_999)) / 10_000 },
    counted: choices.of(['items', 'items', 'places', 'pallets']),
    ofDay: choices.of(['closing', isWhole ? 'peak' : 'closing', 'opening']),
    ofDays: choices.of(['sum', 'sum', 'average', 'greatest']),
    least: choices.onceIn(4) ? choices.below(200) / 100 : 0,
  }
}

/** Storage, a fee for each period and its least price are agreed, often for what is past. */
async function agreeOnTerms(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const count = 1 + choices.below(2)
  const terms = {
    storage: Array.from({ length: count }, (_, i) => drawStorage(choices, `Stay ${notebook.tag}.${i}`)),
    fee: choices.onceIn(2) ? (1 + choices.below(999)) / 100 : 0,
    minimum: choices.onceIn(2) ? (1 + choices.below(9_999)) / 100 : 0,
  }
  const daysAgo = choices.of([70, 70, 3, 0])
  const hasMinimumAccount = terms.minimum !== 0 && choices.onceIn(2)
  const from = notebook.dayAt(Date.now() - daysAgo * 86_400_000)
  const words = terms.storage.map(
    ({ counted, by, ofDay, ofDays, each, least }) =>
      `${ofDays} of ${counted} of each ${by.join(' and ')} by ${ofDay} at ${each}, at least ${least}`,
  )
  const more = `a fee of ${terms.fee}, at least ${terms.minimum}`
  say(world, `agree on storage from ${from} on: ${words.join('; ')}; ${more}`)
  const { services = [], fuel = 0 } = listNow(world) ?? {}
  const list = await agreeOn(world, services, {
    from,
    isRaised: fuel > 0,
    terms: { ...terms, hasMinimumAccount },
  })
  notebook.priceLists.push(list)
}

const allDone = ({ notebook }: World) => [
  ...notebook.atHand('outwards', [Status.Complete]),
  ...notebook.atHand('inwards', [Status.Complete]),
]

/** What is over is billed: one consignment, or all that there are. */
async function bill(world: World, choices: Choices): Promise<void> {
  const one = choices.among(allDone(world), ({ tag }) => tag)
  if (one === undefined) return
  const chosen = choices.onceIn(3) ? allDone(world) : [one]
  say(world, `close ${chosen.map(({ number }) => number).join(', ')}`)
  const bills = await Promise.all(chosen.map(consignment => billOf(world, consignment)))
  if (chosen.length === 1)
    await ask(world, 'put', `/v1/consignments/${one.id}/status`, { status: Status.Closed })
  else await ask(world, 'post', '/v1/consignments/close', { consignmentIds: chosen.map(({ id }) => id) })
  for (const [i, consignment] of chosen.entries()) {
    consignment.status = Status.Closed
    const made = bills[i] as Bill
    consignment.bill = made
    world.notebook.books.bill(consignment, made)
  }
  await learnBookings(world)
}

/** A bill was none: what was charged is open again. */
async function reopen(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const closed = [
    ...notebook.atHand('outwards', [Status.Closed]),
    ...notebook.atHand('inwards', [Status.Closed]),
  ]
  const consignment = choices.among(closed, ({ tag }) => tag)
  if (consignment === undefined) return
  say(world, `reopen ${consignment.number}`)
  const isRefused = notebook.books.isSent(consignment)
  const mayBe = isRefused ? ['invalid', 'state', 'wrong_status'] : []
  const answer = await ask(world, 'put', `/v1/consignments/${consignment.id}/reopen`, {}, { mayBe })
  if (answer === null) return
  assert.ok(!isRefused, `${consignment.number} was reopened, though its bill was sent`)
  Object.assign(consignment, { status: Status.Complete, bill: null })
  notebook.books.takeBack(consignment)
}

/** A consignment of which the charges can still change. */
function chargeable({ notebook }: World, choices: Choices): Consignment | undefined {
  const open = Object.values(Status).filter(status => status !== Status.Closed && status !== Status.Void)
  const all = [...notebook.atHand('outwards', open), ...notebook.atHand('inwards', open)]
  return choices.among(all, ({ tag }) => tag)
}

/** Something is charged that no price is for. */
async function chargeByHand(world: World, choices: Choices): Promise<void> {
  const consignment = chargeable(world, choices)
  if (consignment === undefined) return
  const particulars = `Extra ${world.notebook.newNumber()}`
  const [count, rate] = [1 + choices.below(9), (1 + choices.below(999)) / 100]
  const { notebook, books } = world
  const hasAccount = choices.onceIn(2)
  const centre = choices.onceIn(2) ? (choices.among(notebook.books.centres, ({ id }) => id) ?? null) : null
  say(world, `charge ${count} at ${rate} by hand for ${consignment.number}`)
  await ask(world, 'post', `/v1/consignments/${consignment.id}/charges/client-activity/adhoc`, {
    ...{ particulars, chargeApplication: 1, metricValue: count, chargeRateExclTax: rate },
    taxRateId: books.taxRateId,
    ...(hasAccount ? { revenueAccountId: books.revenueAccountId } : {}),
    ...(centre ? { costCentreId: centre.id } : {}),
  })
  const cents = centsFor(priceOf('items', rate), count, 0)
  consignment.touched.push({ amount: cents / 100, before: null, after: null })
  consignment.byHand.push({
    ...{ what: `${particulars}, ${rate} each`, count, cents, base: 0, least: 0 },
    ...{ isFreight: false, isLeftOut: false, tax: notebook.books.tax, hasAccount, centre },
  })
}

/** A charge is left out, or is charged after all. */
async function leaveOut(world: World, choices: Choices): Promise<void> {
  const consignment = chargeable(world, choices)
  if (consignment === undefined) return
  const { owed } = owedNow(world, consignment)
  const single = owed.filter(({ service, price }) => {
    const alike = owed.filter(row => row.service === service && row.price.each === price.each)
    return alike.length === 1
  })
  const row = choices.of(single)
  if (row === undefined) return
  const what = `${row.service.name}, ${row.price.each} each`
  const isIncluded = consignment.leftOut.has(row.key)
  say(world, `${isIncluded ? 'charge' : 'leave out'} ${what} of ${consignment.number}`)
  const told = rowsOf(await chargesOf(world, consignment)).find(other => other.what === what)
  assert.ok(told, `${consignment.number} is not charged ${what}`)
  await ask(world, 'put', `/v1/consignments/${consignment.id}/charges/${told.id}`, { isIncluded })
  consignment.touched.push({ amount: null, before: !isIncluded, after: isIncluded })
  if (isIncluded) consignment.leftOut.delete(row.key)
  else consignment.leftOut.add(row.key)
}

/** Some of what was billed is given back. */
async function credit(world: World, choices: Choices): Promise<void> {
  const { books } = world.notebook
  const candidates = books.bookings.filter(
    one => !one.isVoid && one.creditOf === null && books.leftOf(one) > 0,
  )
  const booking = choices.among(candidates, nameOfBooking)
  if (booking === undefined) return
  const { consignment, partner, what, id, kind, tax, account, centre } = booking
  const cents = 1 + choices.below(books.leftOf(booking))
  say(world, `credit ${cents} cents of ${what} of ${ownerOf(booking)}`)
  const particulars = `Sorry ${world.notebook.newNumber()}`
  await ask(world, 'post', '/v1/schedule-transactions', {
    ...{ creditOf: id, amountExclTax: cents / 100, particulars },
  })
  const day = world.notebook.dayAt(Date.now())
  const given = {
    id: null,
    consignment,
    partner,
    what: `${particulars}, ${-cents / 100} each`,
    count: 1,
    day,
  }
  books.bookings.push({
    ...{ ...given, cents: -cents, kind, base: 0, least: 0, tax, account, centre },
    ...{ bill: null, schedule: null, isVoid: false, creditOf: booking, raised: null },
  })
  await learnBookings(world)
}

export const moneyKinds: DeedKind[] = [
  { name: 'agree on prices', often: 2, perform: agree },
  { name: 'agree with the carrier', often: 2, perform: agreeWithCarrier },
  { name: 'agree on storage', often: 2, perform: agreeOnTerms },
  { name: 'bill', often: 4, perform: bill },
  { name: 'reopen a bill', often: 2, perform: reopen },
  { name: 'charge by hand', often: 2, perform: chargeByHand },
  { name: 'leave out a charge', often: 2, perform: leaveOut },
  { name: 'credit', often: 2, perform: credit },
]
