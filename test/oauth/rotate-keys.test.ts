import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { startKeyRotation } from '../../src/oauth/rotate-keys.ts'
import { sql } from '../../src/platform/database/db.ts'
import {
  callApi,
  clientCredentials,
  givenApp,
  openProcess,
  read,
  secretBox,
  until,
} from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const { url } = await openProcess(database)
const { url: other } = await openProcess(database)
const app = await givenApp(database)
const log = pino({ level: 'silent' })

/** Makes the keys older by some days. */
const later = (days: number) =>
  database.atomically(tx =>
    tx.run(sql`update signing_key set created_utc = created_utc - make_interval(secs => ${days * 86_400})`),
  )

interface Key {
  kid: string
  retired: boolean
}
const keys = () =>
  database.db.rows<Key>(
    sql`select kid, retired_utc is not null as retired from signing_key order by created_utc desc`,
  )

/** Runs several workers at the same time until each has checked the keys once. */
async function workersLook(): Promise<void> {
  const loops = Array.from({ length: 5 }, () => startKeyRotation({ database, secretBox, log }))
  await Promise.all(loops.map(loop => loop.stop()))
}

const token = async (at: string) => (await clientCredentials(at, app)).body.access_token as string
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid

test('after 90 days several workers add one key; every token stays valid until it expires; then the old key is retired', async () => {
  await workersLook()
  const [first, ...none] = await keys()
  assert.deepEqual(none, [])
  await later(89.9)
  await workersLook()
  assert.equal((await keys()).length, 1)
  const old = await token(url)
  assert.equal(kidOf(old), first?.kid)

  await later(0.2)
  await workersLook()
  const [second] = await keys()
  assert.deepEqual(
    (await keys()).map(key => key.retired),
    [false, false],
  )
  await until(async () => kidOf(await token(url)) === second?.kid)
  const fresh = await token(url)
  for (const at of [url, other])
    for (const jwt of [old, fresh]) assert.equal((await callApi(at, jwt)).status, 200)
  assert.equal((await read(url, '/connect/jwks')).body.keys.length, 2)

  await later(2 / 24)
  await workersLook()
  assert.equal((await callApi(url, old)).status, 200, 'a token signed at the last moment may still be valid')
  await later(1.1 / 24)
  await workersLook()
  assert.deepEqual(
    (await keys()).map(key => key.retired),
    [false, true],
  )
  await until(async () => (await read(url, '/connect/jwks')).body.keys.length === 1)
  assert.equal((await callApi(url, fresh)).status, 200)
})
