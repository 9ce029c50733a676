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
  const earlier = await tx.row<{ isSame: boolean; answer: T }>(sql`
    select request_hash = ${hash} as is_same, answer from inventory_operation
    where organisation_id = ${organisationId} and operation_id = ${operationId}`)
  if (!earlier.isSame)
    throw conflict({
      path: 'operationId',
      code: 'conflict',
      message: `The operationId ${operationId} was used before, by a request that was another one.`,
    })
  return { answer: earlier.answer, isReplayed: true }
}

const hashOf = (request: unknown) => createHash('sha256').update(JSON.stringify(request)).digest()

/** An operation of somebody's, among others of the organisation. */
export interface OwnedOperation extends Operation {
  connectionId: string
}

/**
 * Takes the operations that nobody has done before, and returns which of those given they are: an operation
 * without an id always is. The others are left for `once`, alone. What is taken has to be settled.
 */
export async function claimOperations(
  tx: Tx,
  organisationId: string,
  operations: readonly OwnedOperation[],
): Promise<boolean[]> {
  const first = new Map<string, number>()
  for (const [n, { operationId }] of operations.entries())
    if (operationId && !first.has(operationId.toLowerCase())) first.set(operationId.toLowerCase(), n)
  if (first.size === 0) return operations.map(() => true)
  const given = [...first].map(([id, n]) => {
    const { connectionId, request } = operations[n] as OwnedOperation
    return { id, connectionId, hash: hashOf(request).toString('hex') }
  })
  const taken = await tx.rows<{ operationId: string }>(sql`
    insert into inventory_operation (organisation_id, operation_id, identity_connection_id, request_hash)
    select ${organisationId}, id, "connectionId", decode(hash, 'hex')
    from json_to_recordset(${JSON.stringify(given)}) as g (id uuid, "connectionId" uuid, hash text)
    order by id
    on conflict on constraint inventory_operation_pkey do nothing
    returning operation_id`)
  const numbers = new Set(taken.map(({ operationId }) => first.get(operationId)))
  return operations.map(({ operationId }, n) => !operationId || numbers.has(n))
}

/** Remembers what operations that were taken came to; those without an answer may be sent again. */
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
