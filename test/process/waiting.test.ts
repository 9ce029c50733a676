// Whoever waits for a database that does not respond is told so, again and again.

import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { mock, test } from 'node:test'
import { readConfig } from '../../src/process/config.ts'
import { reachDatabase } from '../../src/process/store.ts'
import { openFakePostgres } from '../support/fake-postgres.ts'
import { atEnd } from '../support/test-database.ts'

/** Connects to a database at a port of this machine. Returns the error and what was logged meanwhile. */
async function connectTo(port: number, maxWaitMs: number) {
  const logged: string[] = []
  const log = {
    info: (message: string) => logged.push(`info ${message}`),
    warn: (message: string) => logged.push(`warn ${message}`),
  }
  const config = readConfig({ DATABASE_URL: `postgres://ada@127.0.0.1:${port}/waybill` })
  const reached = await reachDatabase(config, log, maxWaitMs)
  const error = await reached.connect('test').then(
    () => assert.fail('It connected.'),
    (error: Error) => error,
  )
  return { message: error.message, logged }
}

test('a start that waits for an unreachable database warns every ten seconds, and then gives up', async t => {
  mock.timers.enable({ apis: ['Date'] })
  // The clock of the next test runs again.
  t.after(() => mock.timers.reset())
  // Each attempt takes five seconds.
  const server = createServer(socket => {
    mock.timers.tick(5_000)
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const { message, logged } = await connectTo((server.address() as AddressInfo).port, 35_000)
  assert.match(message, /^The database at 127\.0\.0\.1:\d+ cannot be reached \(DATABASE_URL\): /)
  assert.deepEqual(
    logged,
    ['info Waiting', 'warn Still waiting', 'warn Still waiting', 'warn Still waiting'].map(
      start => `${start} for the database. ${message}`,
    ),
  )
})

test('a pooler that accepts connections although its server is unreachable is not waited for without end', async () => {
  const { message } = await connectTo(await openFakePostgres({ isSilent: true }), 0)
  assert.match(message, /cannot be reached \(DATABASE_URL\): Query read timeout\.$/)
})
