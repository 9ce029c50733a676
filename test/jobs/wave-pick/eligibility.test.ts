import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOfCandidate, type WaveCandidate } from '../../../src/jobs/wave-pick/eligibility.ts'
import { ConsignmentStatus, ConsignmentType } from '../../../src/vocabulary/consignments.ts'

const job = { clientId: 'client', warehouseId: 'warehouse' }
const good: WaveCandidate = {
  id: 'id',
  consignmentNumber: 'NWL-000001-OUT',
  clientId: 'client',
  warehouseId: 'warehouse',
  type: ConsignmentType.Outwards,
  status: ConsignmentStatus.Pending,
  pickedBy: null,
  isMember: false,
}
const fault = (change: Partial<WaveCandidate>) => faultOfCandidate(job, { ...good, ...change })

test('an outwards consignment of the client and warehouse can be added in every status before dispatch', () => {
  const { Draft, Pending, ReadyToPick, ReadyToDispatch } = ConsignmentStatus
  for (const status of [Draft, Pending, ReadyToPick, ReadyToDispatch])
    assert.equal(fault({ status }), undefined)
})

test('each rule has its own message, and the first broken rule is reported', () => {
  const { Inwards, PointToPoint } = ConsignmentType
  const { Void, Closed, InTransit, Complete } = ConsignmentStatus
  for (const [change, expected] of [
    [{ clientId: 'other' }, "is not of the job's client"],
    [{ warehouseId: 'other' }, "does not leave from the job's warehouse"],
    [{ type: Inwards }, 'is not Outwards'],
    [{ type: Inwards, status: Complete }, 'is not Outwards'],
    [{ type: PointToPoint, warehouseId: null }, 'is not Outwards'],
    [{ status: Void }, 'is Void'],
    [{ status: Closed }, 'is Closed'],
    [{ status: InTransit }, 'is already dispatched (InTransit)'],
    [{ status: Complete }, 'is already dispatched (Complete)'],
    [{ pickedBy: 'WP-000007' }, 'is already in job WP-000007: remove it there first'],
    [{ pickedBy: 'WP-000001', isMember: true }, 'is already in this job'],
    [{ status: Void, isMember: true }, 'is Void'],
    [{ clientId: 'other', warehouseId: 'other', type: Inwards, status: Void }, "is not of the job's client"],
  ] as const) {
    assert.equal(fault(change), expected)
  }
})
