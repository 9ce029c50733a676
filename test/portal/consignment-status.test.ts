// What the portal offers as the next status of a consignment, against the rules of the service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus, ConsignmentType } from '../../client/src/waybill.ts'
import { movesOf, nextStatus, pathOf } from '../../portal/src/consignment-status.ts'
import { consignmentMoveRefusal } from '../../src/consignments/consignment-status.ts'

const types = Object.values(ConsignmentType)
const statuses = Object.values(ConsignmentStatus)

test('the next status is one that the service allows', () => {
  for (const type of types) {
    for (const status of statuses) {
      const next = nextStatus(type, status)
      if (next !== undefined)
        assert.equal(consignmentMoveRefusal(type, status, next), null, `${type} ${status}`)
    }
  }
})

test('a move is offered exactly if the service allows it, else it has the reason', () => {
  for (const type of types)
    for (const status of statuses)
      for (const { to, refusal } of movesOf(type, status))
        assert.equal(refusal, consignmentMoveRefusal(type, status, to))
})

test('a Draft is a step only of what is one', () => {
  for (const type of types) {
    assert.ok(pathOf(type, ConsignmentStatus.Draft).includes(ConsignmentStatus.Draft))
    assert.ok(!pathOf(type, ConsignmentStatus.Pending).includes(ConsignmentStatus.Draft))
  }
})
