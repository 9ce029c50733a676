// Proofs of what was billed: from which goods, on which day, by which price, step by step to the cent.

import assert from 'node:assert/strict'
import { type Booking, ownerOf } from '../notebook/books.ts'
import type { Bill } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameFigure, sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { compareRaised } from './run-proofs.ts'

/** How many rows of each world are proved one by one. */
const many = 5

export async function proofs(world: World): Promise<void> {
  const { books, floor } = world.notebook
  const { bookings } = books
  for (let i = 0; i < Math.min(many, bookings.length); i++) {
    const booking = bookings[(floor.journal.length + i * 7) % bookings.length] as Booking
    const told = await ask(world, 'get', `/v1/schedule-transactions/${booking.id}/proof`)
    compareProof(booking, told, floor.names, `the proof of ${booking.what} of ${ownerOf(booking)}`)
  }
}

function compareProof(booking: Booking, told: Row, names: readonly string[], what: string): void {
  const { id, cents, bill, creditOf } = booking
  sameText(told.subject, { kind: 'scheduleTransaction', id, amountExclTax: cents / 100 }, what)
  sameText([told.isFrozen, told.isVerified], [true, true], `${what}, whether it is frozen and comes to that`)
  if (told.derivedExclTax !== null)
    sameFigure(Math.round(told.derivedExclTax * 100), cents, `${what}, in cents`)
  if (bill !== null) compareComputed(booking, bill, told, what)
  else if (booking.isOfTest) return
  else if (booking.raised) compareRaised(booking, booking.raised, told, what)
  else {
    sameText(told.rule, null, `${what}, its rule`)
    const people = told.inputs.flatMap(({ source }: Row) => (source.kind === 'person' ? [source.by] : []))
    assert.ok(
      people.length > 0 && people.every((one: string) => names.includes(one)),
      `${what} names ${people}`,
    )
  }
  const credited = told.inputs.find(({ name }: Row) => name === 'creditedTransactionExclTax')
  sameText(credited?.source.id ?? null, creditOf?.id ?? null, `${what}, what it credits`)
  if (creditOf) sameFigure(Math.round(Number(credited.value) * 100), creditOf.cents, `${what}, of how much`)
}

/** What a charge of a consignment was computed from. */
function compareComputed(booking: Booking, bill: Bill, told: Row, what: string): void {
  const { rule, inputs, steps } = told
  const { rateExclTax, baseExclTax = 0, minExclTax = 0 } = rule.charge
  sameText(booking.what, `${rule.rate.name}, ${rateExclTax} each`, `${what}, by which rate`)
  sameText([baseExclTax, minExclTax], [booking.base, booking.least], `${what}, its price`)
  const day = inputs.find(({ name }: Row) => name === 'chargeDate')?.value
  sameText(day, bill.charged.day, `${what}, on which day`)
  const left = bill.parts.map(({ code, quantity }) => `${code} ${quantity}`)
  for (const { name, value } of inputs) {
    if (!name.endsWith(' quantity')) continue
    const part = `${name.replace(/ quantity$/, '')} ${Number(value)}`
    const at = left.indexOf(part)
    sameText(at >= 0, true, `${what}: ${part} is not among ${left}`)
    left.splice(at, 1)
  }
  const measured = steps.findLast(({ name }: Row) => name === 'measure' || name === 'metric')
  if (measured) sameFigure(Number(measured.to), booking.count, `${what}, its count`)
  sameFigure(Math.round(Number(steps.at(-1).to) * 100), booking.cents, `${what}, its last step in cents`)
}
