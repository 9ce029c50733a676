// Limits across several processes on one database, each with its own connection and heartbeats. Spec 8;

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LimitName, perMinute } from '../../../src/access/limits.ts'
import { type Database, sql } from '../../../src/platform/database/db.ts'
import { openSession } from '../../../src/platform/database/session.ts'
import { LimitsUnavailable } from '../../../src/platform/limits/limits.ts'
import { takePermits } from '../../../src/platform/limits/permits.ts'
import { createSharedLimits, type SharedLimits } from '../../../src/platform/limits/shared-limits.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openPresence, type Presence } from '../../../src/platform/presence/presence.ts'
import { openTestDatabase } from '../../support/harness.ts'
import { assertQuick, until } from '../../support/service-process.ts'
import { atEnd } from '../../support/test-database.ts'

/** A process that serves requests. */
interface Process {
  id: string
  limits: SharedLimits
  presence: Presence
  /** the number of statements that took permits so far */
  statements(): number
  /** Makes the next statements succeed but lose their replies. */
  loseReplies(count: number): void
  /** Ends like a killed process, without reporting. */
  die(): Promise<void>
  stop(): Promise<void>
}

async function startProcess(database: Database): Promise<Process> {
  const id = newId()
  const session = openSession(database)
  let [statements, repliesToLose] = [0, 0]
  const limits = createSharedLimits(perMinute, async (number, requests) => {
    statements++
    const grants = await takePermits(session, id, number, requests)
    if (repliesToLose-- > 0) throw new Error('The connection was lost.')
    return grants
  })
  const presence = await openPresence(session, id, { api: true, worker: false }, limits)
  atEnd(() => session.close())
  return {
    id,
    limits,
    presence,
    statements: () => statements,
    loseReplies: count => (repliesToLose = count),
    async die() {
      await session.close()
      // Acts as if more than five seconds had passed.
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

/** Sends `times` requests to each process, a hundred at a time. Returns how many pass. */
async function flood(
  processes: readonly Process[],
  times: number,
  owner: string,
  limit: LimitName = 'standard',
): Promise<number> {
  let passed = 0
  async function caller({ limits }: Process): Promise<void> {
    for (let sent = 0; sent < times; sent += 100) {
      const waits = await Promise.all(
        Array.from({ length: Math.min(100, times - sent) }, () => limits.take(limit, owner)),
      )
      passed += waits.filter(wait => wait === 0).length
    }
  }
  await Promise.all(processes.map(caller))
  return passed
}

const isAlone = async ({ limits }: Process, owner = newId()) => {
  // Only a process that counts in memory returns no promise for a new owner.
  const wait = limits.take('standard', owner)
  await wait
  return !(wait instanceof Promise)
}

function assertPassed(passed: number, [min, max]: readonly [number, number] = [2_900, 3_000]): void {
  assert.ok(passed <= max, `${passed} passed`)
  assert.ok(passed >= min, `only ${passed} passed`)
}

test('three processes together let 3,000 requests through, and 600 for tokens', async t => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 3)
  const statements = () => processes.reduce((sum, process) => sum + process.statements(), 0)
  const owner = newId()
  const [before, begun] = [statements(), performance.now()]
  assertPassed(await flood(processes, 900, owner), [2_700, 2_700])
  t.diagnostic(`${statements() - before} statements for 2,700 requests`)
  assert.ok(statements() - before <= 2_700 / 60, `${statements() - before} statements`)
  assertPassed(2_700 + (await flood(processes, 400, owner)))
  assertPassed(await flood(processes, 400, newId(), 'tokens'), [560, 600])
  assertPassed(await flood(processes, 200, newId(), 'reports'), [140, 150])
  const wait = await (processes[0] as Process).limits.take('standard', owner)
  const seconds = (performance.now() - begun) / 1_000
  assert.ok(wait >= 58 - seconds && wait <= 61, `${wait} s after ${seconds} s`)
})

test('unused permits of other processes cost a busy process at most a hundred requests', async () => {
  const { database } = await openTestDatabase()
  const [busy, ...idle] = (await start(database, 3)) as [Process, Process, Process]
  const owner = newId()
  assert.equal(await flood(idle, 1, owner), 2)
  assertPassed(2 + (await flood([busy], 3_500, owner)))
})

test('permits that other processes no longer need are returned within seconds', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 3)
  const [busy, ...quiet] = processes as [Process, Process, Process]
  const owner = newId()
  assert.equal(await flood(quiet, 101, owner), 202)
  const held = async () => {
    const { permits } = await database.db.row<{ permits: number }>(sql`
      select sum((v ->> 'permits')::integer)::integer as permits
      from rate_limit, jsonb_each(held) as h (process, v) where key = ${`standard ${owner}`}`)
    return permits
  }
  assert.ok((await held()) > 100, `${await held()} held`)
  await until(async () => (await held()) === 0, 'They were not returned.')
  assertPassed(202 + (await flood([busy], 3_500, owner)))
})

test('each process knows how many requests are left, except for those of others since its last statement', async () => {
  const { database } = await openTestDatabase()
  const [first, second] = (await start(database, 2)) as [Process, Process]
  const owner = newId()
  assert.equal(first.limits.left('standard', owner), 3_000)
  assert.equal(await flood([first], 1_000, owner), 1_000)
  assert.equal(first.limits.left('standard', owner), 2_000)
  assert.equal(await flood([second], 10, owner), 10)
  // The permits of the first process count as used for the other one: 50, and ten times 100.
  assert.equal(second.limits.left('standard', owner), 3_000 - 1_050 - 10)
  assert.equal(first.limits.left('standard', owner), 2_000)
  assert.equal(await flood([first], 100, owner), 100)
  assert.equal(first.limits.left('standard', owner), 2_000 - 50 - 100)
  await flood([first, second], 2_000, owner)
  assert.equal(first.limits.left('standard', owner), 0)
})

test('a process that is alone counts in memory, and a process that joins knows what it counted', async () => {
  const { database } = await openTestDatabase()
  const first = await startProcess(database)
  await until(() => isAlone(first), 'It did not count alone.')
  const owner = newId()
  const before = first.statements()
  assert.equal(await flood([first], 2_000, owner), 2_000)
  assert.equal(first.limits.left('standard', owner), 1_000)
  assert.equal(first.statements(), before)
  const second = await startProcess(database)
  // Both at the same time, immediately.
  assertPassed(2_000 + (await flood([second, first], 1_000, owner)))
  assert.equal(await isAlone(first), false)
})

test('of processes that start at the same time, none counts alone', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 4)
  const owner = newId()
  assertPassed(await flood(processes, 1_000, owner), [2_850, 3_000])
})

test('the permits of a process that died count as used', async () => {
  const { database } = await openTestDatabase()
  const [dying, other] = (await start(database, 2)) as [Process, Process]
  const owner = newId()
  assert.equal(await flood([dying], 1_010, owner), 1_010)
  await dying.die()
  assertPassed(1_010 + (await flood([other], 3_000, owner)))
  const { held } = await database.db.row<{ held: object }>(
    sql`select held from rate_limit where key = ${`standard ${owner}`}`,
  )
  assert.deepEqual(Object.keys(held), [other.id])
})

test('a process that starts after another one stopped continues from what that one counted', async () => {
  const { database } = await openTestDatabase()
  const first = await startProcess(database)
  await until(() => isAlone(first), 'It did not count alone.')
  const owner = newId()
  assert.equal(await flood([first], 2_500, owner), 2_500)
  await first.stop()
  assertPassed(2_500 + (await flood([await startProcess(database)], 1_000, owner)))
})

test('lost replies do not let too many requests pass', async () => {
  const { database } = await openTestDatabase()
  const [first, second] = (await start(database, 2)) as [Process, Process]
  const owner = newId()
  let passed = 0
  for (let i = 0; i < 12; i++) {
    passed += await flood([first, second], 40, owner)
    first.loseReplies(1)
    // More than it holds, so that it has to take permits.
    const results = await Promise.allSettled(
      Array.from({ length: 110 }, async () => first.limits.take('standard', owner)),
    )
    for (const result of results) {
      if (result.status === 'fulfilled') passed += result.value === 0 ? 1 : 0
      else assert.ok(result.reason instanceof LimitsUnavailable)
    }
  }
  first.loseReplies(0)
  passed += await flood([first, second], 2_000, owner)
  assert.ok(passed <= 3_000, `${passed} passed`)
})

test('while the row is unavailable, a process uses up its permits and then reports the failure', async () => {
  const { database } = await openTestDatabase()
  const [first] = (await start(database, 2)) as [Process, Process]
  const owner = newId()
  assert.equal(await flood([first], 1, owner), 1)
  const holder = await database.openConnection()
  atEnd(() => holder.end())
  await holder.query('begin')
  await holder.query('select from rate_limit for update')
  assert.equal(await flood([first], 49, owner), 49)
  await assertQuick(2_500, () =>
    assert.rejects(async () => first.limits.take('standard', owner), LimitsUnavailable),
  )
  await holder.query('commit')
  assert.equal(await flood([first], 10, owner), 10)
})

test('permits are available again a minute after they were used', async () => {
  const { database } = await openTestDatabase()
  const processes = await start(database, 2)
  const owner = newId()
  const passed = await flood(processes, 1_700, owner)
  assertPassed(passed)
  await database.inOneStatement(tx =>
    tx.run(sql`
      update rate_limit set passed = (
        select jsonb_object_agg(key::bigint - 122, value) from jsonb_each(passed))
      where key = ${`standard ${owner}`}`),
  )
  // Each process asks the row again after a while. Requests that it has not reported yet count again.
  await until(async () => {
    const waits = await Promise.all(processes.map(({ limits }) => limits.take('standard', owner)))
    return waits.every(wait => wait === 0)
  }, 'Nothing passes again.')
  assert.ok((await flood(processes, 1_700, owner)) > 2_800)
})

test('requests are reported before they are a minute old, even if no permits are needed', async () => {
  let now = 1_000_000
  const reported: number[] = []
  const limits = createSharedLimits(
    perMinute,
    async (_number, requests) => {
      reported.push(...requests.map(({ passed }) => passed.reduce((sum, { n }) => sum + n, 0)))
      return requests.map(({ wanted }) => ({ granted: wanted, waitMs: 0, left: 1_000 }))
    },
    () => now,
  )
  const beat = () =>
    limits.onHeartbeat({ reportedSharing: true, recentApiCount: 1, doAllShare: true, sentAt: now })
  await beat()
  assert.equal(await limits.take('standard', 'a'), 0)
  const first = now
  reported.length = 0
  for (; now <= first + 45_000; now += 1_000) {
    await beat()
    assert.equal(await limits.take('standard', 'a'), 0)
    assert.deepEqual(reported, [], `after ${now - first} ms`)
  }
  await beat()
  await until(async () => reported.length > 0, 'Nothing was reported.')
  assert.deepEqual(reported, [47])
})

test('a process whose requests become rare returns its large block, although it is not idle', async () => {
  let now = 1_000_000
  let held = 0
  const limits = createSharedLimits(
    perMinute,
    async (_number, requests) =>
      requests.map(({ holding, wanted }) => {
        held = holding + wanted
        return { granted: wanted, waitMs: 0, left: 1_000 }
      }),
    () => now,
  )
  const second = async (count: number) => {
    await limits.onHeartbeat({ reportedSharing: true, recentApiCount: 1, doAllShare: true, sentAt: now })
    await Promise.all(Array.from({ length: count }, () => limits.take('standard', 'a')))
    now += 1_000
  }
  await second(101)
  assert.equal(held, 100)
  for (let seconds = 1; seconds <= 4; seconds++) await second(1)
  assert.ok(held <= 50, `${held} are held for one request a second`)
})

test('a process without a heartbeat for four seconds does not use its permits', async () => {
  let now = 1_000_000
  let statements = 0
  const limits = createSharedLimits(
    perMinute,
    async (_number, requests) => {
      statements++
      return requests.map(({ wanted }) => ({ granted: wanted, waitMs: 0, left: 0 }))
    },
    () => now,
  )
  const reply = { reportedSharing: true, recentApiCount: 1, doAllShare: true }
  await limits.onHeartbeat({ ...reply, sentAt: now })
  assert.equal(await limits.take('standard', 'a'), 0)
  now += 3_900
  assert.equal(limits.take('standard', 'a'), 0)
  assert.equal(statements, 1)
  now += 200
  assert.ok(limits.take('standard', 'a') instanceof Promise)
})
