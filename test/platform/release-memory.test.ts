// Memory that is returned before the garbage collector would.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { releaseMemory } from '../../src/platform/release-memory.ts'

test('bytes that have a buffer of their own are gone once they are released', () => {
  const bytes = Buffer.alloc(1_048_576, 'x')
  releaseMemory(bytes)
  assert.equal(bytes.length, 0)
  assert.equal((bytes.buffer as ArrayBuffer).detached, true)
})

test('bytes that share their buffer with others stay', () => {
  const [first, second] = [Buffer.alloc(64, 'x').subarray(0, 32), Buffer.from('small ones share a buffer')]
  releaseMemory(first)
  releaseMemory(second)
  assert.equal(first.toString(), 'x'.repeat(32))
  assert.equal(second.toString(), 'small ones share a buffer')
})
