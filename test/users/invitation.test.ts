// Links by which people set their passwords, and the page that they open.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { openProcess } from '../support/given-oauth.ts'
import { freeAddress, givenUser, password } from '../support/given-people.ts'
import { openWorld } from '../support/harness.ts'

const { admin, as, database } = await openWorld()
const { organisationId } = admin.actor
const { url } = await openProcess(database, { authUrl: await freeAddress() })
const chosen = 'a password of my own'

async function invite(userId: string) {
  const answer = await admin.post(`/v1/users/${userId}/invitation`)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const token = new URL(answer.body.url).searchParams.get('token') as string
  return {
    token,
    link: `${url}/connect/password?token=${token}`,
    expiresUtc: answer.body.expiresUtc as string,
  }
}

const submit = (token: string, typed: string) =>
  fetch(`${url}/connect/password`, {
    method: 'POST',
    body: new URLSearchParams({ token, password: typed }),
  })

const isOver = async (token: string) => {
  const page = await fetch(`${url}/connect/password?token=${token}`)
  assert.match(await page.text(), page.status === 404 ? /This link is over/ : /Choose a password/)
  return page.status === 404
}

const hashOf = async (userId: string) =>
  (
    await database.db.row<{ passwordHash: string }>(
      sql`select password_hash from app_user where id = ${userId}`,
    )
  ).passwordHash

test('a person who is new chooses a password by a link, once', async () => {
  const { userId, email } = await givenUser(database, { organisationId, password: null })
  const { token, link, expiresUtc } = await invite(userId)
  const hours = (Date.parse(expiresUtc) - Date.now()) / 3_600_000
  assert.ok(hours > 71.9 && hours <= 72, String(hours))
  const page = await fetch(link)
  assert.equal(page.status, 200)
  assert.match(await page.text(), new RegExp(`Choose a password.*${email}`, 's'))
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  const weak = await submit(token, 'too short')
  assert.equal(weak.status, 400)
  assert.match(await weak.text(), />The password must have at least 12 characters\.</)
  assert.match(await (await submit(token, chosen)).text(), /Your password is saved/)
  assert.equal((await admin.get(`/v1/users/${userId}`)).body.hasPassword, true)
  assert.equal((await submit(token, 'another password')).status, 404)
  assert.ok(await isOver(token))
})

test('a new link ends the last one, and a link ends after its time', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const first = await invite(userId)
  const second = await invite(userId)
  assert.deepEqual([await isOver(first.token), await isOver(second.token)], [true, false])
  await database.inOneStatement(tx =>
    tx.run(
      sql`update user_invitation set expires_utc = now() - interval '1 second' where user_id = ${userId}`,
    ),
  )
  const before = await hashOf(userId)
  assert.equal((await submit(second.token, chosen)).status, 404)
  assert.equal(await hashOf(userId), before)
})

test('a link that is used twice at once sets one password', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const { token } = await invite(userId)
  const answers = await Promise.all([submit(token, `${chosen} 1`), submit(token, `${chosen} 2`)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
})

test('a disabled person gets no link, and those that there are are dead', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const { token } = await invite(userId)
  assert.equal((await admin.put(`/v1/users/${userId}`, { isDisabled: true })).status, 200)
  assert.ok(await isOver(token))
  assert.equal((await submit(token, chosen)).status, 404)
  const { status, body } = await admin.post(`/v1/users/${userId}/invitation`)
  assert.deepEqual([status, body.ErrorMessages], [400, ['The user is disabled. Enable the user first.']])
})

test('choosing a password by a link ends the sign-ins of the person', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const session = async () =>
    (await database.db.row<{ n: number }>(sql`select session_number as n from app_user where id = ${userId}`))
      .n
  const before = await session()
  await submit((await invite(userId)).token, chosen)
  assert.equal(await session(), before + 1)
})

test('a password that is set in another way ends the link', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const own = as(admin, { userId })
  for (const set of [
    () => admin.put(`/v1/users/${userId}/password`, { password: `${password} 1` }),
    () => own.put('/v1/me/password', { currentPassword: `${password} 1`, newPassword: `${password} 2` }),
  ]) {
    const { token } = await invite(userId)
    assert.equal((await set()).status, 200)
    assert.ok(await isOver(token))
  }
})

test('the history says who gave a link, and never the link', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const { token } = await invite(userId)
  await submit(token, chosen)
  const { organisationHistory } = (await admin.get(`/v1/organisation/history?SubjectId=${userId}`)).body
  const fields = organisationHistory.map(
    ({ userFullName, changes }: { userFullName: string | null; changes: { field: string }[] }) => [
      changes.map(({ field }) => field).join(),
      userFullName !== null,
    ],
  )
  assert.deepEqual(fields.slice(0, 2), [
    ['password', false],
    ['invitedUtc', true],
  ])
  assert.ok(!JSON.stringify(organisationHistory).includes(token))
  const stored = await database.db.rows(sql`select token_hash::text from user_invitation`)
  assert.ok(!JSON.stringify(stored).includes(token))
})

test('only who may administer invites, and only people of their own organisation', async () => {
  const { userId } = await givenUser(database, { organisationId })
  const path = `/v1/users/${userId}/invitation`
  assert.equal((await as(admin, { scopes: ['organisation.read'] }).post(path)).status, 403)
  assert.equal((await admin.post('/v1/users/00000000-0000-7000-8000-000000000000/invitation')).status, 404)
})

test('nonsense instead of a link is a link that is over', async () => {
  for (const query of [
    '',
    '?token=',
    '?token=a&token=b',
    `?token=${'%00'.repeat(10)}`,
    `?token=${'x'.repeat(4_000)}`,
  ])
    assert.equal((await fetch(`${url}/connect/password${query}`)).status, 404, query)
  assert.equal((await submit('', password)).status, 404)
})
