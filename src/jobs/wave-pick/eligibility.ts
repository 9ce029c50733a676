// Which consignments can be added to a wave pick. Pure. Spec 4.14; decision 8.

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

const statusFaults: Partial<Record<ConsignmentStatus, string>> = {
  [Void]: 'is Void',
  [Closed]: 'is Closed',
  [InTransit]: 'is already dispatched (InTransit)',
  [Complete]: 'is already dispatched (Complete)',
}

/**
 * The first reason why a consignment cannot be added to a job, in words that follow its number. Undefined if
 * it can be added.
 */
export function faultOfCandidate(
  job: { clientId: string; warehouseId: string },
  candidate: WaveCandidate,
): string | undefined {
  const { clientId, warehouseId, type, status, pickedBy, isMember } = candidate
  if (clientId !== job.clientId) return "is not of the job's client"
  if (type !== ConsignmentType.Outwards) return 'is not Outwards'
  if (warehouseId !== job.warehouseId) return "does not leave from the job's warehouse"
  const statusFault = statusFaults[status]
  if (statusFault !== undefined) return statusFault
  if (isMember) return 'is already in this job'
  return pickedBy === null ? undefined : `is already in job ${pickedBy}: remove it there first`
}
