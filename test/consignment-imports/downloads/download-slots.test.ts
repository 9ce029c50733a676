import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDownloadSlots } from '../../../src/consignment-imports/downloads/download-slots.ts'

/** Takes slots for an organisation until it cannot get another one. */
function takeAll(slots: ReturnType<typeof createDownloadSlots>, organisationId: string): (() => void)[] {
  const taken: (() => void)[] = []
  for (;;) {
    const release = slots.acquire(organisationId)
    if (release === undefined) return taken
    taken.push(release)
  }
}

test('an organisation that wants all slots gets half of them, and each next one half of the rest', () => {
  const slots = createDownloadSlots(8)
  const counts = ['a', 'b', 'c', 'd', 'e'].map(organisationId => takeAll(slots, organisationId).length)
  assert.deepEqual(counts, [4, 2, 1, 1, 0])
  assert.equal(slots.hasFree(), false)
})

test('an organisation at its limit gets another slot after releasing one', () => {
  const slots = createDownloadSlots(8)
  const [release] = takeAll(slots, 'a')
  assert.deepEqual(slots.organisationsAtLimit(), ['a'])
  release?.()
  assert.deepEqual(slots.organisationsAtLimit(), [])
  assert.equal(takeAll(slots, 'a').length, 1)
})

test('an organisation without slots is not at its limit, and can get the last slot', () => {
  const slots = createDownloadSlots(2)
  takeAll(slots, 'a')
  assert.deepEqual([slots.organisationsAtLimit(), slots.hasFree()], [['a'], true])
  assert.equal(takeAll(slots, 'b').length, 1)
})
