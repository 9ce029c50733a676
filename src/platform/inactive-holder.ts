// A code or name that an inactive record holds is taken, although lists of active records do not show it.

import { raw, type Sql, sql, type Tx } from './database/db.ts'
import { duplicate } from './http/refusal.ts'

/** Which code or name is about to be given to a record, and where its holder would be. */
export interface KeyClaim {
  table: string
  column: string
  value: string | null | undefined
  /** the records among which it is unique */
  among: Sql
  /** the record that is to have it, once there is one */
  ownId?: string
  /** the status of inactive records */
  inactive: number
  /** the sentence for a taken code or name, without its full stop */
  taken: string
  /** the path of a record, to which its id is added */
  path: string
  /** the status that makes it active */
  active: number
}

/** Refuses (409) a code or name that an inactive record holds, and says how to make that one active. */
export async function refuseKeyOfInactive(tx: Tx, claim: KeyClaim): Promise<void> {
  const { table, column, value, among, ownId, inactive, taken, path, active } = claim
  if (typeof value !== 'string') return
  const holder = await tx.maybe<{ id: string }>(sql`
    select id from ${raw(table)} where ${among} and lower(${raw(column)}) = lower(${value})
      and status = ${inactive} and id is distinct from ${ownId ?? null}::uuid`)
  if (holder === undefined) return
  throw duplicate(
    column,
    `${taken}. It is inactive: PUT ${path}/${holder.id} with status ${active} makes it active.`,
  )
}
