// What a search is made of: one part for each kind of record.

import type { Actor } from '../access/actor.ts'
import type { RequiredScope } from '../access/scopes.ts'
import type { Sql } from '../platform/database/db.ts'
import type { SearchedText } from './searched-text.ts'

/** How many records of a kind are found at most. */
export const maxOfKind = 8

/** How many entries of an index are read for one text. */
export const maxEntries = 1_000

/** How many of the newest records are looked through. */
export const maxNewest = 1_000

/** How records of a kind are found, and who may read them. */
export interface SearchKind {
  scope: RequiredScope
  partners: readonly Actor['partnerKind'][]
  /**
   * A statement for at most so many records, best first: id, parent_id, title, subtitle, status, and of what
   * kind the record is if that is another one. Null if nothing of the kind can have such a text.
   */
  find(actor: Actor, searched: SearchedText): Sql | null
}
