// Shared by the documents of a consignment: the statement that reads it, and common blocks such as addresses
// and references. Spec 2.2, 2.3.

import type { Actor } from '../../../access/actor.ts'
import { visibleConsignments } from '../../../consignments/consignment.ts'
import type { ConsignmentDetail } from '../../../consignments/detail/consignment-detail.ts'
import { type Db, empty, type Sql, sql } from '../../../platform/database/db.ts'
import { notFound, verificationFailed } from '../../../platform/http/refusal.ts'
import type { Static } from '../../../platform/http/schema.ts'
import { ConsignmentStatus, type ConsignmentType } from '../../../vocabulary/consignments.ts'
import { addressLines } from '../addresses.ts'
import { dateTimeOf, figureOf } from '../format.ts'
import { headColumn } from '../head.ts'
import type { Block, Fact, Head } from '../paper.ts'
import { words } from '../words.ts'

/** A consignment as its detail endpoint returns it. */
export type Detail = Static<typeof ConsignmentDetail>

/** A consignment with the head of its documents. */
export interface ConsignmentPaper {
  consignment: Detail
  head: Head
}

// A consignment without a warehouse uses the time zone of the organisation.
const timezone = 'coalesce(w.timezone_id, o.timezone_id)'

/**
 * Reads a consignment with `more` columns and joined `tables`. They can refer to the consignment `c`
 * (organisation_id, id, detail), its warehouse `w` and the organisation `o`. It is one statement, so that all
 * data are of the same moment. Refuses (404) a consignment that the actor may not see.
 */
export async function readConsignment<More extends object>(
  db: Db,
  actor: Actor,
  consignmentId: string,
  more: Sql = empty,
  tables: Sql = empty,
): Promise<ConsignmentPaper & More> {
  const found = await db.maybe<ConsignmentPaper & More>(sql`
    select c.detail as consignment, ${headColumn(actor, 'c.client_id', timezone)}
      ${more === empty ? empty : sql`, ${more}`}
    from consignment_detail(${actor.organisationId}, ${consignmentId}, ${actor.connectionId},
      ${actor.partnerId}) c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id
      and w.id = (c.detail ->> 'warehouseId')::uuid
    ${tables}
    where ${visibleConsignments(actor)}`)
  if (found === undefined) throw notFound('Consignment')
  return found
}

/** Refuses (400) a Void consignment, which has no document but its detail, and one of another type. */
export function requirePaper(
  { consignmentNumber, status, type }: Detail,
  wanted?: (typeof ConsignmentType)[keyof typeof ConsignmentType],
): void {
  if (status === ConsignmentStatus.Void)
    throw verificationFailed(`Consignment ${consignmentNumber} is Void; it has no paper but its detail.`)
  if (wanted !== undefined && type !== wanted)
    throw verificationFailed(`Consignment ${consignmentNumber} is not ${words.types[wanted]}.`)
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
export const referenceFacts = (c: Detail): Fact[] => [
  [words.facts.reference, c.referenceNumber],
  [words.facts.poNumber, c.poNumber],
  [words.facts.soNumber, c.soNumber],
  [words.facts.sendersReference, c.sendersReference],
  [words.facts.receiversReference, c.receiversReference],
  [words.facts.externalId, c.externalId],
]

/** The carrier, service, container and voyage. */
export const shippingFacts = (c: Detail): Fact[] => [
  [words.facts.carrier, c.carrier?.name],
  [words.facts.carrierReference, c.carrierReference],
  [words.facts.carrierRun, runOf(c)],
  [words.facts.serviceTypes, c.serviceTypes.map(({ name }) => name).join(', ')],
  [words.facts.authorityToLeave, c.destinationAuthorityToLeave ? words.yes : null],
  [words.facts.container, c.containerNumber],
  [words.facts.containerKind, containerKind(c)],
  [words.facts.seal, c.containerSealNumber],
  [words.facts.tare, kilograms(c.containerTareWeightKG)],
  [words.facts.gross, kilograms(c.containerGrossWeightKG)],
  [words.facts.vessel, c.containerVesselName],
  [words.facts.voyage, c.containerVoyage],
  [words.facts.loadPort, c.loadShippingPortCode],
  [words.facts.dischargePort, c.dischargeShippingPortCode],
  [words.facts.yard, [c.containerYardCode, c.containerYardReference].filter(Boolean).join(' ')],
  [words.facts.trackingNumbers, trackingNumbers(c)],
]

/** The run of the carrier, with the position in it. */
const runOf = ({ carrierRunNumber, carrierRunOrdinal }: Detail) =>
  [carrierRunNumber, carrierRunOrdinal === null ? null : `#${carrierRunOrdinal}`].filter(Boolean).join(' ')

/** Returns the size and type of a container in words. */
export const containerKind = ({ containerSize, containerType }: Detail): string =>
  [
    containerSize === null ? null : words.containerSizes[containerSize],
    containerType === null ? null : words.containerTypes[containerType],
  ]
    .filter(Boolean)
    .join(' ')

/** Returns the carriers' tracking numbers, separated by commas. */
export const trackingNumbers = ({ consignmentTracking }: Detail): string =>
  consignmentTracking.flatMap(({ trackingNumber }) => (trackingNumber ? [trackingNumber] : [])).join(', ')

/** Formats a mass in kilograms; null without one. */
export const kilograms = (value: number | null): string | null =>
  value === null ? null : `${figureOf(value)} kg`

/** The expected and actual times. */
export const timeFacts = (c: Detail): Fact[] => [
  [words.facts.entered, dateTimeOf(c.dateEntered)],
  [words.facts.expectedArrival, dateTimeOf(c.expectedArrivalDateTime)],
  [words.facts.expectedDispatch, dateTimeOf(c.expectedDispatchDateTime)],
  [words.facts.expectedDelivery, dateTimeOf(c.expectedDeliveryDateTime)],
  [words.facts.received, dateTimeOf(c.actualReceiveDateTime)],
  [words.facts.dispatched, dateTimeOf(c.actualDispatchDateTime)],
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
