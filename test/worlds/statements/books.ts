// What was billed, what of it went to the client, and what brings no money.

import type { Booking } from '../notebook/books.ts'
import { Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { billOf } from './charges.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

/** The words of the notebook for a transaction. */
export const wordsOfTransaction = ({ particulars, chargeRateExclTax }: Row): string =>
  `${particulars}, ${chargeRateExclTax} each`

const statusOf = ({ isVoid, schedule }: Booking) => (isVoid ? 3 : schedule ? 2 : 1)

const byText = (rows: readonly object[]): string[] => rows.map(row => JSON.stringify(row)).toSorted()
const cents = (amount: number) => Math.round(amount * 100)

export async function books(world: World): Promise<void> {
  const { bookings, schedules } = world.notebook.books
  const { scheduleTransactions } = await ask(world, 'get', '/v1/schedule-transactions?PageSize=500')
  const told = scheduleTransactions.map((row: Row) => ({
    ...{ number: row.consignmentNumber, what: wordsOfTransaction(row), cents: cents(row.amountExclTax) },
    ...{ day: row.date, status: row.status, schedule: row.partnerScheduleId },
  }))
  const known = bookings.map(({ consignment, what, cents, day, ...booking }) => ({
    ...{
      number: consignment.number,
      what,
      cents,
      day,
      status: statusOf({ consignment, what, cents, day, ...booking }),
    },
    schedule: booking.isVoid ? null : (booking.schedule?.id ?? null),
  }))
  sameText(byText(told), byText(known), 'what was billed')
  const { schedules: listed } = await ask(world, 'get', '/v1/schedules?PageSize=500')
  const sent = listed.map((row: Row) => ({ id: row.id, status: row.status, cents: cents(row.amountExclTax) }))
  const made = schedules.map(schedule => ({
    ...{ id: schedule.id, status: schedule.isApproved ? 2 : 1 },
    cents: bookings.reduce(
      (all, one) => (one.schedule === schedule && !one.isVoid ? all + one.cents : all),
      0,
    ),
  }))
  sameText(byText(sent), byText(made), 'the schedules')
}

const storageDay = 5
const notClosed = 7

export async function unbilledWork(world: World): Promise<void> {
  const rows = await ask(world, 'post', '/v1/reports/unbilled-work', { completeDays: 0 })
  const told = rows
    .filter(({ kind }: Row) => kind !== storageDay)
    .map(({ consignmentNumber, kind, subject, quantity }: Row) =>
      kind === notClosed
        ? `${consignmentNumber} ${kind}`
        : `${consignmentNumber} ${kind} ${subject} ${quantity}`,
    )
  const known: string[] = []
  for (const consignment of world.notebook.consignments) {
    const { number, status, bill } = consignment
    if (status === Status.Void) continue
    const { unbilled } = bill ?? (await billOf(world, consignment))
    known.push(...unbilled.map(words => `${number} ${words}`))
    if (status === Status.Complete) known.push(`${number} ${notClosed}`)
  }
  sameText(told.toSorted(), known.toSorted(), 'the work that brings no money')
}
