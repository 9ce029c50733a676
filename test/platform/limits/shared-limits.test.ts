// Limits over several processes: each with its own connection and beats, on one database. Spec 8; promises 20
// and 21.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, sql } from '../../../src/platform/database/db.ts'
import { openSession } from '../../../src/platform/database/session.ts'
import { type LimitName, LimitsUnavailable } from '../../../src/platform/limits/limits.ts'
import { takePermits } from '../../../src/platform/limits/permits.ts'
import { openSharedLimits, type SharedLimits } from '../../../src/platform/limits/shared-limits.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openPresence, type Presence } from '../../../src/platform/presence/presence.ts'
import { openTestDatabase } from '../../support/harness.ts'
import { assertQuick, until } from '../../support/service-process.ts'
import { atEnd } from '../../support/test-database.ts'

/** A process that answers requests. */
interface Process {
  id: string
  limits: SharedLimits
  presence: Presence
  /** statements for permits so far */
  statements(): number
  /** the next statements are done, but their answers get lost */
  loseAnswers(count: number): void
  /** Ends like a process that is killed: nobody is told. */
  die(): Promise<void>
  stop(): Promise<void>
}

async function startProcess(database: Database): Promise<Process> {
  const id = newId()
  const session = openSession(database)
  let [statements, lost] = [0, 0]
  const limits = openSharedLimits(async (number, requests) => {
    statements++
    const grants = await takePermits(session, id, number, requests)
    if (lost-- > 0) throw new Error('The connection was lost.')
    return grants
  })
  const presence = await openPresence(session, id, { api: true, worker: false }, limits)
  atEnd(() => session.close())
  return {
    id,
    limits,
    presence,
    statements: () => statements,
    loseAnswers: count => (lost = count),
    async die() {
      await session.close()
      // As if five seconds had passed.
      await database.inOneStatement(tx =>
        tx.run(sql`update service_process set seen_utc = seen_utc - interval '6 seconds' where id = ${id}`),
      )
    },
    async stop() {
      await limits.close()
      await presence.close()
      await session.close()
    },
  }
}

const start = (database: Database, count: number) =>
  Promise.all(Array.from({ length: count }, () => startProcess(database)))

/** Makes this many requests of each process, one hundred at a time, and returns how many pass. */
async function flood(
  processes: readonly Process[],
  times: number,
  whose: string,
  limit: LimitName = 'standard',
): Promise<number> {
  let passed = 0
  async function caller({ limits }: Process): Promise<void> {
    for (let made = 0; made < times; made += 100) {
      const waits = await Promise.all(
        Array.from({ length: Math.min(100, times - made) }, () => limits.take(limit, whose)),
      )
      passed += waits.filter(wait => wait === 0).length
    }
  }
  await Promise.all(processes.map(caller))
  return passed
}

const isAlone = async ({ limits }: Process, whose = newId()) => {
  // Only a process that counts in memory answers without a promise what it was never asked before.
  const wait = limits.take('standard', whose)
  await wait
  return !(wait instanceof Promise)
}

function assertExact(passed: number, [least, most]: readonly [number, number] = [2_900, 3_000]): void {
  assert.ok(passed <= most, `${passed} passed`)
  assert.ok(passed >= least, `only ${passed} passed`)
}

test('three processes let 3,000 requests through between them, and 600 for tokens', async t => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 3)
  const statements = () => processes.reduce((sum, process) => sum + process.statements(), 0)
  const whose = newId()
  const before = statements()
  assertExact(await flood(processes, 900, whose), [2_700, 2_700])
  t.diagnostic(`${statements() - before} statements for 2,700 requests`)
  assert.ok(statements() - before <= 2_700 / 60, `${statements() - before} statements`)
  assertExact(2_700 + (await flood(processes, 400, whose)))
  assertExact(await flood(processes, 400, newId(), 'tokens'), [560, 600])
  assertExact(await flood(processes, 200, newId(), 'reports'), [140, 150])
  const wait = await (processes[0] as Process).limits.take('standard', whose)
  assert.ok(wait >= 50 && wait <= 61, `${wait} s`)
})

test('what others hold and do not use costs a busy process a hundred requests at most', async () => {
  const { database } = await openTestDatabase()
  const [busy, ...idle] = (await start(database, 3)) as [Process, Process, Process]
  const whose = newId()
  assert.equal(await flood(idle, 1, whose), 2)
  assertExact(2 + (await flood([busy], 3_500, whose)))
})

test('what others took for requests that no longer come is back within seconds', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 3)
  const [busy, ...calm] = processes as [Process, Process, Process]
  const whose = newId()
  assert.equal(await flood(calm, 101, whose), 202)
  const held = async () => {
    const { permits } = await database.db.row<{ permits: number }>(sql`
      select sum((v ->> 'permits')::integer)::integer as permits
      from rate_limit, jsonb_each(held) as h (process, v) where key = ${`standard ${whose}`}`)
    return permits
  }
  assert.ok((await held()) > 100, `${await held()} held`)
  await until(async () => (await held()) === 0, 'They were not given back.', 6_000)
  assertExact(202 + (await flood([busy], 3_500, whose)))
})

test('each process knows what all have left, save for what others have let through since it last asked', async () => {
  const { database } = await openTestDatabase()
  const [one, other] = (await start(database, 2)) as [Process, Process]
  const whose = newId()
  assert.equal(one.limits.left('standard', whose), 3_000)
  assert.equal(await flood([one], 1_000, whose), 1_000)
  assert.equal(one.limits.left('standard', whose), 2_000)
  assert.equal(await flood([other], 10, whose), 10)
  // What one process has taken counts as used by the others: 50, and ten times 100.
  assert.equal(other.limits.left('standard', whose), 3_000 - 1_050 - 10)
  assert.equal(one.limits.left('standard', whose), 2_000)
  assert.equal(await flood([one], 100, whose), 100)
  assert.equal(one.limits.left('standard', whose), 2_000 - 50 - 100)
  await flood([one, other], 2_000, whose)
  assert.equal(one.limits.left('standard', whose), 0)
})

test('a process that is alone counts in memory, and one that joins it knows what it counted', async () => {
  const { database } = await openTestDatabase()
  const first = await startProcess(database)
  await until(() => isAlone(first), 'It did not count alone.', 5_000)
  const whose = newId()
  const before = first.statements()
  assert.equal(await flood([first], 2_000, whose), 2_000)
  assert.equal(first.limits.left('standard', whose), 1_000)
  assert.equal(first.statements(), before)
  const second = await startProcess(database)
  // Both at once, from the first moment on.
  assertExact(2_000 + (await flood([second, first], 1_000, whose)))
  assert.equal(await isAlone(first), false)
})

test('of processes that start at once none counts alone', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 4)
  const whose = newId()
  assertExact(await flood(processes, 1_000, whose), [2_850, 3_000])
})

test('what a process held that died counts as used', async () => {
  const { database } = await openTestDatabase()
  const [dying, other] = (await start(database, 2)) as [Process, Process]
  const whose = newId()
  assert.equal(await flood([dying], 1_010, whose), 1_010)
  await dying.die()
  assertExact(1_010 + (await flood([other], 3_000, whose)))
  const { held } = await database.db.row<{ held: object }>(
    sql`select held from rate_limit where key = ${`standard ${whose}`}`,
  )
  assert.deepEqual(Object.keys(held), [other.id])
})

test('a process that starts after another stopped goes on with what that one counted', async () => {
  const { database } = await openTestDatabase()
  const first = await startProcess(database)
  await until(() => isAlone(first), 'It did not count alone.', 5_000)
  const whose = newId()
  assert.equal(await flood([first], 2_500, whose), 2_500)
  await first.stop()
  assertExact(2_500 + (await flood([await startProcess(database)], 1_000, whose)))
})

test('answers that get lost let nobody pass too often', async () => {
  const { database } = await openTestDatabase()
  const [one, other] = (await start(database, 2)) as [Process, Process]
  const whose = newId()
  let passed = 0
  for (let i = 0; i < 12; i++) {
    passed += await flood([one, other], 40, whose)
    one.loseAnswers(1)
    // More than it holds, so that it asks.
    const answered = await Promise.allSettled(
      Array.from({ length: 110 }, async () => one.limits.take('standard', whose)),
    )
    for (const answer of answered) {
      if (answer.status === 'fulfilled') passed += answer.value === 0 ? 1 : 0
      else assert.ok(answer.reason instanceof LimitsUnavailable)
    }
  }
  one.loseAnswers(0)
  passed += await flood([one, other], 2_000, whose)
  assert.ok(passed <= 3_000, `${passed} passed`)
})

test('while the row cannot be had, a process lets through what it holds and then says so', async () => {
  const { database } = await openTestDatabase()
  const [one] = (await start(database, 2)) as [Process, Process]
  const whose = newId()
  assert.equal(await flood([one], 1, whose), 1)
  const holder = await database.openConnection()
  atEnd(() => holder.end())
  await holder.query('begin')
  await holder.query('select from rate_limit for update')
  assert.equal(await flood([one], 49, whose), 49)
  await assertQuick(2_500, () =>
    assert.rejects(async () => one.limits.take('standard', whose), LimitsUnavailable),
  )
  await holder.query('commit')
  assert.equal(await flood([one], 10, whose), 10)
})

test('permits come back a minute after they were used', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 2)
  const whose = newId()
  const passed = await flood(processes, 1_700, whose)
  assertExact(passed)
  await database.inOneStatement(tx =>
    tx.run(sql`
      update rate_limit set passed = (
        select jsonb_object_agg(key::bigint - 122, value) from jsonb_each(passed))
      where key = ${`standard ${whose}`}`),
  )
  // What the processes have not told yet counts again.
  await new Promise(resolve => setTimeout(resolve, 1_100))
  assert.ok((await flood(processes, 1_700, whose)) > 2_800)
})

test('a process that has not been heard of for four seconds uses nothing that it holds', async () => {
  let now = 1_000_000
  let asked = 0
  const limits = openSharedLimits(
    async (_number, requests) => {
      asked++
      return requests.map(({ wanted }) => ({ granted: wanted, waitMs: 0, left: 0 }))
    },
    () => now,
  )
  const reply = { reportedSharing: true, recentApiCount: 1, doAllShare: true }
  await limits.onHeartbeat({ ...reply, sentAt: now })
  assert.equal(await limits.take('standard', 'a'), 0)
  now += 3_900
  assert.equal(limits.take('standard', 'a'), 0)
  assert.equal(asked, 1)
  now += 200
  assert.ok(limits.take('standard', 'a') instanceof Promise)
})
