// A unique code or name stays taken while an inactive record has it, although lists of active records do not
// show that record.

import { raw, type Sql, sql, type Tx } from './database/db.ts'
import { duplicate } from './http/refusal.ts'

/** A code or name that a record is about to get, and where to look for an inactive record that has it. */
export interface UniqueCode {
  table: string
  column: string
  /** the code or name; nothing is checked if it is null or undefined */
  value: string | null | undefined
  /** the condition on the records among which it must be unique */
  scope: Sql
  /** the id of the record that is to have it, if that already exists */
  ownId?: string
  /** the status of inactive records */
  inactiveStatus: number
  /** the message for a code or name that is taken, without its full stop */
  takenMessage: string
  /** the path of the collection; the record's id is appended */
  path: string
  /** the status that makes the record active again */
  activeStatus: number
}

/** Refuses (409) a code or name that an inactive record has, and says how to make that record active. */
export async function refuseCodeOfInactive(tx: Tx, claim: UniqueCode): Promise<void> {
  const { table, column, value, scope, ownId, inactiveStatus, takenMessage, path, activeStatus } = claim
  if (typeof value !== 'string') return
  const holder = await tx.maybe<{ id: string }>(sql`
    select id from ${raw(table)} where ${scope} and lower(${raw(column)}) = lower(${value})
      and status = ${inactiveStatus} and id is distinct from ${ownId ?? null}::uuid`)
  if (holder === undefined) return
  throw duplicate(
    column,
    `${takenMessage}. It is inactive: PUT ${path}/${holder.id} with status ${activeStatus} makes it active.`,
  )
}
