import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from '../../src/platform/recent-map.ts'

test('the most recently used keys are kept, and never more than twice the size', () => {
  const map = new RecentMap<number>(100)
  for (let i = 0; i < 10_000; i++) {
    map.set(`key ${i}`, i)
    assert.ok(map.size <= 200)
  }
  for (let i = 9_900; i < 10_000; i++) assert.equal(map.get(`key ${i}`), i)
  assert.equal(map.get('key 0'), undefined)
})

test('a key in use outlives any number of others', () => {
  const map = new RecentMap<string>(10)
  map.set('kept', 'here')
  for (let i = 0; i < 1_000; i++) {
    map.set(`passing ${i}`, 'by')
    assert.equal(map.get('kept'), 'here')
  }
})

test('a key is replaced, deleted and cleared in either generation', () => {
  const map = new RecentMap<number>(2)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  map.set('a', 2)
  assert.equal(map.get('a'), 2)
  map.delete('b')
  map.delete('a')
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [undefined, undefined, 1, 1])
  map.clear()
  assert.equal(map.size, 0)
})
