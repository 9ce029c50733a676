// Tells what a rehearsed act did: from what its writers noted, and from the rows that it wrote. What the
// token may not read is not told.

import type { Actor } from '../access/actor.ts'
import { hasRequiredScope } from '../access/scopes.ts'
import type { TellEffects } from '../platform/http/rehearsal.ts'
import { eventEffects } from './event-effects.ts'
import { moneyEffects, unratedWarnings } from './money-effects.ts'
import type { Note } from './notes.ts'
import { recordEffects } from './record-effects.ts'
import { shortWarnings } from './short-warnings.ts'
import { stockEffects } from './stock-effects.ts'

/** The kinds of effects that name amounts. */
const amountKinds = new Set(['charge', 'schedule'])

/** Tells the effects of an act in the order in which people care for them, and what to be warned of. */
export const tellEffects: TellEffects = async (db, { actor: caller, params, notes: written }) => {
  const notes = written as readonly Note[]
  const actor = caller as Actor
  const { organisationId, partnerId } = actor
  const [stock, money, events, short] = await Promise.all([
    stockEffects(db, organisationId, notes),
    moneyEffects(db, organisationId, notes),
    eventEffects(db, { organisationId, partnerId }, notes),
    shortWarnings(db, organisationId, notes),
  ])
  const records = recordEffects(notes, new Set(Object.values(params)))
  const mayReadAmounts = partnerId === null && hasRequiredScope(actor, 'financial.read')
  const readable = money.filter(({ kind }) => mayReadAmounts || !amountKinds.has(kind))
  return {
    effects: [...records, ...stock, ...readable, ...events],
    warnings: [...short, ...unratedWarnings(notes)],
  }
}
