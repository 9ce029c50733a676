// The database becomes unavailable and comes back: 503 with Retry-After meanwhile, then automatic recovery.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { accessRules } from '../../../src/access/access-rules.ts'
import { endpoint } from '../../../src/access/endpoint.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { isDatabaseUnavailable } from '../../../src/platform/database/errors.ts'
import { openDatabase } from '../../../src/platform/database/open-database.ts'
import { done, json } from '../../../src/platform/http/endpoint.ts'
import { Type } from '../../../src/platform/http/schema.ts'
import { openServer } from '../../../src/platform/http/server.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { startWorkLoop } from '../../../src/platform/work/work-loop.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { assertQuick, until } from '../../support/service-process.ts'
import { atEnd, createTestDatabase, directUrl } from '../../support/test-database.ts'

const proxy = await openDatabaseProxy(directUrl(await createTestDatabase('template1')).href)
/** what the process reports about outages, and the lines of its log */
const reports: string[] = []
const lines: { level: number; err?: unknown; msg: string }[] = []
const log = pino({ level: 'info' }, { write: line => lines.push(JSON.parse(line)) })
const database = openDatabase({
  connection: { connectionString: proxy.url },
  poolSize: 4,
  onOutage: () => reports.push('away'),
  onRecovery: () => reports.push('back'),
})
atEnd(() => database.close())
await database.atomically(async tx => {
  await tx.run(sql`create table note (text text)`)
  await tx.run(sql`create table checked_note (text text)`)
  await tx.run(sql`
    create function wait_at_commit() returns trigger language plpgsql as
      'begin perform pg_sleep(1); return null; end'`)
  await tx.run(sql`
    create constraint trigger wait after insert on checked_note deferrable initially deferred
      for each row execute function wait_at_commit()`)
})

const actor = {
  organisationId: 'o',
  connectionId: 'c',
  userId: 'u',
  clientId: 'a',
  partnerId: null,
  partnerKind: null,
  scopes: new Set<string>(),
}
const Total = Type.Object({ total: Type.Integer() })
const app = openServer({
  endpoints: [
    endpoint({
      get: '/v1/notes',
      name: 'operation1',
      partners: 'all',
      scope: 'any',
      summary: 'Count',
      response: json(Total),
      handle: ({ db }) => db.row<{ total: number }>(sql`select count(*) as total from note`),
    }),
    endpoint({
      get: '/v1/slow',
      name: 'operation2',
      partners: 'all',
      scope: 'any',
      summary: 'Wait',
      response: json(Total),
      handle: ({ db }) => db.row<{ total: number }>(sql`select 1 as total from pg_sleep(3)`),
    }),
    endpoint({
      post: '/v1/notes',
      name: 'operation3',
      partners: 'all',
      scope: 'any',
      summary: 'Add',
      response: done,
      handle: async ({ tx }) => void (await tx.run(sql`insert into note values ('x')`)),
    }),
    endpoint({
      post: '/v1/slow-notes',
      name: 'operation4',
      partners: 'all',
      scope: 'any',
      summary: 'Add with one statement',
      oneStatement: true,
      response: done,
      handle: async ({ tx }) => void (await tx.run(sql`insert into note select 'x' from pg_sleep(1)`)),
    }),
    endpoint({
      post: '/v1/checked-notes',
      name: 'operation5',
      partners: 'all',
      scope: 'any',
      summary: 'Add with a commit that takes time',
      response: done,
      handle: async ({ tx }) => void (await tx.run(sql`insert into checked_note values ('x')`)),
    }),
  ],
  database,
  metrics: createMetrics(),
  log,
  authenticate: () => actor,
  access: accessRules,
  formats: {},
})
atEnd(() => app.close())

const read = () => app.inject({ method: 'GET', url: '/v1/notes' })
const write = () => app.inject({ method: 'POST', url: '/v1/notes' })

const outcomeUnknown =
  'The database became unavailable before the request was complete. It may have been stored: repeat it with ' +
  'its idempotency key, or look it up.'

function assertUnavailable({ statusCode, headers, body }: Awaited<ReturnType<typeof read>>): void {
  assert.equal(statusCode, 503, body)
  assert.equal(headers['retry-after'], '2')
  const { ErrorType, ErrorMessages, ErrorDetails } = JSON.parse(body)
  const message =
    headers.outcome === 'unknown' ? outcomeUnknown : 'The database is not available. Try again shortly.'
  assert.deepEqual(
    [ErrorType, ErrorMessages, ErrorDetails[0].code],
    ['Unavailable', [message], 'unavailable'],
  )
}

/** Asserts that reads and writes succeed again, and that no write was done by halves. */
async function assertRecovered(ms = 5_000): Promise<void> {
  await until(
    async () => (await read()).statusCode === 200 && (await write()).statusCode === 200,
    'The service did not recover.',
    ms,
  )
  const before = (await read()).json().total
  const answers = await Promise.all(Array.from({ length: 12 }, write))
  assert.deepEqual(new Set(answers.map(answer => answer.statusCode)), new Set([200]))
  assert.equal((await read()).json().total, before + 12)
}

test('connections that break fail only their own requests, and later requests are served', async () => {
  await assertRecovered()
  for (let i = 0; i < 3; i++) {
    const requests = [read(), write(), read(), write()]
    proxy.cut()
    for (const answer of await Promise.all(requests)) if (answer.statusCode !== 200) assertUnavailable(answer)
    await assertRecovered()
  }
})

test('if the connection breaks during a commit or a statement of its own, the answer says that the outcome is unknown', async () => {
  for (const [url, wait] of [
    ['/v1/slow-notes', sql`select 1 from pg_stat_activity where query like 'insert into note select%'`],
    ['/v1/checked-notes', sql`select 1 from pg_stat_activity where query = 'commit' and state = 'active'`],
  ] as const) {
    await assertRecovered()
    const writing = app.inject({ method: 'POST', url })
    await until(async () => (await database.db.maybe(wait)) !== undefined, `${url} did not begin.`)
    proxy.cut()
    const answer = await writing
    assertUnavailable(answer)
    assert.equal(answer.headers.outcome, 'unknown', url)
    // The server goes on with what it was sent, and then finds that the connection is gone.
    const hasEnded = () =>
      database.db.maybe(wait).then(
        row => row === undefined,
        () => false,
      )
    await until(hasEnded, `${url} did not end.`)
  }
  await assertRecovered()
})

test('a database that refuses connections gives 503 at once, and is used again when it is back', async () => {
  await assertRecovered()
  await proxy.refuse()
  await assertQuick(2_000, async () => {
    for (const answer of await Promise.all([read(), write(), read(), write()])) {
      assertUnavailable(answer)
      assert.equal(answer.headers.outcome, undefined)
    }
  })
  await proxy.resume()
  await assertRecovered()
})

test('an outage and its end are each reported once, and neither is logged as an error', async () => {
  await assertRecovered()
  await until(async () => reports.length % 2 === 0, 'The end of the previous outage was not reported.')
  reports.length = 0
  lines.length = 0
  let polls = 0
  const step = async () => {
    polls++
    await database.db.row(sql`select 1`)
    return false
  }
  const loops = ['one', 'two'].map(name => startWorkLoop({ name, log, pollMs: 5, step }))
  atEnd(() => Promise.all(loops.map(loop => loop.stop())))
  await until(async () => polls > 2, 'No loop polled.')
  await proxy.refuse()
  const pollsBefore = polls
  for (const answer of await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? read() : write()))))
    assertUnavailable(answer)
  await until(async () => polls > pollsBefore + 4, 'The loops did not continue.')
  assert.deepEqual(reports, ['away'])
  await proxy.resume()
  await until(async () => reports.length === 2, 'The end of the outage was not reported.')
  await assertRecovered()
  await Promise.all(loops.map(loop => loop.stop()))
  assert.deepEqual(reports, ['away', 'back'])
  assert.deepEqual(
    new Set(lines.map(({ level, msg, err }) => `${level} ${msg} ${err === undefined}`)),
    new Set(['40 request true']),
  )
})

test('a database that stops responding gives 503 within seconds, and is used again when it responds', {
  timeout: 300_000,
}, async () => {
  await assertRecovered()
  proxy.stall()
  await assertQuick(4_000, async () => {
    const requests = Array.from({ length: 12 }, (_, i) => (i % 2 ? read() : write()))
    for (const answer of await Promise.all(requests)) assertUnavailable(answer)
  })
  await proxy.resume()
  await assertRecovered()
})

test('connections that go dead while new ones work give 503 and are replaced', {
  timeout: 300_000,
}, async () => {
  await assertRecovered()
  const slow = app.inject({ method: 'GET', url: '/v1/slow' })
  // Every connection of both pools, in use or idle, goes dead.
  await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? read() : write())))
  proxy.stallOpen()
  const answers = await Promise.all([
    slow,
    ...Array.from({ length: 12 }, (_, i) => (i % 2 ? read() : write())),
  ])
  for (const answer of answers) if (answer.statusCode !== 200) assertUnavailable(answer)
  assertUnavailable(await slow)
  await assertRecovered()
})

test('a connection that is silent for longer than any statement may take is cut, even if its backend is busy', async () => {
  const impatient = openDatabase({
    connection: { connectionString: proxy.url },
    poolSize: 1,
    maxStatementMs: 1_000,
  })
  atEnd(() => impatient.close())
  const start = performance.now()
  await assert.rejects(impatient.db.row(sql`select 1 from pg_sleep(120)`), isDatabaseUnavailable)
  assert.ok(performance.now() - start < 100_000, 'it took as long as the statement')
  assert.deepEqual(await impatient.db.row(sql`select 1 as one`), { one: 1 })
})

test('a slow statement does not count as silence', async () => {
  await assertRecovered()
  const { statusCode } = await app.inject({ method: 'GET', url: '/v1/slow' })
  assert.equal(statusCode, 200)
})
