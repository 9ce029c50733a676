// Learns which transaction of the service each booking of the notebook is, right after it was made.

import assert from 'node:assert/strict'
import { type Booking, ownerOf } from '../notebook/books.ts'
import { wordsOfTransaction } from '../statements/books.ts'
import type { Row } from '../statements/read-stock.ts'
import { ask, type World } from '../world.ts'

const isOf = (row: Row, { consignment, what, count, cents, day, raised, creditOf }: Booking): boolean =>
  row.consignmentNumber === (consignment?.number ?? null) &&
  row.date === day &&
  row.periodFrom === ((creditOf ?? { raised }).raised?.from ?? null) &&
  wordsOfTransaction(row) === what &&
  row.quantity === count &&
  Math.round(row.amountExclTax * 100) === cents

/** Bookings that look the same are the same to everybody, so any of them is any of the transactions. */
export async function learnBookings(world: World): Promise<void> {
  const { bookings } = world.notebook.books
  const unknown = bookings.filter(({ id }) => id === null)
  if (unknown.length === 0) return
  const { scheduleTransactions } = await ask(world, 'get', '/v1/schedule-transactions?PageSize=500')
  const known = new Set(bookings.map(({ id }) => id))
  const rows: Row[] = scheduleTransactions.filter(({ id }: Row) => !known.has(id))
  for (const booking of unknown) {
    const at = rows.findIndex(row => isOf(row, booking))
    assert.ok(at >= 0, `nobody was billed ${booking.what} of ${ownerOf(booking)}: ${JSON.stringify(rows)}`)
    booking.id = rows[at].id
    rows.splice(at, 1)
  }
}
