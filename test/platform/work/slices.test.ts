// Long work on the main thread lets other work run in between.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapInSlices } from '../../../src/platform/work/slices.ts'

test('other work runs between slow items, and the results are in order', async () => {
  let turns = 0
  const other = setInterval(() => turns++, 1)
  const made = await mapInSlices([1, 2, 3, 4, 5, 6], item => {
    const end = performance.now() + 6
    while (performance.now() < end);
    return item * 10
  })
  clearInterval(other)
  assert.deepEqual(made, [10, 20, 30, 40, 50, 60])
  assert.ok(turns >= 3, `others had ${turns} turns`)
})

test('an error in an item ends the work', async () => {
  const failing = (item: number) => {
    if (item === 2) throw new Error('Two.')
    return item
  }
  await assert.rejects(mapInSlices([1, 2, 3], failing), /Two/)
})
