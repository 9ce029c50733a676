import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchCalls } from '../../../src/platform/work/batch-calls.ts'

/** Batches calls, records the batches and ends each one when `end` is called. */
function recordBatches(
  options: {
    maxConcurrent?: number
    onlyFullConcurrently?: boolean
    maxCount?: number
    maxWeight?: number
  } = {},
) {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const call = batchCalls<number, string>({
    ...{ maxConcurrent: 1, maxCount: 100, maxWeight: 1_000, weight: (input: number) => input, ...options },
    async runBatch(inputs) {
      batches.push(inputs)
      await new Promise<void>(resolve => ends.push(resolve))
      return inputs.map(input => `done ${input}`)
    },
  })
  const turn = () => new Promise(resolve => setImmediate(resolve))
  return { batches, call, turn, end: () => ends.shift()?.() }
}

test('a single call runs at once, and calls made meanwhile form one batch', async () => {
  const { batches, call, turn, end } = recordBatches()
  const first = call(1)
  await turn()
  assert.deepEqual(batches, [[1]])
  const [second, third] = [call(2), call(3)]
  end()
  assert.equal(await first, 'done 1')
  await turn()
  assert.deepEqual(batches, [[1], [2, 3]])
  end()
  assert.deepEqual(await Promise.all([second, third]), ['done 2', 'done 3'])
})

test('a batch is limited in count and weight, and an input that is too heavy runs alone', async () => {
  const { batches, call, turn, end } = recordBatches({ maxCount: 3, maxWeight: 10 })
  const calls = [1, 2, 3, 4, 50, 6, 5].map(call)
  for (let i = 0; i < 5; i++) {
    await turn()
    end()
  }
  await Promise.all(calls)
  assert.deepEqual(batches, [[1, 2, 3], [4], [50], [6], [5]])
})

test('no more batches run at a time than maxConcurrent allows', async () => {
  const { batches, call, turn } = recordBatches({ maxConcurrent: 2, maxCount: 1 })
  for (const input of [1, 2, 3]) void call(input)
  await turn()
  assert.deepEqual(batches, [[1], [2]])
})

test('with onlyFullConcurrently, a batch that is not full waits until the running one ends', async () => {
  const { batches, call, turn, end } = recordBatches({
    maxConcurrent: 2,
    onlyFullConcurrently: true,
    maxCount: 2,
  })
  void call(1)
  await turn()
  void call(2)
  await turn()
  assert.deepEqual(batches, [[1]])
  void call(3)
  await turn()
  assert.deepEqual(batches, [[1], [2, 3]])
  void call(4)
  end()
  end()
  await turn()
  assert.deepEqual(batches, [[1], [2, 3], [4]])
})

test('with onlyFullConcurrently, a batch is also full if its inputs weigh enough', async () => {
  const { batches, call, turn, end } = recordBatches({
    maxConcurrent: 2,
    onlyFullConcurrently: true,
    maxWeight: 10,
  })
  void call(1)
  await turn()
  void call(4)
  await turn()
  assert.deepEqual(batches, [[1]])
  void call(7)
  await turn()
  assert.deepEqual(batches, [[1], [4]])
  // What waits now is not full any more.
  end()
  void call(2)
  await turn()
  assert.deepEqual(batches, [[1], [4]])
  end()
  await turn()
  assert.deepEqual(batches, [[1], [4], [7, 2]])
})

test('a failure rejects every call of its batch, and the next batch runs', async () => {
  let failing = true
  const call = batchCalls<number, number>({
    ...{ maxConcurrent: 1, maxCount: 10, maxWeight: 100, weight: () => 1 },
    async runBatch(inputs) {
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

test('only inputs with the same key share a batch, and each key has its own limit', async () => {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const call = batchCalls<string, string>({
    ...{ maxConcurrent: 1, maxCount: 100, maxWeight: 100, weight: () => 1, key: input => input[0] as string },
    async runBatch(inputs) {
      batches.push(inputs)
      await new Promise<void>(resolve => ends.push(resolve))
      return inputs
    },
  })
  const calls = ['a1', 'b1', 'a2', 'b2'].map(call)
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(batches, [
    ['a1', 'a2'],
    ['b1', 'b2'],
  ])
  for (const end of ends.splice(0)) end()
  assert.deepEqual(await Promise.all(calls), ['a1', 'b1', 'a2', 'b2'])
  void call('a3')
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(batches.at(-1), ['a3'])
})
