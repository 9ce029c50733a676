// Which consignments can be added to a wave pick. Pure. Spec 4.14; decision 8.

import { consignmentStatusName } from '../../consignments/consignment-status.ts'
import type { ErrorCode, Fault } from '../../platform/http/fault.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'

/** The facts about a consignment that decide whether it can be added. */
export interface WaveCandidate {
  id: string
  consignmentNumber: string
  clientId: string
  warehouseId: string | null
  type: ConsignmentType
  status: ConsignmentStatus
  /** the number of the open job that picks it; null for none */
  pickedBy: string | null
  /** whether it is in the job already, picked or not */
  isMember: boolean
}

const { Void, Closed, InTransit, Complete } = ConsignmentStatus
const endStatuses: readonly ConsignmentStatus[] = [Void, Closed, InTransit, Complete]

/** A fault of a consignment in the request, whose problem follows its number. */
export const candidateFault = (number: string, problem: string, code: ErrorCode): Fault => ({
  path: 'consignmentIds',
  code,
  message: `Consignment ${number} ${problem}.`,
})

/** The first reason why a consignment cannot be added to a job; undefined if it can. */
export function findAddingFault(
  job: { clientId: string; warehouseId: string },
  candidate: WaveCandidate,
): Fault | undefined {
  const { consignmentNumber, clientId, warehouseId, type, status, pickedBy, isMember } = candidate
  const fault = (problem: string, code: ErrorCode) => candidateFault(consignmentNumber, problem, code)
  if (clientId !== job.clientId)
    return fault('belongs to another client: add it to a job of that client', 'wrong_client')
  if (type !== ConsignmentType.Outwards)
    return fault('is not Outwards: only Outwards consignments are picked', 'invalid')
  if (warehouseId !== job.warehouseId)
    return fault('leaves from another warehouse: add it to a job of that warehouse', 'not_here')
  if (endStatuses.includes(status))
    return fault(`is ${consignmentStatusName(status)}: nothing of it is left to pick`, 'wrong_status')
  if (isMember) return fault('is in this job already: leave it out', 'duplicate')
  return pickedBy === null
    ? undefined
    : fault(`is in job ${pickedBy} already: remove it from that job first`, 'conflict')
}
