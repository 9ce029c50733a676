// What was billed: a booking for each row of each bill, and the schedules that they went on.

import type { Bill, Consignment } from './orders.ts'

/** A row that was billed; a credit gives some of another one back. */
export interface Booking {
  id: string | null
  consignment: Consignment
  what: string
  count: number
  cents: number
  day: string
  schedule: Schedule | null
  isVoid: boolean
  creditOf: Booking | null
}

/** What went to the client together. */
export interface Schedule {
  id: string
  day: string
  isApproved: boolean
}

export class Books {
  readonly bookings: Booking[] = []
  readonly schedules: Schedule[] = []

  bookingsOf(consignment: Consignment): Booking[] {
    return this.bookings.filter(booking => booking.consignment === consignment)
  }

  /** Books what a consignment was billed. */
  bill(consignment: Consignment, { rows, day }: Bill): void {
    for (const { what, count, cents, isLeftOut } of rows) {
      const booking = { id: null, consignment, what, count, cents, day, schedule: null, isVoid: false }
      if (!isLeftOut) this.bookings.push({ ...booking, creditOf: null })
    }
  }

  /** What has not gone to the client, and is owed. */
  get open(): Booking[] {
    return this.bookings.filter(({ schedule, isVoid }) => schedule === null && !isVoid)
  }

  /** Whether something of a bill went to the client, so that it can no longer be taken back. */
  isSent(consignment: Consignment): boolean {
    return this.bookingsOf(consignment).some(({ schedule, isVoid }) => schedule !== null && !isVoid)
  }

  /** A bill was none. */
  takeBack(consignment: Consignment): void {
    for (const booking of this.bookingsOf(consignment)) booking.isVoid = true
  }
}
