import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeEverything } from '../../src/platform/closing.ts'

test('what was opened last is closed first, and the next one waits for it', async () => {
  const closed: string[] = []
  const close = (name: string) => async () => {
    await Promise.resolve()
    closed.push(name)
  }
  await closeEverything([close('database'), close('server')])
  assert.deepEqual(closed, ['server', 'database'])
})

test('everything is closed although some of it fails, once, and the first failure is told', async () => {
  const closed: string[] = []
  const closing = [
    () => closed.push('database'),
    () => Promise.reject(new Error('the second failure')),
    () => {
      throw new Error('the first failure')
    },
    () => closed.push('server'),
  ]
  await assert.rejects(closeEverything(closing), { message: 'the first failure' })
  assert.deepEqual(closed, ['server', 'database'])
  await closeEverything(closing)
  assert.equal(closed.length, 2)
})
