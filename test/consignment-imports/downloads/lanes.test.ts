import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLanes } from '../../../src/consignment-imports/downloads/lanes.ts'

/** Takes lanes for an organisation until it cannot get another one. */
function takeAll(lanes: ReturnType<typeof openLanes>, organisationId: string): (() => void)[] {
  const taken: (() => void)[] = []
  for (;;) {
    const release = lanes.acquire(organisationId)
    if (release === undefined) return taken
    taken.push(release)
  }
}

test('an organisation that wants all lanes gets half of them, and each next one half of the rest', () => {
  const lanes = openLanes(8)
  const counts = ['a', 'b', 'c', 'd', 'e'].map(organisationId => takeAll(lanes, organisationId).length)
  assert.deepEqual(counts, [4, 2, 1, 1, 0])
  assert.equal(lanes.hasFree(), false)
})

test('an organisation at its limit gets another lane after releasing one', () => {
  const lanes = openLanes(8)
  const [release] = takeAll(lanes, 'a')
  assert.deepEqual(lanes.organisationsAtLimit(), ['a'])
  release?.()
  assert.deepEqual(lanes.organisationsAtLimit(), [])
  assert.equal(takeAll(lanes, 'a').length, 1)
})

test('an organisation without lanes is not at its limit, and can get the last lane', () => {
  const lanes = openLanes(2)
  takeAll(lanes, 'a')
  assert.deepEqual([lanes.organisationsAtLimit(), lanes.hasFree()], [['a'], true])
  assert.equal(takeAll(lanes, 'b').length, 1)
})
