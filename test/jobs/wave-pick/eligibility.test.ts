import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddingFault, type WaveCandidate } from '../../../src/jobs/wave-pick/eligibility.ts'
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
const fault = (change: Partial<WaveCandidate>) => findAddingFault(job, { ...good, ...change })

test('an outwards consignment of the client and warehouse can be added in every status before dispatch', () => {
  const { Draft, Pending, ReadyToPick, ReadyToDispatch } = ConsignmentStatus
  for (const status of [Draft, Pending, ReadyToPick, ReadyToDispatch])
    assert.equal(fault({ status }), undefined)
})

test('each rule has its own message and code, and the first broken rule is reported', () => {
  const { Inwards, PointToPoint } = ConsignmentType
  const { Void, Closed, InTransit, Complete } = ConsignmentStatus
  const foreign = ['belongs to another client: add it to a job of that client', 'wrong_client']
  const notOutwards = ['is not Outwards: only Outwards consignments are picked', 'invalid']
  const nothingLeft = (name: string) => [`is ${name}: nothing of it is left to pick`, 'wrong_status']
  for (const [change, [problem, code]] of [
    [{ clientId: 'other' }, foreign],
    [
      { warehouseId: 'other' },
      ['leaves from another warehouse: add it to a job of that warehouse', 'not_here'],
    ],
    [{ type: Inwards }, notOutwards],
    [{ type: Inwards, status: Complete }, notOutwards],
    [{ type: PointToPoint, warehouseId: null }, notOutwards],
    [{ status: Void }, nothingLeft('Void')],
    [{ status: Closed }, nothingLeft('Closed')],
    [{ status: InTransit }, nothingLeft('In transit')],
    [{ status: Complete }, nothingLeft('Complete')],
    [{ pickedBy: 'WP-000007' }, ['is in job WP-000007 already: remove it from that job first', 'conflict']],
    [{ pickedBy: 'WP-000001', isMember: true }, ['is in this job already: leave it out', 'duplicate']],
    [{ status: Void, isMember: true }, nothingLeft('Void')],
    [{ clientId: 'other', warehouseId: 'other', type: Inwards, status: Void }, foreign],
  ] as const) {
    const message = `Consignment NWL-000001-OUT ${problem}.`
    assert.deepEqual(fault(change), { path: 'consignmentIds', code, message })
  }
})
