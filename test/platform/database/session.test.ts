// A connection of its own, beside the pools: what several ask of it at once, and a database that does not answer.

import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { isDatabaseUnavailable } from '../../../src/platform/database/errors.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { openSession } from '../../../src/platform/database/session.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { atEnd, createTestDatabase, openTestPools } from '../../support/test-database.ts'

const url = await createTestDatabase('template1')

test('what is asked at once is answered, each for itself, and the driver has nothing to warn of', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  atEnd(() => process.off('warning', note))
  const session = openSession(openTestPools(url, 1))
  atEnd(() => session.close())
  await session.rows('select 1', [])
  const asked = ['1', '2', 'no number', '4'].map(text => session.rows('select $1::integer as n', [text]))
  const answers = (await Promise.allSettled(asked)).map(answer =>
    answer.status === 'fulfilled' ? answer.value : answer.reason.code,
  )
  assert.deepEqual(answers, [[{ n: 1 }], [{ n: 2 }], '22P02', [{ n: 4 }]])
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(warnings, [])
})

test('a database that takes the connection and never answers counts as away', async () => {
  const proxy = await openDatabaseProxy(url)
  const database = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 1 })
  atEnd(() => database.close())
  proxy.stall()
  await assert.rejects(database.openConnection(), isDatabaseUnavailable)
  assert.equal(database.state().isUnavailable, true)
  await proxy.resume()
})
