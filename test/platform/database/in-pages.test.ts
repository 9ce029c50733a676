import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPages } from '../../../src/platform/database/in-pages.ts'

/** Reads pages of three of so many numbers, and notes behind which it was asked to read. */
function numbers(count: number) {
  const asked: (number | undefined)[] = []
  const read = async (after: number | undefined) => {
    asked.push(after)
    return Array.from({ length: count }, (_, n) => n)
      .filter(n => n > (after ?? -1))
      .slice(0, 3)
  }
  return { asked, read }
}

test('every row stands on one page, and none is empty', async () => {
  for (const [count, pages] of [
    [0, []],
    [2, [[0, 1]]],
    [3, [[0, 1, 2]]],
    [4, [[0, 1, 2], [3]]],
  ] as const)
    assert.deepEqual(await Array.fromAsync(inPages(3, numbers(count).read)), pages)
})

test('the next page is read while one is looked at, and no more', async () => {
  const { asked, read } = numbers(20)
  for await (const page of inPages(3, read)) {
    assert.equal(asked.length, page[0] === 18 ? 7 : (page[0] as number) / 3 + 2)
  }
  assert.deepEqual(asked, [undefined, 2, 5, 8, 11, 14, 17])
})

test('who stops looking is not troubled by a page that cannot be read', async () => {
  const read = async (after: number | undefined) => {
    if (after !== undefined) throw new Error('away')
    return [1, 2, 3]
  }
  for await (const page of inPages(3, read)) {
    assert.deepEqual(page, [1, 2, 3])
    break
  }
  await assert.rejects(Array.fromAsync(inPages(3, read)), /away/)
})
