// What was billed: a booking for each row of each bill, and the schedules that they went on.

import type { Bill, BillRow, Consignment } from './orders.ts'
import type { StoragePrice, StoredDay } from './storage.ts'

/** A tax as it was when something was charged. */
export interface Tax {
  name: string
  percent: number
}

/** What a booking is for, with the number that the service calls it by. */
export const kinds = { byHand: 0, freight: 1, storage: 2, work: 3 } as const
export type Kind = keyof typeof kinds

/** What money is counted by within the organisation. */
export interface Centre {
  id: string
  code: string
  name: string
}

/** A row that was billed; a credit gives some of another one back. */
export interface Booking {
  /** null until the service has told it */
  id: string | null
  /** null for what a run raised */
  consignment: Consignment | null
  /** who owes it, or is owed it */
  partner: 'client' | 'carrier'
  kind: Kind
  what: string
  count: number
  cents: number
  base: number
  least: number
  day: string
  tax: Tax
  /** the code of the revenue account, as it was then */
  account: string | null
  /** its cost centre, as it was called then */
  centre: Centre | null
  /** what it was computed from; null if somebody entered it */
  bill: Bill | null
  schedule: Schedule | null
  isVoid: boolean
  creditOf: Booking | null
  /** what a run raised it for */
  raised: Raised | null
  /** whether it adjusts a bill to prices that were tested */
  isOfTest?: boolean
}

/** What it follows from, as was known then. */
interface Because {
  /** what the least is, what was spent, and what was raised for it before; all in cents */
  least?: { minimum: number; spent: number; raised: number | null }
  /** the days that were stored, what of each counts, and what all of them come to; null if nothing is left */
  stored?: {
    days: readonly string[]
    levels: readonly StoredDay[]
    price: StoragePrice
    count: number
  } | null
}

/** What a run raised a booking for: storage, a fee, or the difference to a minimum. */
export interface Raised {
  kind: 'storage' | 'fee' | 'minimum'
  from: string
  to: string
  /** the booking that it corrects */
  adjusts: Booking | null
  /** of storage: tells what is charged from everything else that is */
  key: string | null
  because: Because
}

/** What went to the client together. */
export interface Schedule {
  id: string
  day: string
  reference: string | null
  description: string | null
  isApproved: boolean
  /** from its first approval on */
  invoice: string | null
  /** while it is approved */
  dueOn: string | null
  /** another program has it, and where */
  exported: { url: string | null } | null
}

/** The tax on an amount in cents, in cents. Halves go away from zero. */
export function taxOn(cents: number, { percent }: Tax): number {
  const [amount, millionths] = [BigInt(Math.abs(cents)), BigInt(Math.round(percent * 1e6))]
  const divisor = 100n * 1_000_000n
  // No tax is 0, and not less than nothing, on what is given back, too.
  return Math.sign(cents) * Number((amount * millionths * 2n + divisor) / (divisor * 2n)) + 0
}

const dayMs = 86_400_000

/** Whether a booking is for an activity. Freight and what somebody entered are not, and no minimum is. */
export const isOfActivity = ({ kind, raised, creditOf }: Booking): boolean =>
  (kind === 'work' || kind === 'storage') && (creditOf ?? { raised }).raised?.kind !== 'minimum'

/** A name of a booking that does not depend on other deeds. */
export const nameOfBooking = ({ consignment, what, count, cents, raised }: Booking): string =>
  `${consignment?.tag ?? raised?.from} ${what} ${count} ${cents}`

/** Whose booking it is, in words. */
export const ownerOf = ({ consignment, raised }: Booking): string =>
  consignment?.number ?? (raised ? `the days from ${raised.from} to ${raised.to}` : 'the client')

export class Books {
  readonly bookings: Booking[] = []
  readonly schedules: Schedule[] = []
  /** as it is now */
  tax: Tax = { name: 'GST', percent: 15 }
  account = 'SALES'
  readonly centres: Centre[] = []
  /** the cost centre of the warehouse */
  centre: Centre | null = null
  /** in how many days bills are due: those of the client, or else of everybody */
  terms: { own: number | null; general: number | null } = { own: null, general: null }
  /** each change of the general terms, from and to */
  readonly termsSet: [from: number | null, to: number | null][] = []
  /** how the client is called in the accounting program */
  accountingName: string | null = null
  #invoices = 0

  /** The cost centre of the warehouse, as it is called now. */
  get centreNow(): Centre | null {
    return this.centre && { ...this.centre }
  }

  bookingsOf(consignment: Consignment): Booking[] {
    return this.bookings.filter(booking => booking.consignment === consignment)
  }

  /** What a schedule has. */
  on(schedule: Schedule): Booking[] {
    return this.bookings.filter(booking => booking.schedule === schedule && !booking.isVoid)
  }

  /** A cost centre of then, as it is called now. */
  asCalledNow(centre: Centre | null): Centre | null {
    const found = this.centres.find(({ id }) => id === centre?.id)
    return found ? { ...found } : null
  }

  /** Books what a consignment was billed. */
  bill(consignment: Consignment, bill: Bill): void {
    for (const row of bill.rows)
      if (!row.isLeftOut) this.bookings.push(this.#bookingOf(consignment, row, bill, 'client'))
    for (const row of bill.costs ?? []) this.bookings.push(this.#bookingOf(consignment, row, bill, 'carrier'))
  }

  #bookingOf(consignment: Consignment, row: BillRow, bill: Bill, partner: Booking['partner']): Booking {
    const { what, count, cents, base, least, isFreight } = row
    const entered = consignment.byHand.find(other => other.what === what)
    return {
      ...{ id: null, consignment, partner, what, count, cents, base, least, day: bill.day },
      kind: entered ? 'byHand' : isFreight ? 'freight' : 'work',
      tax: entered?.tax ?? this.tax,
      account: entered && !entered.hasAccount ? null : this.account,
      centre: entered ? entered.centre && { ...entered.centre } : this.centreNow,
      ...{ bill: entered ? null : bill, schedule: null, isVoid: false, creditOf: null, raised: null },
    }
  }

  /** What has not gone to the client, and is owed by it. */
  get open(): Booking[] {
    return this.bookings.filter(
      ({ partner, schedule, isVoid }) => partner === 'client' && schedule === null && !isVoid,
    )
  }

  /** Whether something of a bill went to the client, so that it can no longer be taken back. */
  isSent(consignment: Consignment): boolean {
    return this.bookingsOf(consignment).some(({ schedule, isVoid }) => schedule !== null && !isVoid)
  }

  /** A bill was none. */
  takeBack(consignment: Consignment): void {
    for (const booking of this.bookingsOf(consignment)) booking.isVoid = true
  }

  /** A schedule is sent: it has a number from now on, and is due after the terms of today. */
  approve(schedule: Schedule): void {
    schedule.isApproved = true
    schedule.invoice ??= `INV-${String(++this.#invoices).padStart(6, '0')}`
    const days = this.terms.own ?? this.terms.general ?? 0
    schedule.dueOn = new Date(Date.parse(schedule.day) + days * dayMs).toISOString().slice(0, 10)
  }

  /** A schedule is a draft again, and keeps its number. */
  withdraw(schedule: Schedule): void {
    Object.assign(schedule, { isApproved: false, dueOn: null })
  }

  /** What of a booking was not given back. */
  leftOf(booking: Booking): number {
    return this.bookings
      .filter(({ creditOf, isVoid }) => creditOf === booking && !isVoid)
      .reduce((all, { cents }) => all + cents, booking.cents)
  }

  /** The taxes of a schedule, the highest percentage first. Each is rounded once, over its total. */
  taxesOf(schedule: Schedule): { tax: Tax; net: number; cents: number }[] {
    return [...Map.groupBy(this.on(schedule), ({ tax }) => tax.percent).values()]
      .map(own => {
        const { tax } = own[0] as Booking
        const net = own.reduce((all, { cents }) => all + cents, 0)
        return { tax, net, cents: taxOn(net, tax) }
      })
      .toSorted((a, b) => b.tax.percent - a.tax.percent)
  }

  totalOf(schedule: Schedule): { net: number; tax: number } {
    const taxes = this.taxesOf(schedule)
    return {
      net: taxes.reduce((all, { net }) => all + net, 0),
      tax: taxes.reduce((all, { cents }) => all + cents, 0),
    }
  }
}
