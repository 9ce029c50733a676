// Shared by the documents of a consignment: the statement that reads it, and common blocks such as addresses
// and references. Spec 2.2, 2.3.

import type { Actor } from '../../../access/actor.ts'
import { visibleConsignments } from '../../../consignments/consignment.ts'
import type { ConsignmentDetail } from '../../../consignments/detail/consignment-detail.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../../platform/http/refusal.ts'
import type { Static } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, type ConsignmentType } from '../../../vocabulary/consignments.ts'
import { movedUtc } from '../../former-records.ts'
import { addressLines } from '../addresses.ts'
import type { Block, Field, PageHeader } from '../document-content.ts'
import { formatDateTime, formatFigure } from '../format.ts'
import { headerColumn } from '../page-header.ts'
import { words } from '../words.ts'

/** A consignment as its detail endpoint returns it. */
export type Detail = Static<typeof ConsignmentDetail>

/** A consignment with the header of its documents. */
export interface ConsignmentDocument {
  consignment: Detail
  header: PageHeader
}

// A consignment without a warehouse uses the time zone of the organisation.
const timezone = 'coalesce(w.timezone_id, o.timezone_id)'

const moved = sql`cross join lateral (
  select ${movedUtc({
    organisationId: sql`c.organisation_id`,
    id: sql`c.id`,
    type: sql`(c.detail ->> 'type')::integer`,
    status: sql`(c.detail ->> 'status')::integer`,
    dispatchedUtc: sql`(c.detail ->> 'actualDispatchDateTime')::timestamp
      at time zone coalesce(w.timezone_id, o.timezone_id)`,
  })} as utc
) moved`

/**
 * The records that consignment `c` names and that have changed since `moved.utc`: their fields of then, by
 * id.
 */
const formerRecords = sql`(
  select coalesce(json_object_agg(f.record_id, f.fields), '{}')
  from (
    select distinct on (f.record_id) f.record_id, f.fields
    from (
      select c.client_id as id union select c.carrier_id union select w.id
      union select r.product_id from consignment_product r
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      union select r.service_type_id from consignment_service_type r
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      union select r.task_type_id from consignment_task r
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      union select r.consumable_type_id from consignment_consumable r
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
    ) record
    join former_record f on f.organisation_id = c.organisation_id and f.record_id = record.id
    where f.ended_utc > moved.utc
    order by f.record_id, f.ended_utc
  ) f
) as former_records`

/** The names and codes of changed records, by id. */
type FormerRecords = Readonly<Record<string, { name?: string; code?: string }>>

/** Gives a consignment the names that its client, carrier, warehouse, products and types had. */
function withFormerNames(c: Detail, former: FormerRecords): Detail {
  const rename = <R extends { id: string }>(record: R): R => {
    const { name, code } = former[record.id] ?? {}
    return { ...record, ...(name === undefined ? {} : { name }), ...(code === undefined ? {} : { code }) }
  }
  const nameOf = (id: string | null, name: string): string => former[id ?? '']?.name ?? name
  return {
    ...c,
    client: rename(c.client),
    carrier: c.carrier && rename(c.carrier),
    warehouseName: c.warehouseName && nameOf(c.warehouseId, c.warehouseName),
    products: c.products.map(line => ({ ...line, product: line.product && rename(line.product) })),
    serviceTypes: c.serviceTypes.map(rename),
    tasks: c.tasks.map(task => ({ ...task, taskTypeName: nameOf(task.taskTypeId, task.taskTypeName) })),
    consumables: c.consumables.map(consumable => ({
      ...consumable,
      consumableTypeName: nameOf(consumable.consumableTypeId, consumable.consumableTypeName),
    })),
  }
}

/**
 * Reads a consignment with `more` columns. They can refer to the consignment `c` (organisation_id, id,
 * detail), its warehouse `w`, the organisation `o`, and `moved.utc`, when its goods came or left: from then
 * on, its documents tell the names of then. It is one statement, so that all data are of the same moment.
 * Refuses (404) a consignment that the actor may not see.
 */
export async function readConsignment<More extends object>(
  db: Db,
  actor: Actor,
  consignmentId: string,
  more: Sql = empty,
): Promise<ConsignmentDocument & More> {
  const row = await db.maybe<ConsignmentDocument & More & { formerRecords: FormerRecords }>(sql`
    select c.detail as consignment, ${headerColumn(actor, 'c.client_id', timezone)}, ${formerRecords}
      ${more === empty ? empty : sql`, ${more}`}
    from consignment_detail(${actor.organisationId}, ${consignmentId}, ${actor.connectionId},
      ${actor.partnerId}) c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id
      and w.id = (c.detail ->> 'warehouseId')::uuid
    ${moved}
    where ${visibleConsignments(actor)}`)
  if (row === undefined) throw notFound('Consignment')
  const { consignment, header, formerRecords: former } = row
  const clientName = former[consignment.clientId]?.name ?? header.clientName
  return {
    ...row,
    consignment: withFormerNames(consignment, former),
    header: { ...header, clientName },
  }
}

/** Refuses (400) a Void consignment, whose only document is its detail, and one of another type. */
export function refuseVoidAndOtherTypes(
  { consignmentNumber, status, type }: Detail,
  requiredType?: (typeof ConsignmentType)[keyof typeof ConsignmentType],
): void {
  if (status === ConsignmentStatus.Void)
    throw verificationFailed(`Consignment ${consignmentNumber} is Void; its detail is its only document.`)
  if (requiredType !== undefined && type !== requiredType)
    throw verificationFailed(`Consignment ${consignmentNumber} is not ${words.types[requiredType]}.`)
}

/** The block with the origin and destination addresses. */
export function addressesBlock({
  originAddress,
  originAddressAttention,
  destinationAddress,
  destinationAddressAttention,
}: Detail): Block {
  const parties = [
    { label: words.from, lines: addressLines(originAddress, originAddressAttention) },
    { label: words.to, lines: addressLines(destinationAddress, destinationAddressAttention) },
  ]
  return { kind: 'parties', parties: parties.filter(({ lines }) => lines.length > 0) }
}

/** The references by which people know a consignment. */
export const referenceFields = (c: Detail): Field[] => [
  [words.fields.reference, c.referenceNumber],
  [words.fields.poNumber, c.poNumber],
  [words.fields.soNumber, c.soNumber],
  [words.fields.sendersReference, c.sendersReference],
  [words.fields.receiversReference, c.receiversReference],
  [words.fields.externalId, c.externalId],
]

/** The carrier, service, container and voyage. */
export const shippingFields = (c: Detail): Field[] => [
  [words.fields.carrier, c.carrier?.name],
  [words.fields.carrierReference, c.carrierReference],
  [words.fields.carrierRun, describeRun(c)],
  [words.fields.serviceTypes, c.serviceTypes.map(({ name }) => name).join(', ')],
  [words.fields.authorityToLeave, c.destinationAuthorityToLeave ? words.yes : null],
  [words.fields.container, c.containerNumber],
  [words.fields.containerKind, describeContainer(c)],
  [words.fields.seal, c.containerSealNumber],
  [words.fields.tare, formatKilograms(c.containerTareWeightKG)],
  [words.fields.gross, formatKilograms(c.containerGrossWeightKG)],
  [words.fields.vessel, c.containerVesselName],
  [words.fields.voyage, c.containerVoyage],
  [words.fields.loadPort, c.loadShippingPortCode],
  [words.fields.dischargePort, c.dischargeShippingPortCode],
  [words.fields.yard, [c.containerYardCode, c.containerYardReference].filter(Boolean).join(' ')],
  [words.fields.trackingNumbers, joinTrackingNumbers(c)],
]

/** The run of the carrier, with the position in it. */
const describeRun = ({ carrierRunNumber, carrierRunOrdinal }: Detail) =>
  [carrierRunNumber, carrierRunOrdinal === null ? null : `#${carrierRunOrdinal}`].filter(Boolean).join(' ')

/** Returns the size and type of a container in words. */
export const describeContainer = ({ containerSize, containerType }: Detail): string =>
  [
    containerSize === null ? null : words.containerSizes[containerSize],
    containerType === null ? null : words.containerTypes[containerType],
  ]
    .filter(Boolean)
    .join(' ')

/** Returns the carriers' tracking numbers, separated by commas. */
export const joinTrackingNumbers = ({ consignmentTracking }: Detail): string =>
  consignmentTracking.flatMap(({ trackingNumber }) => (trackingNumber ? [trackingNumber] : [])).join(', ')

/** Formats a mass in kilograms; null without one. */
export const formatKilograms = (value: number | null): string | null =>
  value === null ? null : `${formatFigure(value)} kg`

/** The expected and actual times. */
export const timeFields = (c: Detail): Field[] => [
  [words.fields.entered, formatDateTime(c.dateEntered)],
  [words.fields.expectedArrival, formatDateTime(c.expectedArrivalDateTime)],
  [words.fields.expectedDispatch, formatDateTime(c.expectedDispatchDateTime)],
  [words.fields.expectedDelivery, formatDateTime(c.expectedDeliveryDateTime)],
  [words.fields.received, formatDateTime(c.actualReceiveDateTime)],
  [words.fields.dispatched, formatDateTime(c.actualDispatchDateTime)],
]

/** The block with the address that goods are delivered to. */
export const deliveryBlock = ({ destinationAddress, destinationAddressAttention }: Detail): Block => {
  const lines = addressLines(destinationAddress, destinationAddressAttention)
  return { kind: 'parties', parties: lines.length > 0 ? [{ label: words.parties.deliverTo, lines }] : [] }
}

/** The block with the notes marked for printing. */
export const notesBlock = ({ notes }: Detail): Block => ({
  kind: 'text',
  label: words.instructions.notes,
  texts: notes.filter(({ displayOnPrintOut }) => displayOnPrintOut).map(({ note }) => note),
})

/** A block of instructions; it stays out of the document if there is no text. */
export const instructionsBlock = (label: string, text: string | null): Block => ({
  kind: 'text',
  label,
  texts: text ? [text] : [],
})
