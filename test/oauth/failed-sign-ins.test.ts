// The log messages for people and apps that could not authenticate.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askToken, openProcess } from '../support/given-oauth.ts'
import {
  authorizeQuery,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  password,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
const lines: string[] = []
await openProcess(database, { authUrl: url, lines })
const app = await givenPeopleApp(database)
const { organisationId, customAppId } = app
const ada = await givenUser(database, { organisationId })

const warnings = () => lines.map(line => JSON.parse(line)).filter(({ level }) => level === 40)

async function signIn(email: string, typed: string) {
  const browser = openBrowser(url)
  await browser.submit(await browser.open(`/connect/authorize?${authorizeQuery(app)}`), 'sign-in', {
    email,
    password: typed,
  })
}

test('a failed sign-in is logged with its address and account, and never with what was typed', async () => {
  lines.length = 0
  await signIn(ada.email, 'wrong horse battery')
  await signIn('wrong horse battery', password)
  const told = warnings().map(({ msg, userId, address, reason, ...rest }) => {
    assert.deepEqual([rest.organisationId, rest.customAppId], [organisationId, customAppId])
    return { msg, userId, address, reason }
  })
  const address = '127.0.0.1'
  assert.deepEqual(told, [
    { msg: 'a sign-in failed', userId: ada.userId, address, reason: 'wrong password' },
    { msg: 'a sign-in failed', userId: undefined, address, reason: 'unknown email address' },
  ])
  assert.doesNotMatch(lines.join(''), new RegExp(`wrong horse|${password}`))
  lines.length = 0
  await signIn(ada.email, password)
  assert.deepEqual(warnings(), [])
})

test('too many attempts are logged as such', async () => {
  for (let n = 0; n < 6; n++) await signIn(ada.email, 'wrong horse battery')
  assert.equal(warnings().at(-1).reason, 'too many attempts')
})

test('an app with a wrong secret is logged with its client id and address', async () => {
  lines.length = 0
  const secret = 'not the secret of this app'
  const { status } = await askToken(url, {
    grant_type: 'client_credentials',
    client_id: app.clientId,
    client_secret: secret,
  })
  assert.equal(status, 401)
  const [{ msg, clientId, address }] = warnings()
  assert.deepEqual([msg, clientId, address], ['client authentication failed', app.clientId, '127.0.0.1'])
  assert.ok(!lines.join('').includes(secret))
})
