// Commands that a device may send again, for 90 days and from wherever it is: each has its effect once, and
// is answered the same every time.

import { createHash } from 'node:crypto'
import { sql, type Tx } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { conflict } from '../../platform/http/refusal.ts'

/** A command as far as sending it again goes. */
export interface Operation {
  /** the device's own id for what it asks; without one, every request counts */
  operationId: string | null | undefined
  /** what makes a request the same one: path, ids in it and body */
  request: unknown
}

/**
 * Does `work` unless the operation was done before, and returns what it returned then. Waits for a first
 * arrival that is under way. 409 where the id belongs to another request. What is refused is not remembered.
 */
export async function once<T>(
  tx: Tx,
  actor: Actor,
  { operationId, request }: Operation,
  work: () => Promise<T>,
): Promise<{ answer: T; isReplayed: boolean }> {
  if (!operationId) return { answer: await work(), isReplayed: false }
  const { organisationId, connectionId } = actor
  const hash = createHash('sha256').update(JSON.stringify(request)).digest()
  const isFirst = await tx.run(sql`
    insert into inventory_operation (organisation_id, operation_id, identity_connection_id, request_hash)
    values (${organisationId}, ${operationId}, ${connectionId}, ${hash})
    on conflict on constraint inventory_operation_pkey do nothing`)
  if (isFirst) {
    const answer = await work()
    await tx.run(sql`
      update inventory_operation set answer = ${JSON.stringify(answer)}
      where organisation_id = ${organisationId} and operation_id = ${operationId}`)
    return { answer, isReplayed: false }
  }
  const earlier = await tx.row<{ isSame: boolean; answer: T }>(sql`
    select request_hash = ${hash} as is_same, answer from inventory_operation
    where organisation_id = ${organisationId} and operation_id = ${operationId}`)
  if (!earlier.isSame)
    throw conflict(`The operationId ${operationId} was used before, by a request that was another one.`)
  return { answer: earlier.answer, isReplayed: true }
}
