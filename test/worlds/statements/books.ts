// What was billed, what of it went to the client, and what brings no money.

import { type Booking, isOfActivity, kinds, ownerOf } from '../notebook/books.ts'
import { Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { billOf } from './charges.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { carrierName, clientName, warehouseName } from './rows.ts'

/** The words of the notebook for a transaction. */
export const wordsOfTransaction = ({ particulars, chargeRateExclTax }: Row): string =>
  `${particulars}, ${chargeRateExclTax} each`

const statusOf = ({ isVoid, schedule }: Booking) => (isVoid ? 3 : schedule ? 2 : 1)

/** A transaction as the service tells it where it stands alone, with the words of the notebook. */
export function transactionOf(world: World, booking: Booking): Row {
  const { consignment, kind, what, count, cents, base, least, day, tax, account, centre, creditOf } = booking
  const [isOf, { raised }] = [isOfActivity(booking), booking]
  const isFee = creditOf !== null || booking.isOfTest || (raised !== null && raised.kind !== 'storage')
  return {
    ...{ id: booking.id, date: day, type: kinds[kind], what, quantity: count, amountExclTax: cents / 100 },
    ...{ consignmentId: consignment?.id ?? null, consignmentNumber: consignment?.number ?? null },
    consignmentReferenceNumber: null,
    ...{ costCentreId: centre?.id ?? null, costCentreCode: centre?.code ?? null },
    warehouseName: kind === 'storage' ? warehouseName : null,
    ...{ revenueAccountCode: account, revenueAccountId: account && world.books.revenueAccountId },
    ...{ activityCode: isOf ? 'HANDLING' : null, activityName: isOf ? 'Handling' : null },
    ...{ creditOf: creditOf?.id ?? null, chargeApplication: isFee ? 2 : 1 },
    ...{ baseChargeExclTax: base || null, minChargeExclTax: least || null, maxChargeExclTax: null },
    ...{ taxRateId: world.books.taxRateId, taxRateName: tax.name, taxRatePercent: tax.percent },
  }
}

/** Which way of charging it was follows from its type and its price. */
export function asTransaction(told: Row): Row {
  const { particulars, chargeRateExclTax, chargeTypeId, chargeTypeName, chargeTypeCode, ...row } = told
  return { ...row, what: wordsOfTransaction({ particulars, chargeRateExclTax }) }
}

export async function books(world: World): Promise<void> {
  const { books } = world.notebook
  const { scheduleTransactions } = await ask(world, 'get', '/v1/schedule-transactions?PageSize=500')
  const told = new Map<string, Row>(scheduleTransactions.map((row: Row) => [row.id, row]))
  sameText(
    [...told.keys()].toSorted(),
    books.bookings.map(({ id }) => id).toSorted(),
    'the rows that were billed',
  )
  for (const booking of books.bookings) {
    const { schedule, isVoid, creditOf, raised } = booking
    const of = (creditOf ?? booking).raised
    const what = `what ${ownerOf(booking)} was billed: ${booking.what}`
    const { voidReason: _, ...row } = asTransaction(told.get(booking.id as string))
    const credits = books.bookings.filter(one => one.creditOf === booking && !one.isVoid)
    const known = {
      ...{ ...transactionOf(world, booking), status: statusOf(booking) },
      warehouseId: of?.kind === 'storage' ? world.warehouseId : null,
      partner:
        booking.partner === 'client'
          ? { id: world.clientId, name: clientName, code: 'KAURI' }
          : { id: world.books.carrierId, name: carrierName, code: 'SWF' },
      ...{ periodFrom: of?.from ?? null, periodTo: of?.to ?? null },
      adjusts: raised?.adjusts?.id ?? null,
      partnerScheduleId: isVoid ? null : (schedule?.id ?? null),
      credits: credits.map(({ id }) => id).toSorted(),
      creditableExclTax: isVoid || creditOf ? 0 : Math.max(0, books.leftOf(booking)) / 100,
    }
    sameText(inOrderOfNames(row), inOrderOfNames(known), what)
  }
}

export const inOrderOfNames = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))

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
