import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together } from '../../../src/platform/work/together.ts'

/** Work that notes its groups and ends when it is told to. */
function held(
  options: { lanes?: number; onlyFullBeside?: boolean; maxCount?: number; maxWeight?: number } = {},
) {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const call = together<number, string>({
    ...{ lanes: 1, maxCount: 100, maxWeight: 1_000, weight: (input: number) => input, ...options },
    async work(inputs) {
      groups.push(inputs)
      await new Promise<void>(resolve => ends.push(resolve))
      return inputs.map(input => `done ${input}`)
    },
  })
  const turn = () => new Promise(resolve => setImmediate(resolve))
  return { groups, call, turn, end: () => ends.shift()?.() }
}

test('a call alone is done at once, and those that come meanwhile are done together', async () => {
  const { groups, call, turn, end } = held()
  const first = call(1)
  await turn()
  assert.deepEqual(groups, [[1]])
  const [second, third] = [call(2), call(3)]
  end()
  assert.equal(await first, 'done 1')
  await turn()
  assert.deepEqual(groups, [[1], [2, 3]])
  end()
  assert.deepEqual(await Promise.all([second, third]), ['done 2', 'done 3'])
})

test('a group is bounded in number and weight, and what is too heavy is done alone', async () => {
  const { groups, call, turn, end } = held({ maxCount: 3, maxWeight: 10 })
  const calls = [1, 2, 3, 4, 50, 6, 5].map(call)
  for (let i = 0; i < 5; i++) {
    await turn()
    end()
  }
  await Promise.all(calls)
  assert.deepEqual(groups, [[1, 2, 3], [4], [50], [6], [5]])
})

test('no more groups are under way than there are lanes', async () => {
  const { groups, call, turn } = held({ lanes: 2, maxCount: 1 })
  for (const input of [1, 2, 3]) void call(input)
  await turn()
  assert.deepEqual(groups, [[1], [2]])
})

test('where only full groups begin beside another, the others wait until it ends', async () => {
  const { groups, call, turn, end } = held({ lanes: 2, onlyFullBeside: true, maxCount: 2 })
  void call(1)
  await turn()
  void call(2)
  await turn()
  assert.deepEqual(groups, [[1]])
  void call(3)
  await turn()
  assert.deepEqual(groups, [[1], [2, 3]])
  void call(4)
  end()
  end()
  await turn()
  assert.deepEqual(groups, [[1], [2, 3], [4]])
})

test('a failure is told to each of its group, and the next group is done', async () => {
  let failing = true
  const call = together<number, number>({
    ...{ lanes: 1, maxCount: 10, maxWeight: 100, weight: () => 1 },
    async work(inputs) {
      if (failing) throw new Error('no')
      return inputs
    },
  })
  const results = await Promise.allSettled([call(1), call(2)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  failing = false
  assert.equal(await call(3), 3)
})

test('only what has the same key is done together, and each key has its lanes', async () => {
  const groups: string[][] = []
  const ends: (() => void)[] = []
  const call = together<string, string>({
    ...{ lanes: 1, maxCount: 100, maxWeight: 100, weight: () => 1, key: input => input[0] as string },
    async work(inputs) {
      groups.push(inputs)
      await new Promise<void>(resolve => ends.push(resolve))
      return inputs
    },
  })
  const calls = ['a1', 'b1', 'a2', 'b2'].map(call)
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(groups, [
    ['a1', 'a2'],
    ['b1', 'b2'],
  ])
  for (const end of ends.splice(0)) end()
  assert.deepEqual(await Promise.all(calls), ['a1', 'b1', 'a2', 'b2'])
  void call('a3')
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(groups.at(-1), ['a3'])
})
