import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consignmentMoveRefusal, isDispatched } from '../../src/consignments/consignment-status.ts'
import { ConsignmentStatus, ConsignmentType } from '../../src/vocabulary/consignments.ts'

const names = Object.keys(ConsignmentStatus) as (keyof typeof ConsignmentStatus)[]

// For every type and status, the other statuses to which it may move.
const allowed: Record<
  keyof typeof ConsignmentType,
  Partial<Record<keyof typeof ConsignmentStatus, string>>
> = {
  Inwards: {
    Draft: 'Pending ReadyToReceive Complete Void',
    Pending: 'Draft ReadyToReceive Complete Void',
    ReadyToReceive: 'Draft Pending Complete Void',
    Complete: 'Draft Pending ReadyToReceive Closed Void',
  },
  Outwards: {
    Draft: 'Pending ReadyToPick ReadyToDispatch InTransit Complete Void',
    Pending: 'Draft ReadyToPick ReadyToDispatch InTransit Complete Void',
    ReadyToPick: 'Draft Pending ReadyToDispatch InTransit Complete Void',
    ReadyToDispatch: 'Draft Pending ReadyToPick InTransit Complete Void',
    InTransit: 'Draft Pending ReadyToPick ReadyToDispatch Complete Void',
    Complete: 'Draft Pending ReadyToPick ReadyToDispatch InTransit Closed Void',
  },
  PointToPoint: {
    Draft: 'Pending InProgress Complete Void',
    Pending: 'Draft InProgress Complete Void',
    InProgress: 'Draft Pending Complete Void',
    Complete: 'Draft Pending InProgress Closed Void',
  },
}

test('every type permits exactly the moves of its path', () => {
  for (const [type, moves] of Object.entries(allowed) as [
    keyof typeof ConsignmentType,
    Record<string, string>,
  ][]) {
    const path = Object.keys(moves)
    for (const from of [...path, 'Closed', 'Void'] as typeof names) {
      const may = names.filter(
        to =>
          to !== from &&
          consignmentMoveRefusal(ConsignmentType[type], ConsignmentStatus[from], ConsignmentStatus[to]) ===
            null,
      )
      assert.deepEqual(
        may.toSorted(),
        (moves[from] ?? '').split(' ').filter(Boolean).toSorted(),
        `${type} from ${from}`,
      )
    }
  }
})

test('a refusal gives the reason', () => {
  const { Inwards } = ConsignmentType
  const { Pending, Closed, Void, InTransit } = ConsignmentStatus
  assert.equal(
    consignmentMoveRefusal(Inwards, Pending, InTransit),
    'A consignment of the type Inwards cannot become In transit.',
  )
  assert.equal(
    consignmentMoveRefusal(Inwards, Pending, Closed),
    'Only a Complete consignment can be Closed; this one is Pending.',
  )
  assert.equal(
    consignmentMoveRefusal(Inwards, Closed, Void),
    'The status of a Closed consignment cannot change until it is reopened.',
  )
  assert.equal(
    consignmentMoveRefusal(Inwards, Void, Pending),
    'The status of a Void consignment cannot change.',
  )
})

test('only outwards consignments are dispatched, from InTransit on', () => {
  const left = (type: keyof typeof ConsignmentType) =>
    names.filter(name => isDispatched(ConsignmentType[type], ConsignmentStatus[name]))
  assert.deepEqual(left('Outwards').toSorted(), ['Closed', 'Complete', 'InTransit'])
  assert.deepEqual([left('Inwards'), left('PointToPoint')], [[], []])
})
