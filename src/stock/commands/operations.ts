// Makes commands idempotent: a device may repeat a command for 90 days, from any network, and it takes effect
// once and gets the same response every time. Spec 2.14.

import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { conflict } from '../../platform/http/refusal.ts'

/** What identifies a command when it is repeated. */
export interface Operation {
  /** an id made by the device; without one, every request takes effect */
  operationId: string | null | undefined
  /** what must be equal in a repeated request: the path, the ids in it and the body */
  request: unknown
}

/**
 * Runs `work`, or returns its stored result if the operation ran before. Waits for an earlier request with
 * the same id that is still running. Throws 409 if the id belongs to a different request. A refused operation
 * is not stored, so its id may be used again.
 */
export async function runOnce<T>(
  tx: Tx,
  actor: Actor,
  { operationId, request }: Operation,
  work: () => Promise<T>,
): Promise<{ answer: T; isReplayed: boolean }> {
  if (!operationId) return { answer: await work(), isReplayed: false }
  const { organisationId, connectionId } = actor
  const hash = hashOf(request)
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
  const stored = await tx.row<{ isSame: boolean; answer: T }>(sql`
    select request_hash = ${hash} as is_same, answer from inventory_operation
    where organisation_id = ${organisationId} and operation_id = ${operationId}`)
  if (!stored.isSame)
    throw conflict({
      path: 'operationId',
      code: 'conflict',
      message: `The operationId ${operationId} was used before, by a request that was another one.`,
    })
  return { answer: stored.answer, isReplayed: true }
}

const hashOf = (request: unknown) => createHash('sha256').update(JSON.stringify(request)).digest()

/** An operation with the connection that sent it. */
export interface OwnedOperation extends Operation {
  connectionId: string
}

/**
 * Claims the operations that have not run before. Returns, for each operation, whether it was claimed; one
 * without an id always is. Run the others alone with `runOnce`. Every claimed operation must be settled with
 * `settleOperations` in the same transaction.
 */
export async function claimOperations(
  tx: Tx,
  organisationId: string,
  operations: readonly OwnedOperation[],
): Promise<boolean[]> {
  const firstIndexes = new Map<string, number>()
  for (const [n, { operationId: id }] of operations.entries()) {
    if (id && !firstIndexes.has(id)) firstIndexes.set(id, n)
  }
  if (firstIndexes.size === 0) return operations.map(() => true)
  const candidates = [...firstIndexes].map(([id, n]) => {
    const { connectionId, request } = operations[n] as OwnedOperation
    return { id, connectionId, hash: hashOf(request).toString('hex') }
  })
  const claimed = await tx.rows<{ operationId: string }>(sql`
    insert into inventory_operation (organisation_id, operation_id, identity_connection_id, request_hash)
    select ${organisationId}, id, "connectionId", decode(hash, 'hex')
    from json_to_recordset(${JSON.stringify(candidates)}) as g (id uuid, "connectionId" uuid, hash text)
    order by id
    on conflict on constraint inventory_operation_pkey do nothing
    returning operation_id`)
  const claimedIndexes = new Set(claimed.map(({ operationId }) => firstIndexes.get(operationId)))
  return operations.map(({ operationId }, n) => !operationId || claimedIndexes.has(n))
}

/** Stores the responses of claimed operations. Deletes those without a response, which may be sent again. */
export async function settleOperations(
  tx: Tx,
  organisationId: string,
  outcomes: readonly { operationId: string; answer: unknown }[],
): Promise<void> {
  if (outcomes.length === 0) return
  await tx.run(sql`
    with outcome as materialized (
      select * from json_to_recordset(${JSON.stringify(outcomes)}) as o ("operationId" uuid, answer jsonb)
    ), forgotten as (
      delete from inventory_operation p using outcome o
      where p.organisation_id = ${organisationId} and p.operation_id = o."operationId" and o.answer is null
    )
    update inventory_operation p set answer = o.answer from outcome o
    where p.organisation_id = ${organisationId} and p.operation_id = o."operationId"
      and o.answer is not null`)
}
