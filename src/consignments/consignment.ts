// What a consignment is: addresses, what its events say, and how it is locked before it changes. Spec 2.2,
// 2.3; open-points 2, 4, 6.

import type { NewEvent } from '../events/emit.ts'
import type { EventType } from '../events/event.ts'
import { empty, type Sql, sql, type Tx } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { notFound, verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, named, type Static, Type } from '../platform/http/schema.ts'
import { addressFields } from '../warehouses/address.ts'
import { ConsignmentStatus, type ConsignmentType } from './enumerations.ts'

/** An address, in requests and returns; every field may be left out or null. Spec 2.3. */
export const Address = named('Address', Type.Object(allOptional(addressFields)))
export type Address = Static<typeof Address>

/** The condition that a partner is the client or the carrier of `consignment c`. */
export const isOfPartner = (partnerId: Sql): Sql =>
  sql`(c.client_id = ${partnerId} or c.carrier_id = ${partnerId})`

/**
 * The consignments an actor may see, as a condition on `consignment c`: the organisation's, or those whose
 * client or carrier its partner is.
 */
export const visibleConsignments = (actor: Actor): Sql =>
  sql`c.organisation_id = ${actor.organisationId} ${
    actor.partnerId === null ? empty : sql`and ${isOfPartner(sql`${actor.partnerId}`)}`
  }`

/** The consignment whose list is read: what `readPage` takes as `of`. */
export const consignmentOf = (actor: Actor, consignmentId: string) => ({
  from: sql`consignment c where ${visibleConsignments(actor)} and c.id = ${consignmentId}`,
  noun: 'Consignment',
})

/**
 * An array of records of `consignment c`, in a select list: `fields` makes the JSON of one, `from` is their
 * tables with `r` as the record itself.
 */
export const collectionOf = (fields: Sql, from: Sql, order: Sql): Sql => sql`(
  select coalesce(jsonb_agg(jsonb_build_object(${fields}) order by ${order}), '[]')
  from ${from} where r.organisation_id = c.organisation_id and r.consignment_id = c.id)`

/** The fields of a consignment that its events tell. */
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

/** `data` of a consignment event. Open-points 6. */
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

/** One field of a record that changed, in the words of the API. */
export interface Change {
  field: string
  from: unknown
  to: unknown
}

/** An event about a consignment as it is now. `more` is added to what receivers are told. */
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

/** A consignment whose row this transaction holds, with what the verbs that change it need to know. */
export interface LockedConsignment extends ConsignmentFacts {
  warehouseId: string | null
  actualReceiveDateTime: string | null
  actualDispatchDateTime: string | null
  closedTransactionDate: string | null
  /** IANA time zone of its local times: the warehouse's, or the organisation's where there is no warehouse */
  timezoneId: string
  /** the wall clock there at this moment */
  localNow: string
}

const lockedFields = sql`
    select c.organisation_id, c.id, c.consignment_number, c.reference_number, c.client_id, c.carrier_id,
      c.type, c.status, c.warehouse_id,
      c.actual_receive_date_time, c.actual_dispatch_date_time, c.closed_transaction_date,
      coalesce(w.timezone_id, o.timezone_id) as timezone_id,
      (now() at time zone coalesce(w.timezone_id, o.timezone_id))::timestamp(0) as local_now
    from consignment c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id`

/** Locks a consignment until the transaction ends. 404 when there is none that this actor may see. */
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
 * The same for everything that changes the consignment or a record of it: nothing of a Closed consignment
 * changes until it is reopened (400).
 */
export async function lockOpenConsignment(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
): Promise<LockedConsignment> {
  const consignment = await lockConsignment(tx, actor, consignmentId)
  if (consignment.status === ConsignmentStatus.Closed) {
    throw verificationFailed(
      `Consignment ${consignment.consignmentNumber} is Closed; it cannot change until it is reopened.`,
    )
  }
  return consignment
}
