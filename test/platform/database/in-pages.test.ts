import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPages } from '../../../src/platform/database/in-pages.ts'

/** Reads `count` numbers in pages of three, and records after which number each page begins. */
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

test('every row is on exactly one page, and no page is empty', async () => {
  for (const [count, pages] of [
    [0, []],
    [2, [[0, 1]]],
    [3, [[0, 1, 2]]],
    [4, [[0, 1, 2], [3]]],
  ] as const)
    assert.deepEqual(await Array.fromAsync(inPages(3, numbers(count).read)), pages)
})

test('while a page is processed, only the next one is read', async () => {
  const { asked, read } = numbers(20)
  for await (const page of inPages(3, read)) {
    assert.equal(asked.length, page[0] === 18 ? 7 : (page[0] as number) / 3 + 2)
  }
  assert.deepEqual(asked, [undefined, 2, 5, 8, 11, 14, 17])
})

test('a consumer that stops early does not see an error of the next page', async () => {
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
