// Tells what a rehearsed act did: from what its writers noted, and from the rows that it wrote.

import type { TellEffects } from '../platform/http/rehearsal.ts'
import { eventEffects } from './event-effects.ts'
import { moneyEffects, unratedWarnings } from './money-effects.ts'
import type { Note } from './notes.ts'
import { recordEffects } from './record-effects.ts'
import { shortWarnings } from './short-warnings.ts'
import { stockEffects } from './stock-effects.ts'

/** Tells the effects of an act in the order in which people care for them, and what to be warned of. */
export const tellEffects: TellEffects = async (db, { actor, params, notes: written }) => {
  const notes = written as readonly Note[]
  const { organisationId } = actor
  const [stock, money, events, short] = await Promise.all([
    stockEffects(db, organisationId, notes),
    moneyEffects(db, organisationId, notes),
    eventEffects(db, organisationId, notes),
    shortWarnings(db, organisationId, notes),
  ])
  const records = recordEffects(notes, new Set(Object.values(params)))
  return {
    effects: [...records, ...stock, ...money, ...events],
    warnings: [...short, ...unratedWarnings(notes)],
  }
}
