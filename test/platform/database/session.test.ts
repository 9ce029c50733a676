// A connection outside the pools: concurrent statements, and a database that does not respond.

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import process from 'node:process'
import { test } from 'node:test'
import type pg from 'pg'
import type { Database } from '../../../src/platform/database/db.ts'
import { isDatabaseUnavailable } from '../../../src/platform/database/errors.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { openSession } from '../../../src/platform/database/session.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { atEnd, createTestDatabase, openTestPools } from '../../support/test-database.ts'

const url = await createTestDatabase('template1')

test('concurrent statements each get their own result, and the driver emits no warning', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  atEnd(() => process.off('warning', note))
  const session = openSession(openTestPools(url, 1))
  atEnd(() => session.close())
  await session.rows('select 1', [])
  const queries = ['1', '2', 'no number', '4'].map(text => session.rows('select $1::integer as n', [text]))
  const answers = (await Promise.allSettled(queries)).map(answer =>
    answer.status === 'fulfilled' ? answer.value : answer.reason.code,
  )
  assert.deepEqual(answers, [[{ n: 1 }], [{ n: 2 }], '22P02', [{ n: 4 }]])
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(warnings, [])
})

/** A client that answers nothing, or everything at once. */
class FakeClient extends EventEmitter {
  isSilent = false
  isEnded = false
  connection = { stream: { destroy() {} } }
  async query() {
    if (this.isSilent) throw new Error('Query read timeout')
    return { rows: [] }
  }
  async end() {
    this.isEnded = true
  }
}

test('an abandoned connection that ends late does not displace the one that replaced it', async () => {
  const opened: FakeClient[] = []
  const openConnection = async () => {
    const client = new FakeClient()
    opened.push(client)
    return client as unknown as pg.Client
  }
  const session = openSession({ openConnection } as unknown as Database)
  await session.rows('select 1', [])
  const [first] = opened as [FakeClient]
  first.isSilent = true
  await assert.rejects(session.rows('select 2', []))
  await session.rows('select 3', [])
  first.emit('end')
  await session.rows('select 4', [])
  assert.equal(opened.length, 2)
  await session.close()
  assert.equal(opened[1]?.isEnded, true)
})

test('a database that accepts the connection and never responds counts as unavailable', async () => {
  const proxy = await openDatabaseProxy(url)
  const database = openDatabase({ connection: { connectionString: proxy.url }, poolSize: 1 })
  atEnd(() => database.close())
  proxy.stall()
  await assert.rejects(database.openConnection(), isDatabaseUnavailable)
  assert.equal(database.state().isUnavailable, true)
  await proxy.resume()
})
