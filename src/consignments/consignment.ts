// What a consignment is: its addresses, who may see it, the data of its events, and how it is locked before
// it changes. Spec 2.2, 2.3; decisions 2, 4, 6.

import type { Actor } from '../access/actor.ts'
import type { NewEvent } from '../events/emit.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import { notFound, wrongStatus } from '../platform/http/refusal.ts'
import { ConsignmentStatus, type ConsignmentType } from '../vocabulary/consignments.ts'
import type { EventType } from '../vocabulary/events.ts'

/** An SQL condition: the partner is the client or the carrier of `consignment c`. */
export const isOfPartner = (partnerId: Sql): Sql =>
  sql`(c.client_id = ${partnerId} or c.carrier_id = ${partnerId})`

/**
 * The consignments that an actor may see, as an SQL condition on `consignment c`: all of the organisation or,
 * if the actor belongs to a partner, those of which the partner is the client or the carrier. Decision 3.
 */
export const visibleConsignments = (actor: Actor): Sql =>
  sql`c.organisation_id = ${actor.organisationId} ${
    actor.partnerId === null ? empty : sql`and ${isOfPartner(sql`${actor.partnerId}`)}`
  }`

/** The consignment to which a list belongs, as `readPage` takes it in `of`. */
export const consignmentParent = (actor: Actor, consignmentId: string) => ({
  from: sql`consignment c where ${visibleConsignments(actor)} and c.id = ${consignmentId}`,
  noun: 'Consignment',
})

/**
 * A select-list expression for a JSON array of records of `consignment c`. `fields` are the arguments of
 * `jsonb_build_object` for one record, and `from` names the tables, with the record itself as `r`.
 */
export const jsonCollection = (fields: Sql, from: Sql, order: Sql): Sql => sql`(
  select coalesce(jsonb_agg(jsonb_build_object(${fields}) order by ${order}), '[]')
  from ${from} where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

/** The fields of a consignment that its events contain. */
export interface ConsignmentFacts {
  organisationId: string
  id: string
  consignmentNumber: string
  referenceNumber: string | null
  clientId: string
  carrierId: string | null
  type: ConsignmentType
  status: ConsignmentStatus
}

/** The `data` of a consignment event. Decision 6. */
export const consignmentEventData = (consignment: ConsignmentFacts) => ({
  organisationId: consignment.organisationId,
  consignmentId: consignment.id,
  consignmentNumber: consignment.consignmentNumber,
  referenceNumber: consignment.referenceNumber,
  clientId: consignment.clientId,
  carrierId: consignment.carrierId,
  type: consignment.type,
  status: consignment.status,
})

/** One changed field of a record, under its API name. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}

/** An event about a consignment in its current state. `more` is added to the data that receivers get. */
export const consignmentEvent = (
  type: EventType,
  consignment: ConsignmentFacts,
  { changes, ...more }: { changes?: Change[]; previousStatus?: ConsignmentStatus } = {},
): NewEvent => ({
  type,
  subjectId: consignment.id,
  data: { ...consignmentEventData(consignment), ...more },
  clientId: consignment.clientId,
  carrierId: consignment.carrierId,
  changes: changes ?? null,
})

/** A consignment whose row this transaction has locked, with the facts that commands on it need. */
export interface LockedConsignment extends ConsignmentFacts {
  warehouseId: string | null
  actualReceiveDateTime: string | null
  actualDispatchDateTime: string | null
  closedTransactionDate: string | null
  /** whether anybody ever confirmed a pick, were it of nothing, or took one back */
  isPickingConfirmed: boolean
  /** IANA time zone of its local times: the warehouse's, or the organisation's if it has no warehouse */
  timezoneId: string
  /** the current wall-clock time in that zone, `YYYY-MM-DDTHH:MM:SS` */
  localNow: string
}

const lockedFields = sql`
    select c.organisation_id, c.id, c.consignment_number, c.reference_number, c.client_id, c.carrier_id,
      c.type, c.status, c.warehouse_id,
      c.actual_receive_date_time, c.actual_dispatch_date_time, c.closed_transaction_date,
      c.is_picking_confirmed, coalesce(w.timezone_id, o.timezone_id) as timezone_id,
      (now() at time zone coalesce(w.timezone_id, o.timezone_id))::timestamp(0) as local_now
    from consignment c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id`

/** Locks a consignment until the transaction ends. Throws 404 if this actor cannot see it. */
export async function lockConsignment(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await tx.maybe<LockedConsignment>(sql`
    ${lockedFields}
    where ${visibleConsignments(actor)} and c.id = ${consignmentId}
    for no key update of c`)
  if (consignment === undefined) throw notFound('Consignment')
  return consignment
}

/**
 * Locks consignments of an organisation, in the order of their ids, until the transaction ends. The result
 * leaves out unknown ids and, with `isSkippingLocked`, consignments that another transaction has locked.
 */
export const lockConsignments = (
  tx: Tx,
  organisationId: string,
  consignmentIds: readonly string[],
  { isSkippingLocked = false } = {},
): Promise<LockedConsignment[]> =>
  tx.rows(sql`
    ${lockedFields}
    where c.organisation_id = ${organisationId} and c.id = any(${consignmentIds})
    order by c.id
    for no key update of c ${isSkippingLocked ? sql`skip locked` : empty}`)

/**
 * Locks a consignment that is about to change, itself or one of its records. Throws 404 if this actor cannot
 * see it, and 400 if it is Closed: a Closed consignment cannot change until it is reopened.
 */
export async function lockOpenConsignment(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await lockConsignment(tx, actor, consignmentId)
  requireOpen(consignment)
  return consignment
}

/** Throws 400 if a locked consignment is Closed. */
export function requireOpen({ status, consignmentNumber }: LockedConsignment): void {
  if (status === ConsignmentStatus.Closed)
    throw wrongStatus(`Consignment ${consignmentNumber} is Closed; it cannot change until it is reopened.`)
}
