// Which statuses a consignment may move to. Pure. Decision 4.

import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { inWords } from '../vocabulary/in-words.ts'

const {
  Void,
  Draft,
  Pending,
  ReadyToReceive,
  ReadyToPick,
  ReadyToDispatch,
  InProgress,
  InTransit,
  Complete,
  Closed,
} = ConsignmentStatus

const paths: Readonly<Record<ConsignmentType, readonly ConsignmentStatus[]>> = {
  [ConsignmentType.Inwards]: [Draft, Pending, ReadyToReceive, Complete],
  [ConsignmentType.Outwards]: [Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete],
  [ConsignmentType.PointToPoint]: [Draft, Pending, InProgress, Complete],
}

/** A status in words, such as `Ready to pick`. */
export const consignmentStatusName = (status: ConsignmentStatus): string => inWords(ConsignmentStatus, status)

/**
 * Why a consignment of this type cannot move from one status to another, as a sentence; null if it can.
 * Up to Complete, a consignment moves freely along the path of its type. Only a Complete consignment can be
 * Closed, and any status before Closed can become Void. Void is final, and only reopening leaves Closed.
 */
export function consignmentMoveRefusal(
  type: ConsignmentType,
  from: ConsignmentStatus,
  to: ConsignmentStatus,
): string | null {
  if (from === Closed) return 'The status of a Closed consignment cannot change until it is reopened.'
  if (from === Void) return 'The status of a Void consignment cannot change.'
  if (to === Void) return null
  if (to === Closed)
    return from === Complete
      ? null
      : `Only a Complete consignment can be Closed; this one is ${consignmentStatusName(from)}.`
  if (paths[type].includes(to)) return null
  const typeName = inWords(ConsignmentType, type)
  return `A consignment of the type ${typeName} cannot become ${consignmentStatusName(to)}.`
}

/**
 * Whether the goods of a consignment in this status have left the warehouse: InTransit, which may be skipped,
 * and all later statuses.
 */
export const isDispatched = (type: ConsignmentType, status: ConsignmentStatus): boolean =>
  type === ConsignmentType.Outwards && (status === InTransit || status === Complete || status === Closed)
