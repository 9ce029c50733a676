// Billing runs: what each of them billed of its days, and what it corrected of the days of earlier ones.

import type { Booking, Raised, Schedule } from './books.ts'
import { round6 } from './goods.ts'
import { centsFor, chargeDay, type PriceList, pricesOn } from './money.ts'
import type { Notebook } from './notebook.ts'
import { type Consignment, Status } from './orders.ts'
import { countStored, levelsOf, namesOfGroup, type StoragePrice, type StoredDay } from './storage.ts'

const dayMs = 86_400_000

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)

export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

export const startOfMonth = (day: string): string => `${day.slice(0, 8)}01`
export const endOfMonth = (day: string): string => addDays(startOfMonth(addDays(startOfMonth(day), 31)), -1)

/** Days that are billed, and the prices of each of them as they were agreed then. */
interface StoredPeriod {
  from: string
  to: string
  lists: { list: PriceList; days: string[] }[]
}

export interface Run {
  id: string
  from: string
  to: string
  /** how many consignments it closed */
  closed: number
  /** what it raised because its days came to less than the minimum; both in cents */
  topUp: { booking: Booking; minimum: number } | null
  schedule: Schedule | null
}

/** What runs do, besides charging what is due. */
export interface Rule {
  closesComplete: boolean
  raisesStorage: boolean
  autoApprove: boolean
}

const usual: Rule = { closesComplete: true, raisesStorage: true, autoApprove: false }

/** What a group of goods comes to by a price. */
interface StorageCharge {
  price: StoragePrice
  days: readonly string[]
  levels: readonly StoredDay[]
  count: number
  cents: number
}

export class Runs {
  readonly done: Run[] = []
  /** the rule of the client, and that of everybody without one; null for none */
  own: Rule | null = null
  general: Rule | null = null
  readonly #notebook: Notebook
  readonly #stored: StoredPeriod[] = []

  constructor(notebook: Notebook) {
    this.#notebook = notebook
  }

  /** What runs of the client do now. */
  get rule(): Rule {
    return this.own ?? this.general ?? usual
  }

  /** The consignments that a run up to a day closes. */
  closedUpTo(to: string): Consignment[] {
    const { consignments, dayAt } = this.#notebook
    if (!this.rule.closesComplete) return []
    return consignments.filter(
      one => one.status === Status.Complete && chargeDay(one, dayAt(Date.now())) <= to,
    )
  }

  /** The first day of the run that ends with a day: after the one before, or the month of what there is. */
  firstDay(to: string): string {
    const first = this.firstOpenDay
    return this.done.length > 0 || first <= to ? first : startOfMonth(to)
  }

  /** The first day that is not billed, as far as is known. */
  get firstOpenDay(): string {
    const { books, consignments, floor, dayAt } = this.#notebook
    const latest = this.done.at(-1)
    if (latest) return addDays(latest.to, 1)
    const today = dayAt(Date.now())
    const { closesComplete, raisesStorage } = this.rule
    const complete = consignments.filter(({ status }) => closesComplete && status === Status.Complete)
    // What was written down first of each heap is when its goods came.
    const came = new Map(floor.journal.toReversed().map(({ key, at }) => [key, dayAt(at)]))
    const days = [
      ...books.open.map(({ day }) => day),
      ...complete.map(one => chargeDay(one, today)),
      ...(raisesStorage ? came.values() : []),
    ]
    return startOfMonth([...days, today].toSorted()[0] as string)
  }

  /** What a run raises and puts on a schedule, once it has closed what was over. */
  add(run: Run): void {
    if (this.rule.raisesStorage) this.#raiseStorage(run)
    this.#adjustTopUps(run)
    const list = pricesOn(this.#notebook, run.from)
    if (list) this.#raiseFee(run, list)
    if (list) this.#topUp(run, list)
    this.done.push(run)
    this.bundle(run)
  }

  /** What is open up to the last day of a run goes on a schedule. */
  bundle(run: Run): void {
    const { books } = this.#notebook
    const due = books.open.filter(({ day }) => day <= run.to)
    run.schedule = null
    if (due.length === 0) return
    const taken = books.schedules.map(({ reference }) => reference)
    const wanted = `KAURI-${run.to}`
    let reference = wanted
    for (let n = 2; taken.includes(reference); n++) reference = `${wanted}-${n}`
    run.schedule = {
      ...{ id: '', day: run.to, reference, description: null },
      ...{ isApproved: false, invoice: null, dueOn: null, exported: null },
    }
    books.schedules.push(run.schedule)
    for (const booking of due) booking.schedule = run.schedule
    if (this.rule.autoApprove) books.approve(run.schedule)
  }

  #raise(raised: Raised, { to }: Run, more: Partial<Booking> & Pick<Booking, 'what' | 'cents'>): Booking {
    const { books } = this.#notebook
    const first = raised.adjusts
    const booking: Booking = {
      ...{
        id: null,
        consignment: null,
        partner: 'client',
        kind: 'work',
        count: 1,
        base: 0,
        least: 0,
        day: to,
        bill: null,
      },
      ...{ tax: first?.tax ?? books.tax, account: first ? first.account : books.account },
      centre: first ? first.centre : raised.kind === 'storage' ? books.centreNow : null,
      ...{ schedule: null, isVoid: false, creditOf: null, raised },
      ...more,
    }
    books.bookings.push(booking)
    return booking
  }

  /** The days of a run are charged, and those of earlier ones come to what is known of them by now. */
  #raiseStorage(run: Run): void {
    const billed = this.#stored.at(-1)?.to
    const from = billed !== undefined && billed >= run.from ? addDays(billed, 1) : run.from
    const priced = daysBetween(addDays(from, -31), run.to).some(
      day => (pricesOn(this.#notebook, day)?.storage.length ?? 0) > 0,
    )
    if (from <= run.to && priced) {
      const byList = Map.groupBy(daysBetween(from, run.to), day => pricesOn(this.#notebook, day))
      const lists = [...byList].flatMap(([list, days]) => (list ? [{ list, days }] : []))
      this.#stored.push({ from, to: run.to, lists })
    }
    for (const period of this.#stored) this.#raiseStorageOf(run, period)
  }

  #raiseStorageOf(run: Run, period: StoredPeriod): void {
    const { books } = this.#notebook
    const { from, to } = period
    const charges = this.#storageOf(period)
    const before = Map.groupBy(
      books.bookings.filter(({ raised }) => raised?.from === from && raised.to === to && raised.key),
      ({ raised }) => raised?.key as string,
    )
    for (const key of new Set([...charges.keys(), ...before.keys()])) {
      const own = before.get(key) ?? []
      const [first = null] = own
      const sum = (of: (booking: Booking) => number) => own.reduce((all, booking) => all + of(booking), 0)
      const now = charges.get(key)
      const cents = (now?.cents ?? 0) - sum(booking => booking.cents)
      if (cents === 0) continue
      const [listId, name, group = ''] = key.split('|')
      const list = period.lists.find(({ list }) => list.id === listId)?.list
      const price = list?.storage.find(one => one.name === name) as StoragePrice
      const named = [price.name, ...namesOfGroup(this.#notebook, group)].join(', ')
      const words = `${named}, ${price.each} each`
      const because = { stored: now ?? null }
      this.#raise({ kind: 'storage', from, to, adjusts: first, key, because }, run, {
        ...{ kind: 'storage', cents, count: round6((now?.count ?? 0) - sum(({ count }) => count)) },
        what: run.to > to ? `Correction of ${from} to ${to}: ${words}` : words,
        least: first ? 0 : price.least,
      })
    }
  }

  /** What a period comes to by what is known now, by key. */
  #storageOf({ from, to, lists }: StoredPeriod): Map<string, StorageCharge> {
    const found = new Map<string, StorageCharge>()
    for (const { list, days } of lists)
      for (const price of list.storage) {
        const isEachDay = price.ofDays === 'sum'
        if (!isEachDay && days[0] !== from) continue
        const own = isEachDay ? days : daysBetween(from, to)
        for (const [group, levels] of levelsOf(this.#notebook, own, price)) {
          const count = countStored(price, levels)
          if (count <= 0) continue
          const { each, least } = price
          const cents = centsFor({ each, base: 0, least }, count, 0)
          found.set(`${list.id}|${price.name}|${group}`, { price, days: own, levels, count, cents })
        }
      }
    return found
  }

  /** What days came to, that counts towards their minimum: nothing that was given, and no earlier minimum. */
  #spentIn(from: string, to: string): number {
    return this.#notebook.books.bookings
      .filter(({ partner, day, isVoid }) => partner === 'client' && !isVoid && day >= from && day <= to)
      .filter(({ creditOf, raised }) => creditOf === null && raised?.kind !== 'minimum')
      .reduce((all, { cents }) => all + cents, 0)
  }

  /** Earlier days that came to more by now need less of what was raised for them. */
  #adjustTopUps(run: Run): void {
    const { books } = this.#notebook
    for (const { from, to, topUp } of this.done) {
      if (topUp === null || topUp.booking.isVoid || to >= run.from) continue
      const spent = this.#spentIn(from, to)
      const given = books.bookings.filter(({ raised }) => raised?.adjusts === topUp.booking)
      const raised = given.reduce((all, { cents }) => all + cents, topUp.booking.cents)
      const cents = Math.max(0, topUp.minimum - spent) - raised
      if (cents >= 0) continue
      const words = `Minimum spend ${(topUp.minimum / 100).toFixed(2)} from ${from} to ${to} after later work`
      const because = { least: { minimum: topUp.minimum, spent, raised } }
      this.#raise({ kind: 'minimum', from, to, adjusts: topUp.booking, key: null, because }, run, {
        ...{ cents, what: `${words}: ${(spent / 100).toFixed(2)} was spent, ${cents / 100} each` },
      })
    }
  }

  #raiseFee(run: Run, { fee }: PriceList): void {
    const { from, to } = run
    if (fee === 0) return
    this.#raise({ kind: 'fee', from, to, adjusts: null, key: null, because: {} }, run, {
      ...{ cents: Math.round(fee * 100), what: `Account, ${fee} each` },
    })
  }

  #topUp(run: Run, list: PriceList): void {
    const { books } = this.#notebook
    const { from, to } = run
    const minimum = Math.round(list.minimum * 100)
    const spent = this.#spentIn(from, to)
    const cents = minimum - spent
    if (minimum === 0 || cents <= 0) return
    const because = { least: { minimum, spent, raised: null } }
    const booking = this.#raise({ kind: 'minimum', from, to, adjusts: null, key: null, because }, run, {
      ...{ cents, account: list.hasMinimumAccount ? books.account : null },
      what: `Minimum spend ${list.minimum.toFixed(2)} from ${from} to ${to}, ${cents / 100} each`,
    })
    run.topUp = { booking, minimum }
  }
}
