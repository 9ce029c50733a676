import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import {
  downloadLease,
  type LeasedImport,
  leaseNext,
} from '../../../src/consignment-imports/downloads/lease-next.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { openImports, setUp } from '../../support/given-imports.ts'
import { until } from '../../support/service-process.ts'

const given = await openImports()
const { world, post } = given
const { admin, database } = world

const notesWith = (...attachments: object[]) => ({ notes: [{ note: 'See the files.', attachments }] })
const worker = newId()
const aFile = { downloadUrl: 'https://192.0.2.1/a.pdf' }

afterEach(() =>
  database.atomically(tx => tx.run(sql`update consignment_import set due_utc = null, status = 4`)),
)

test('an import with a lease that is not renewed is free again within eight seconds', async () => {
  const id = await post(notesWith(aFile))
  const first = (await leaseNext(database, worker, [])) as LeasedImport
  assert.equal(first.id, id)
  assert.equal(await leaseNext(database, worker, []), undefined, 'no other worker gets it meanwhile')
  const { seconds } = await database.db.row<{ seconds: number }>(sql`
    select extract(epoch from due_utc - now())::float8 as seconds from consignment_import where id = ${id}`)
  assert.ok(seconds < 8, String(seconds))
  const second = await until(() => leaseNext(database, worker, []), 'It was never free.')
  assert.equal(second.id, id)
  assert.equal(
    await downloadLease.end(database, first, sql`attempts = 9`),
    0,
    'a worker that lost the lease has no effect',
  )
  assert.equal(await downloadLease.end(database, second, sql`attempts = 1`), 1)
})

test('the leases of a worker that died are freed at once, and those of others are not', async () => {
  const ids = [await post(notesWith(aFile)), await post(notesWith(aFile))]
  const dead = newId()
  const lost = (await leaseNext(database, dead, [])) as LeasedImport
  const kept = (await leaseNext(database, worker, [])) as LeasedImport
  assert.deepEqual([lost.id, kept.id], ids)
  assert.equal(await downloadLease.returnRowsOf(database, [dead]), 1)
  assert.equal(await downloadLease.returnRowsOf(database, [dead]), 0, 'once')
  assert.equal((await leaseNext(database, worker, []))?.id, lost.id)
  assert.equal(await leaseNext(database, worker, []), undefined)
  assert.equal(
    await downloadLease.end(database, lost, sql`attempts = 9`),
    0,
    'if that worker is still alive, it has no effect',
  )
})

test('a worker renews its lease while it works, and learns that it has lost it', async t => {
  await post(notesWith(aFile))
  const leased = (await leaseNext(database, worker, [])) as LeasedImport
  const endsAt = async () =>
    (
      await database.db.row<{ endsAt: number }>(
        sql`select extract(epoch from due_utc)::float8 as ends_at from consignment_import where id = ${leased.id}`,
      )
    ).endsAt
  const before = await endsAt()
  t.mock.timers.enable({ apis: ['setInterval'] })
  await downloadLease.whileRenewed(database, leased, async lost => {
    t.mock.timers.tick(4_000)
    await until(async () => (await endsAt()) > before || undefined, 'The lease was never renewed.')
    assert.equal(lost.aborted, false)
    await downloadLease.end(database, leased, sql`due_utc = now()`)
    t.mock.timers.tick(4_000)
    await until(async () => lost.aborted || undefined, 'It never learned that its lease was lost.')
  })
})

test('an import that was discarded while it was leased stays discarded', async () => {
  const id = await post(notesWith(aFile))
  const leased = (await leaseNext(database, worker, [])) as LeasedImport
  await database.atomically(tx =>
    tx.run(sql`update consignment_import set status = 4, due_utc = null where id = ${id}`),
  )
  assert.equal(await downloadLease.end(database, leased, sql`due_utc = now()`), 0)
})

test('of the organisations below their limit, the one with the import due longest comes next', async () => {
  const other = await world.stranger()
  await setUp(other)
  const ours = [await post(notesWith(aFile)), await post(notesWith(aFile))]
  const theirs = await post(notesWith(aFile), other)
  const { organisationId } = admin.actor
  assert.equal((await leaseNext(database, worker, [organisationId]))?.id, theirs)
  assert.equal(await leaseNext(database, worker, [organisationId]), undefined)
  assert.deepEqual(
    [(await leaseNext(database, worker, []))?.id, (await leaseNext(database, worker, []))?.id],
    ours,
  )
})

test('while one worker leases an import, others find the next, of its organisation or another', async () => {
  const other = await world.stranger()
  await setUp(other)
  const [first, second] = [await post(notesWith(aFile)), await post(notesWith(aFile))]
  const third = await post(notesWith(aFile), other)
  await database.atomically(async tx => {
    const uncommitted = {
      ...database,
      inOneStatement: <T>(work: (inner: typeof tx) => Promise<T>) => work(tx),
    }
    assert.equal((await leaseNext(uncommitted, worker, []))?.id, first)
    assert.equal((await leaseNext(database, worker, []))?.id, second)
    assert.equal((await leaseNext(database, worker, []))?.id, third)
    assert.equal(await leaseNext(database, worker, []), undefined)
  })
})

test('only the files of a request with a downloadUrl are kept in memory while they are fetched', async () => {
  const content = Buffer.from('hello').toString('base64')
  await post({
    notes: [
      { note: 'No files.' },
      { note: 'None either.', attachments: null },
      {
        note: 'Both kinds.',
        attachments: [
          { fileName: 'a.txt', content },
          { ...aFile, contentType: 'application/pdf' },
        ],
      },
    ],
  })
  const leased = await leaseNext(database, worker, [])
  assert.deepEqual(leased?.files, [
    { fileName: null, contentType: 'application/pdf', downloadUrl: aFile.downloadUrl },
  ])
})
