import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedSlots } from '../../../src/platform/work/shared-slots.ts'

/** Takes slots for an owner until it has its fair share, and returns how many. */
function takeAll(slots: SharedSlots, owner: string): number {
  for (let count = 0; ; count++) {
    if (slots.hasFairShare(owner)) return count
    slots.take(owner)
  }
}

test('an organisation that wants all slots gets half of them, and each next one half of the rest', () => {
  const slots = new SharedSlots(8)
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'e'].map(owner => takeAll(slots, owner)),
    [4, 2, 1, 1, 0],
  )
  assert.equal(slots.free, 0)
})

test('an organisation with its fair share gets another slot after releasing one', () => {
  const slots = new SharedSlots(8)
  takeAll(slots, 'a')
  assert.deepEqual(slots.ownersWithFairShare(), ['a'])
  slots.release('a')
  assert.deepEqual(slots.ownersWithFairShare(), [])
  assert.equal(takeAll(slots, 'a'), 1)
})

test('an organisation without slots can get the last one', () => {
  const slots = new SharedSlots(2)
  takeAll(slots, 'a')
  assert.deepEqual([slots.ownersWithFairShare(), slots.free], [['a'], 1])
  assert.equal(takeAll(slots, 'b'), 1)
  slots.release('b')
  assert.deepEqual([slots.heldBy('a'), slots.heldBy('b')], [1, 0])
})
