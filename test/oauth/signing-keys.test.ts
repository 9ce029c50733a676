import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { pino } from 'pino'
import { addSigningKey, openSigningKeys } from '../../src/oauth/signing-keys.ts'
import { type Db, sql } from '../../src/platform/database/db.ts'
import { createSecretBox } from '../../src/platform/secret-box.ts'
import {
  callApi,
  clientCredentials,
  givenApp,
  openProcess,
  secretBox,
  until,
} from '../support/given-oauth.ts'
import { openTestDatabase } from '../support/harness.ts'

const log = pino({ level: 'silent' })
const { database } = await openTestDatabase()

test('processes that start together create one key', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => openSigningKeys(database, secretBox, log)))
  const kids = opened.map(keys =>
    keys
      .current()
      .publicKeys.map(key => key.kid)
      .join(),
  )
  assert.equal(new Set(kids).size, 1)
  assert.equal((await database.db.rows(sql`select kid from signing_key`)).length, 1)
  for (const keys of opened) keys.close()
})

test('a process verifies tokens signed with a new key of another process, and old tokens stay valid', async () => {
  const app = await givenApp(database)
  const first = await openProcess(database)
  const before = (await clientCredentials(first.url, app)).body.access_token
  await database.atomically(tx => addSigningKey(tx, secretBox))
  const second = await openProcess(database)
  const after = (await clientCredentials(second.url, app)).body.access_token
  assert.notEqual(decodeProtectedHeader(after).kid, decodeProtectedHeader(before).kid)

  await until(async () => (await callApi(first.url, after)).status === 200)
  assert.equal((await callApi(second.url, before)).status, 200)
  // The process has learnt of the new key and signs with it.
  const now = (await clientCredentials(first.url, app)).body.access_token
  assert.equal(decodeProtectedHeader(now).kid, decodeProtectedHeader(after).kid)
})

test('made-up key ids cause one read of the database a second at most', async () => {
  let reads = 0
  const db: Db = {
    ...database.db,
    rows(query) {
      reads++
      return database.db.rows(query)
    },
  }
  const keys = await openSigningKeys({ ...database, db }, secretBox, log)
  const found = await Promise.all(Array.from({ length: 500 }, (_, i) => keys.verificationKey(`made-up ${i}`)))
  assert.ok(found.every(key => key === undefined))
  assert.equal(reads, 2)
  keys.close()
})

test('signing keys that were encrypted with another key prevent the start, with an explanation', async () => {
  await assert.rejects(
    openSigningKeys(database, createSecretBox(randomBytes(32)), log),
    /The signing key \S+ was encrypted with another key/,
  )
})
