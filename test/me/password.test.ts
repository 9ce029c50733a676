// People change their own passwords.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { givenUser, password } from '../support/given-people.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as, database } = await openWorld()
const path = '/v1/me/password'
const newPassword = 'a password of my own'

async function person() {
  const { userId, email } = await givenUser(database, { organisationId: admin.actor.organisationId })
  return { caller: as(admin, { userId, scopes: [] }), userId, email }
}

test('who knows their password changes it, and is signed out everywhere', async () => {
  const { caller, userId } = await person()
  const session = async () =>
    (await database.db.row<{ n: number }>(sql`select session_number as n from app_user where id = ${userId}`))
      .n
  const before = await session()
  assert.equal((await caller.put(path, { currentPassword: password, newPassword })).status, 200)
  assert.equal(await session(), before + 1)
  assert.equal((await caller.put(path, { currentPassword: password, newPassword })).status, 400)
  assert.equal((await caller.put(path, { currentPassword: newPassword, newPassword: password })).status, 200)
})

test('a wrong current password and a weak new one are told at their fields', async () => {
  const { caller, email } = await person()
  const faultOf = async (body: object) => {
    const answer = await caller.put(path, body)
    assert.equal(answer.status, 400)
    return answer.body.ErrorMessages
  }
  assert.deepEqual(await faultOf({ currentPassword: 'wrong', newPassword }), [
    'currentPassword is not your password.',
  ])
  assert.deepEqual(await faultOf({ currentPassword: password, newPassword: 'short' }), [
    'newPassword must have at least 12 characters.',
  ])
  assert.deepEqual(await faultOf({ currentPassword: password, newPassword: `x ${email}` }), [
    'newPassword must not contain the email address.',
  ])
})

test('guessing the current password is slowed down as signing in is', async () => {
  const { caller } = await person()
  for (let attempt = 0; attempt < 5; attempt++)
    assert.equal((await caller.put(path, { currentPassword: 'wrong', newPassword })).status, 400)
  const { status, headers } = await caller.put(path, { currentPassword: password, newPassword })
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) > 30)
})
