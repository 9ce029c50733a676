// Which consignments a wave pick can take. Pure. Spec 4.14; open-points 8.

import { ConsignmentStatus, ConsignmentType } from '../consignments/consignment.ts'

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

/** Everything that keeps a consignment out of a job, as sentences that name it; none where the job can take it. */
export function faultsOfCandidate(job: { jobNumber: string; clientId: string; warehouseId: string }, candidate: Candidate): string[] {
  const { clientId, warehouseId, type, status, pickedBy, isMember } = candidate
  // Only what is dispatched can be Complete here; of other types the type is the fault.
  const statusFault = type === ConsignmentType.Outwards || status === Void || status === Closed ? statusFaults[status] : undefined
  const faults: (string | false | undefined)[] = [
    clientId !== job.clientId && `is not of the job's client`,
    type !== ConsignmentType.Outwards && 'is not Outwards',
    type === ConsignmentType.Outwards && warehouseId !== job.warehouseId && `does not leave from the job's warehouse`,
    statusFault,
    isMember && 'is in this job already',
    !isMember && pickedBy !== null && `is in job ${pickedBy} already`,
  ]
  return faults.filter(fault => typeof fault === 'string').map(fault => `Consignment ${candidate.consignmentNumber} ${fault}.`)
}
