import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { createAdapter, startOAuthCleanup } from '../../src/oauth/adapter.ts'
import { endAllAccess } from '../../src/oauth/end-sessions.ts'
import { sql } from '../../src/platform/database/db.ts'
import { secretBox } from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const tokens = createAdapter(database, secretBox, 'RefreshToken')
const sessions = createAdapter(database, secretBox, 'Session')
const codes = createAdapter(database, secretBox, 'AuthorizationCode')
const grants = createAdapter(database, secretBox, 'Grant')
const ada = uuidv7()

test('a record is found by its id, only in its model, with the payload stored last', async () => {
  await tokens.upsert('one', { jti: 'one', accountId: ada, nonce: 'a\u0000b' }, 60)
  await tokens.upsert('one', { jti: 'one', accountId: ada, nonce: 'c' }, 60)
  assert.deepEqual(await tokens.find('one'), { jti: 'one', accountId: ada, nonce: 'c' })
  assert.equal(await sessions.find('one'), undefined)
  await tokens.destroy('one')
  assert.equal(await tokens.find('one'), undefined)
})

test('a session is found by its uid', async () => {
  await sessions.upsert('cookie', { jti: 'cookie', uid: 'u1' }, 60)
  assert.deepEqual(await sessions.findByUid('u1'), { jti: 'cookie', uid: 'u1' })
})

test('a record without an expiry lasts, and an expired one is not found', async () => {
  await tokens.upsert('lasting', { jti: 'lasting' })
  await tokens.upsert('brief', { jti: 'brief' }, -1)
  assert.ok(await tokens.find('lasting'))
  assert.equal(await tokens.find('brief'), undefined)
})

test('only one of 50 parallel uses consumes a code, and its grant ends with everything issued for it', async () => {
  await grants.upsert('g0', { jti: 'g0', accountId: ada }, 1e9)
  await codes.upsert('once', { jti: 'once', grantId: 'g0' }, 60)
  const first = codes.consume('once')
  await first
  await tokens.upsert('issued', { jti: 'issued', grantId: 'g0' }, 60)
  assert.ok(Math.abs(((await codes.find('once')) as { consumed: number }).consumed - Date.now() / 1000) < 60)
  const uses = await Promise.allSettled(Array.from({ length: 49 }, () => codes.consume('once')))
  assert.ok(uses.every(use => use.status === 'rejected' && use.reason.error === 'invalid_grant'))
  assert.equal(await grants.find('g0'), undefined)
  assert.equal(await tokens.find('issued'), undefined)

  await codes.upsert('raced', { jti: 'raced' }, 60)
  const race = await Promise.allSettled(Array.from({ length: 50 }, () => codes.consume('raced')))
  assert.equal(race.filter(use => use.status === 'fulfilled').length, 1)
})

test('a code is used once, even if the second use began first', async () => {
  await codes.upsert('overtaken', { jti: 'overtaken' }, 60)
  await codes.consume('overtaken')
  // The overtaken use finds a time of use that is later than its own start.
  await database.atomically(tx =>
    tx.run(
      sql`update oauth_record set consumed_utc = now() + interval '1 second' where consumed_utc is not null`,
    ),
  )
  assert.ok(((await codes.find('overtaken')) as { consumed?: number }).consumed)
  await assert.rejects(codes.consume('overtaken'), { error: 'invalid_grant' })
})

test('a used refresh token can be used again for 30 seconds, and then counts as used', async () => {
  await tokens.upsert('rotated', { jti: 'rotated' }, 60)
  const ago = (seconds: number) =>
    database.atomically(tx =>
      tx.run(
        sql`update oauth_record set consumed_utc = now() - make_interval(secs => ${seconds})
          where consumed_utc is not null`,
      ),
    )
  for (let use = 0; use < 3; use++) await tokens.consume('rotated')
  assert.equal(((await tokens.find('rotated')) as { consumed?: number }).consumed, undefined)
  await ago(29)
  await tokens.consume('rotated')
  // Using it again does not extend the time.
  await ago(31)
  assert.ok(((await tokens.find('rotated')) as { consumed?: number }).consumed)
  await assert.rejects(tokens.consume('rotated'), { error: 'invalid_grant' })
})

test('a grant lasts as long as what was issued for it, and not long without', async () => {
  const daysLeft = async () =>
    (
      await database.db.row<{ days: number }>(sql`
      select extract(epoch from expires_utc - now()) / 86400 as days from oauth_record where model = 'Grant'
        and grant_id = 'g3'`)
    ).days
  await grants.upsert('g3', { jti: 'g3', accountId: ada }, 100 * 365 * 86_400)
  assert.ok((await daysLeft()) < 0.05)
  await tokens.upsert('t3', { jti: 't3', grantId: 'g3' }, 90 * 86_400)
  assert.ok((await daysLeft()) > 89.9)
  await codes.upsert('c3', { jti: 'c3', grantId: 'g3' }, 60)
  assert.ok((await daysLeft()) > 89.9)
})

test('ending the access of a person deletes all of their records, and none of other people', async () => {
  const [ben, cas] = [uuidv7(), uuidv7()]
  for (const person of [ben, cas]) {
    await sessions.upsert(`s ${person}`, { jti: 's', uid: `u ${person}`, accountId: person }, 60)
    await tokens.upsert(`t ${person}`, { jti: 't', accountId: person }, 60)
  }
  await database.atomically(tx => endAllAccess(tx, { organisationId: uuidv7(), userId: ben }))
  assert.equal(await sessions.find(`s ${ben}`), undefined)
  assert.equal(await tokens.find(`t ${ben}`), undefined)
  assert.ok((await sessions.find(`s ${cas}`)) && (await tokens.find(`t ${cas}`)))
})

test('revoking a grant ends its records and no others', async () => {
  await tokens.upsert('mine', { jti: 'mine', grantId: 'g1' }, 60)
  await tokens.upsert('theirs', { jti: 'theirs', grantId: 'g2' }, 60)
  await tokens.revokeByGrantId('g1')
  assert.equal(await tokens.find('mine'), undefined)
  assert.ok(await tokens.find('theirs'))
})

test('expired records are deleted in batches, and the others stay', async () => {
  await database.atomically(tx =>
    tx.run(sql`insert into oauth_record (model, id_hash, payload, expires_utc)
      select 'Session', decode(md5(n::text), 'hex'), '\\x00', now() - interval '1 minute'
        from generate_series(1, 2500) n`),
  )
  const expired = async () =>
    (
      await database.db.row<{ n: number }>(
        sql`select count(*) as n from oauth_record where expires_utc < now()`,
      )
    ).n
  const loop = startOAuthCleanup({ database, log: pino({ level: 'silent' }) })
  while ((await expired()) > 0) await new Promise(resolve => setTimeout(resolve, 20))
  await loop.stop()
  assert.ok(await tokens.find('lasting'))
})
