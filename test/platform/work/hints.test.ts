// Hints wake loops: at once in the same process, by NOTIFY in others, and again after the database was away.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { bridgeHints, hint, onHint } from '../../../src/platform/work/hints.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { until } from '../../support/service-process.ts'
import { atEnd, createTestDatabase, directUrl, openTestPools } from '../../support/test-database.ts'

// What is in between is the test's own.
const url = directUrl(await createTestDatabase('template1')).href
const proxy = await openDatabaseProxy(url)
const errors: Error[] = []
const bridge = await bridgeHints(openTestPools(proxy.url), error => errors.push(error))
atEnd(() => bridge.close())

// What another process hears and says.
const other = new pg.Client(url)
await other.connect()
atEnd(() => other.end())
const heard: string[] = []
other.on('notification', ({ payload }) => heard.push(payload ?? ''))
await other.query('listen waybill_work')
const say = (names: string) => other.query(`select pg_notify('waybill_work', $1)`, [names])

test('a hint wakes those of this process who wait for it, until they stop', () => {
  const woken: string[] = []
  const stop = onHint('imports', () => woken.push('imports'))
  const stopOther = onHint('deliveries', () => woken.push('deliveries'))
  hint('imports')
  assert.deepEqual(woken, ['imports'])
  stop()
  hint('imports')
  assert.deepEqual(woken, ['imports'])
  stopOther()
})

test('what nobody here waits for is told to other processes, together', async () => {
  heard.length = 0
  hint('far')
  hint('away')
  hint('far')
  await until(async () => heard.length > 0, 'Nothing was told.')
  assert.deepEqual(heard.flatMap(names => names.split(',')).toSorted(), ['away', 'far', 'imports'])
})

test('what somebody here waits for is not told to others', async () => {
  const stop = onHint('near', () => {})
  heard.length = 0
  hint('near')
  hint('far')
  await until(async () => heard.length > 0, 'Nothing was told.')
  assert.deepEqual(heard, ['far'])
  stop()
})

test('what other processes tell wakes those who wait for it here', async () => {
  const woken: string[] = []
  const stop = onHint('imports', () => woken.push('imports'))
  await say('deliveries,imports')
  await until(async () => woken.length > 0, 'Nobody was woken.')
  assert.deepEqual(woken, ['imports'])
  stop()
})

test('after the database was away, other processes are heard again', async () => {
  let woken = 0
  const stop = onHint('imports', () => woken++)
  await proxy.refuse()
  await until(async () => errors.length > 0, 'The loss was not noticed.')
  await proxy.resume()
  await until(async () => {
    await say('imports')
    return woken > 0
  }, 'The bridge did not come back.')
  stop()
})
