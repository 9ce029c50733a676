// Hints wake loops: at once in the same process, through NOTIFY in others, and again after an outage.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { bridgeHints, hint, onHint } from '../../../src/platform/work/hints.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { until } from '../../support/service-process.ts'
import { atEnd, createTestDatabase, directUrl, openTestPools } from '../../support/test-database.ts'

// The test puts its own proxy in between.
const url = directUrl(await createTestDatabase('template1')).href
const proxy = await openDatabaseProxy(url)
const errors: Error[] = []
const bridge = await bridgeHints(openTestPools(proxy.url), error => errors.push(error))
atEnd(() => bridge.close())

// Stands for another process, which receives and sends hints.
const other = new pg.Client(url)
await other.connect()
atEnd(() => other.end())
const received: string[] = []
other.on('notification', ({ payload }) => received.push(payload ?? ''))
await other.query('listen waybill_work')
const send = (names: string) => other.query(`select pg_notify('waybill_work', $1)`, [names])

test('a hint wakes its listeners in this process until they stop listening', () => {
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

test('hints without a listener here are sent to other processes, together', async () => {
  received.length = 0
  hint('far')
  hint('away')
  hint('far')
  await until(async () => received.length > 0, 'No hint was sent.')
  assert.deepEqual(received.flatMap(names => names.split(',')).toSorted(), ['away', 'far', 'imports'])
})

test('a hint with a listener here is not sent to other processes', async () => {
  const stop = onHint('near', () => {})
  received.length = 0
  hint('near')
  hint('far')
  await until(async () => received.length > 0, 'No hint was sent.')
  assert.deepEqual(received, ['far'])
  stop()
})

test('hints of other processes wake the listeners here', async () => {
  const woken: string[] = []
  const stop = onHint('imports', () => woken.push('imports'))
  await send('deliveries,imports')
  await until(async () => woken.length > 0, 'No listener was woken.')
  assert.deepEqual(woken, ['imports'])
  stop()
})

test('a connection that cannot listen is replaced by one that can', async () => {
  const direct = openTestPools(url)
  const clients: pg.Client[] = []
  const database = {
    ...direct,
    async openConnection() {
      const client = await direct.openConnection()
      clients.push(client)
      // As on a standby before it is promoted.
      if (clients.length === 2) client.query = (() => Promise.reject(new Error('no listen here'))) as never
      return client
    },
  }
  const failures: string[] = []
  const replaced = await bridgeHints(database, error => failures.push(error.message))
  atEnd(() => replaced.close())
  await clients[0]?.end()
  let woken = 0
  const stop = onHint('imports', () => woken++)
  await until(async () => clients.length === 3, 'It did not listen again.')
  await until(async () => {
    await send('imports')
    return woken > 0
  }, 'No listener was woken.')
  assert.deepEqual(failures, ['no listen here'])
  stop()
})

test('after an outage of the database, hints of other processes arrive again', async () => {
  let woken = 0
  const stop = onHint('imports', () => woken++)
  await proxy.refuse()
  await until(async () => errors.length > 0, 'The loss was not noticed.')
  await proxy.resume()
  await until(async () => {
    await send('imports')
    return woken > 0
  }, 'The bridge did not come back.')
  stop()
})
