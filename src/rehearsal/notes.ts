// What writers note of their writes, so that a rehearsal can tell what the transaction did. A note says where
// to look; the figures are read from the tables before the rollback.

import type { Tx } from '../platform/database/db.ts'
import type { EventType } from '../vocabulary/events.ts'

/** An event as it was stored. */
export interface NotedEvent {
  id: string
  type: EventType
  subjectId: string
  data: Readonly<Record<string, unknown>>
  changes: readonly { field: string; from: unknown; to: unknown }[]
}

export type Note =
  /** movements in the ledger */
  | { about: 'movements'; movementIds: readonly string[] }
  /** consignments to which stock was allocated by the rules of rotation, as far as there was any */
  | { about: 'allocation'; consignmentIds: readonly string[]; isByRules: boolean }
  /** events, with their deliveries */
  | { about: 'events'; events: readonly NotedEvent[] }
  /** a record without events of its own was moved between statuses, by their names */
  | { about: 'status'; id: string; from: string; to: string }
  /** charges were frozen and billed; `unrated` returns sentences about work that nothing charges */
  | { about: 'bills'; consignmentIds: readonly string[]; unrated: () => readonly string[] }
  /** transactions were raised, became void, or became void because their charges are no longer frozen */
  | { about: 'transactions'; did: 'raise' | 'void' | 'unfreeze'; ids: readonly string[] }
  /** a job was sent to a printer */
  | { about: 'printing'; printerId: string; printerName: string }
  /** transactions were put on a schedule */
  | { about: 'scheduled'; ids: readonly string[] }
  /** so many transactions were taken off a schedule */
  | { about: 'unscheduled'; count: number }

/** Notes what was written. It costs nothing unless the transaction is rehearsed. */
export const note = (tx: Pick<Tx, 'note'>, written: Note): void => tx.note(written)

/** Notes that a record without events of its own was moved between statuses of this enumeration. */
export function noteStatus<Status extends number>(
  tx: Tx,
  statuses: Readonly<Record<string, Status>>,
  { id, from, to }: { id: string; from: Status; to: Status },
): void {
  const nameOf = (status: Status) => Object.keys(statuses).find(name => statuses[name] === status) ?? ''
  note(tx, { about: 'status', id, from: nameOf(from), to: nameOf(to) })
}

/** The notes about one thing. */
export const notesAbout = <About extends Note['about']>(
  notes: readonly Note[],
  about: About,
): Extract<Note, { about: About }>[] =>
  notes.filter((one): one is Extract<Note, { about: About }> => one.about === about)
