// Which consignments a wave pick can take. Pure. Spec 4.14; open-points 8.

import { ConsignmentStatus, ConsignmentType } from '../../consignments/enumerations.ts'

/** A consignment as far as a wave pick looks at it. */
export interface Candidate {
  id: string
  consignmentNumber: string
  clientId: string
  warehouseId: string | null
  type: ConsignmentType
  status: ConsignmentStatus
  /** number of the open job that picks it, null for none */
  pickedBy: string | null
  /** it is in this very job, picked or not */
  isMember: boolean
}

const { Void, Closed, InTransit, Complete } = ConsignmentStatus

const statusFaults: Partial<Record<ConsignmentStatus, string>> = {
  [Void]: 'is Void',
  [Closed]: 'is Closed',
  [InTransit]: 'is dispatched already (InTransit)',
  [Complete]: 'is dispatched already (Complete)',
}

/**
 * What keeps a consignment out of a job, in words that follow its number: the first reason, none where the
 * job can take it.
 */
export function faultOfCandidate(
  job: { clientId: string; warehouseId: string },
  candidate: Candidate,
): string | undefined {
  const { clientId, warehouseId, type, status, pickedBy, isMember } = candidate
  if (clientId !== job.clientId) return "is not of the job's client"
  if (type !== ConsignmentType.Outwards) return 'is not Outwards'
  if (warehouseId !== job.warehouseId) return "does not leave from the job's warehouse"
  const statusFault = statusFaults[status]
  if (statusFault !== undefined) return statusFault
  if (isMember) return 'is in this job already'
  return pickedBy === null ? undefined : `is in job ${pickedBy} already`
}
