// The statuses of consignments: their colour by who must act, the path of each type, and the next step. The
// rules of what may follow what are the service's own.

import { ConsignmentStatus, ConsignmentType } from '../../client/src/waybill.ts'
import { consignmentMoveRefusal } from '../../src/consignments/consignment-status.ts'
import type { Tone } from '../../ui/tone.ts'

type Status = (typeof ConsignmentStatus)[keyof typeof ConsignmentStatus]
type Type = (typeof ConsignmentType)[keyof typeof ConsignmentType]

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

/** All statuses in the order in which people think of them, whatever their numbers are. */
export const statusesInOrder: readonly Status[] = [
  ...[Draft, Pending, ReadyToReceive, ReadyToPick, ReadyToDispatch],
  ...[InProgress, InTransit, Complete, Closed, Void],
]

const tones: Readonly<Record<Status, Tone>> = {
  [Void]: 'waits',
  [Draft]: 'waits',
  [Pending]: 'waits',
  [ReadyToReceive]: 'warehouse',
  [ReadyToPick]: 'warehouse',
  [ReadyToDispatch]: 'dock',
  [InProgress]: 'moving',
  [InTransit]: 'moving',
  [Complete]: 'done',
  [Closed]: 'done',
}

/** The colour of a status. */
export const toneOf = (status: number): Tone => tones[status as Status] ?? 'waits'

/** Whether nothing goes on from a status by itself. */
export const isAtRest = (status: number): boolean => status === Draft || status === Void || status === Closed

const paths: Readonly<Record<Type, readonly Status[]>> = {
  [ConsignmentType.Inwards]: [Draft, Pending, ReadyToReceive, Complete, Closed],
  [ConsignmentType.Outwards]: [Draft, Pending, ReadyToPick, ReadyToDispatch, InTransit, Complete, Closed],
  [ConsignmentType.PointToPoint]: [Draft, Pending, InProgress, Complete, Closed],
}

/** The statuses of a type in their order; a Draft is a step only for what is one. */
export const pathOf = (type: number, status: number): readonly Status[] =>
  (paths[type as Type] ?? []).filter(step => step !== Draft || status === Draft)

/** The status that a consignment goes on to; undefined at the end. */
export function nextStatus(type: number, status: number): Status | undefined {
  const path = paths[type as Type] ?? []
  const at = path.indexOf(status as Status)
  return at < 0 ? undefined : path[at + 1]
}

/** The statuses that a consignment may be moved to, each with the reason if it may not. */
export const movesOf = (type: number, status: number): readonly { to: Status; refusal: string | null }[] =>
  (paths[type as Type] ?? [])
    .filter(to => to !== status && to !== Closed)
    .map(to => ({ to, refusal: consignmentMoveRefusal(type as Type, status as Status, to) }))
