import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import {
  type AttemptCounter,
  browserCounter,
  forgetFailures,
  networkCounter,
  newKnownBrowserToken,
  refundAttempt,
  takeAttempt,
  unfinishedSignInsCounter,
  userCounter,
  verifyKnownBrowserToken,
} from '../../src/oauth/sign-in-throttle.ts'
import { type Database, sql } from '../../src/platform/database/db.ts'
import { openProcess } from '../support/given-oauth.ts'
import {
  authorise,
  authorizeQuery,
  type Browser,
  freeAddress,
  givenPeopleApp,
  givenUser,
  openBrowser,
  password,
} from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, { authUrl: url, trustProxy: 1 })
const app = await givenPeopleApp(database)
const { organisationId } = app

/** Moves the counted attempts into the past. */
const later = (seconds: number) =>
  database.atomically(tx =>
    tx.run(sql`update sign_in_failure set last_utc = last_utc - make_interval(secs => ${seconds})`),
  )
const someAccount = () => userCounter(uuidv7())
let hosts = 0
const someAddress = () => `10.0.${Math.floor(hosts / 250)}.${++hosts % 250}`

test('five failures of an account are free; then pauses of one, two, four … minutes follow, at most a quarter of an hour', async () => {
  const account = someAccount()
  for (let i = 0; i < 5; i++) assert.equal(await takeAttempt(database, [account]), 0)
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    const wait = await takeAttempt(database, [account])
    waits.push(wait)
    // An attempt that is a second too early is refused and does not count.
    await later(wait - 1.5)
    assert.ok((await takeAttempt(database, [account])) > 0)
    await later(1.5)
    assert.equal(await takeAttempt(database, [account]), 0)
  }
  assert.ok((waits[0] ?? 0) <= 60 && (waits[0] ?? 0) >= 58)
  assert.ok((waits[1] ?? 0) > 100 && (waits[2] ?? 0) > 190)
  assert.ok(waits.every(wait => wait <= 900))
  assert.ok((waits.at(-1) ?? 0) >= 890)
  // After a day without attempts all failures are forgotten.
  await later(86_400)
  for (let i = 0; i < 5; i++) assert.equal(await takeAttempt(database, [account]), 0)
  assert.ok((await takeAttempt(database, [account])) > 0)
})

test('50 concurrent attempts do not exceed the limit', async () => {
  const account = someAccount()
  const waits = await Promise.all(
    Array.from({ length: 50 }, () => takeAttempt(database, [account, networkCounter(someAddress())])),
  )
  assert.equal(waits.filter(wait => wait === 0).length, 5)
  assert.ok(waits.every(wait => wait >= 0 && wait <= 60))
})

test('an address has 30 free failures over all accounts, and one more every half minute', async () => {
  const address = networkCounter(someAddress())
  for (let i = 0; i < 30; i++) assert.equal(await takeAttempt(database, [someAccount(), address]), 0)
  const blocked = someAccount()
  assert.ok((await takeAttempt(database, [blocked, address])) > 0)
  // Refused attempts are not counted.
  for (let i = 0; i < 5; i++) assert.equal(await takeAttempt(database, [blocked]), 0)
  await later(15 * 60)
  for (let i = 0; i < 30; i++)
    assert.equal(await takeAttempt(database, [someAccount(), address]), 0, String(i))
})

test('attempts that were taken back or reset do not count', async () => {
  const account = someAccount()
  for (let i = 0; i < 40; i++) {
    assert.equal(await takeAttempt(database, [account]), 0)
    await refundAttempt(database, account)
  }
  for (let i = 0; i < 5; i++) await takeAttempt(database, [account])
  await forgetFailures(database, account)
  assert.equal(await takeAttempt(database, [account]), 0)
})

/** Stores as many failures as an attack would, so that statements use the index. */
async function fillTable(): Promise<void> {
  await database.atomically(async tx => {
    await tx.run(sql`insert into sign_in_failure (key_hash, failures, last_utc)
      select sha256(n::text::bytea), 1, now() from generate_series(1, 20000) n on conflict do nothing`)
    await tx.run(sql`analyze sign_in_failure`)
  })
}

const emptyTable = () => database.atomically(tx => tx.run(sql`delete from sign_in_failure`))

/** The database, in which a transaction fails if it would have to be retried. */
const neverAgain: Database = {
  ...database,
  atomically(work) {
    let attempts = 0
    return database.atomically(tx => {
      assert.equal(++attempts, 1, 'the transaction was aborted and retried')
      return work(tx)
    })
  },
}

test('people who sign in from one address with right, wrong and unchecked passwords never block each other', async t => {
  t.after(emptyTable)
  const address = networkCounter(someAddress())
  const accounts = Array.from({ length: 5 }, someAccount)
  await fillTable()
  await Promise.all(
    Array.from({ length: 20 }, async (_, person) => {
      const account = accounts[person % accounts.length] as AttemptCounter
      const both = person % 2 === 0 ? [account, address] : [address, account]
      for (let i = person; i < person + 15; i++) {
        await takeAttempt(neverAgain, both)
        if (i % 3 === 0) await refundAttempt(database, account)
        if (i % 3 === 1) await forgetFailures(database, account)
        await refundAttempt(database, address)
      }
    }),
  )
})

test('of two pauses the longer one counts', async () => {
  const [one, two] = [someAccount(), someAccount()]
  for (const both of [
    [
      { ...one, free: 1 },
      { ...two, free: 0 },
    ],
    [
      { ...one, free: 0 },
      { ...two, free: 1 },
    ],
  ]) {
    await emptyTable()
    assert.equal(await takeAttempt(database, both), 0)
    const wait = await takeAttempt(database, both)
    assert.ok(wait > 110 && wait <= 120, String(wait))
  }
})

test('an IPv6 network is one address', () => {
  const key = (address: string) => networkCounter(address).key
  assert.equal(key('2001:db8:1:2:3:4:5:6'), key('2001:db8:1:2::9'))
  assert.equal(key('2001:DB8::1'), key('2001:db8:0:0:ffff::'))
  assert.notEqual(key('2001:db8:1:2::9'), key('2001:db8:1:3::9'))
  assert.equal(key('fe80::1%eth0'), key('fe80::2'))
  assert.notEqual(key('192.0.2.1'), key('192.0.2.2'))
  assert.notEqual(key('::ffff:192.0.2.1'), key('::ffff:192.0.2.2'))
})

test('the token of a known browser belongs to one browser and one person, and cannot be forged', () => {
  const [key, ada, ben] = [randomBytes(32), uuidv7(), uuidv7()]
  const mark = newKnownBrowserToken(key, ada)
  assert.ok(verifyKnownBrowserToken(key, ada, mark))
  assert.equal(verifyKnownBrowserToken(key, ben, mark), undefined)
  assert.equal(verifyKnownBrowserToken(randomBytes(32), ada, mark), undefined)
  for (const made of [undefined, '', 'x', mark.slice(1), `${mark}x`])
    assert.equal(verifyKnownBrowserToken(key, ada, made), undefined)
  assert.notEqual(browserCounter(ada, 'x').key, browserCounter(ben, 'x').key)
})

const query = `/connect/authorize?${authorizeQuery(app)}`
const fail = async (browser: Browser, email: string) =>
  browser.submit(await browser.open(query), 'sign-in', { email, password: 'wrong horse battery' })

test('strangers slow down sign-ins to an account, but not from a browser that its owner has used before', async () => {
  const { email } = await givenUser(database, { organisationId })
  const known = openBrowser(url, { 'x-forwarded-for': someAddress() })
  await known.submit(await known.open(query), 'sign-in', { email, password })
  known.cookies.delete('waybill_session /')
  const stranger = openBrowser(url, { 'x-forwarded-for': someAddress() })
  for (let i = 0; i < 5; i++) assert.equal((await fail(stranger, email)).status, 400)
  const refused = await fail(stranger, email.toUpperCase())
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(refused.html, /There were too many attempts\. Try again in a minute\./)

  // Even with the right password, so that guessing is no faster.
  const elsewhere = openBrowser(url, { 'x-forwarded-for': someAddress() })
  assert.equal(
    (await elsewhere.submit(await elsewhere.open(query), 'sign-in', { email, password })).status,
    429,
  )
  assert.equal((await known.submit(await known.open(query), 'sign-in', { email, password })).status, 200)
  await later(61)
  assert.equal(
    (await elsewhere.submit(await elsewhere.open(query), 'sign-in', { email, password })).status,
    200,
  )
})

test('accounts that do not exist are slowed down in the same way, and successful sign-ins do not count for an address', async () => {
  const stranger = openBrowser(url, { 'x-forwarded-for': someAddress() })
  for (let i = 0; i < 5; i++) assert.equal((await fail(stranger, 'nobody@example.com')).status, 400)
  assert.equal((await fail(stranger, 'nobody@example.com')).status, 429)
  const office = { 'x-forwarded-for': someAddress() }
  const { email } = await givenUser(database, { organisationId })
  for (let i = 0; i < 35; i++) {
    const browser = openBrowser(url, office)
    assert.equal(
      (await browser.submit(await browser.open(query), 'sign-in', { email, password })).status,
      200,
    )
  }
})

test('spellings of an email address that the database considers equal are the same account', async () => {
  const { email } = await givenUser(database, { organisationId, email: `vivi.${uuidv7()}@example.com` })
  const unknown = `vivi.${uuidv7()}@example.com`
  for (const address of [email, unknown]) {
    const spellings = ['vivi', 'vİvi', 'vivİ', 'VİVİ', 'VIvİ', 'ViVi'].map(name =>
      address.replace('vivi', name),
    )
    const statuses: number[] = []
    for (const spelling of spellings) {
      const stranger = openBrowser(url, { 'x-forwarded-for': someAddress() })
      statuses.push((await fail(stranger, spelling)).status)
    }
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429], address)
  }
})

test('a disabled account is slowed down like any other', async () => {
  const { email, userId } = await givenUser(database, { organisationId })
  await database.atomically(tx => tx.run(sql`update app_user set disabled_utc = now() where id = ${userId}`))
  const stranger = openBrowser(url, { 'x-forwarded-for': someAddress() })
  const again = async () =>
    (await stranger.submit(await stranger.open(query), 'sign-in', { email, password })).status
  for (let i = 0; i < 5; i++) assert.equal(await again(), 400)
  assert.equal(await again(), 429)
})

/** Fails 31 times with another account each time, and returns the last status. */
async function lastOf31(at: string, forwarded: (i: number) => string): Promise<number> {
  let last = 0
  for (let i = 0; i < 31; i++) {
    const browser = openBrowser(at, { 'x-forwarded-for': forwarded(i) })
    last = (await fail(browser, `${uuidv7()}@example.com`)).status
  }
  return last
}

test('an address that the caller puts before that of the proxy gives no additional attempts', async () => {
  assert.equal(await lastOf31(url, i => `10.9.${i}.7, 203.0.113.9`), 429)
  assert.equal(await lastOf31(url, i => `10.9.9.7, 203.0.113.${100 + i}`), 400, 'these are different callers')
})

test('proxies can be configured by network, and no other address is trusted', async () => {
  const [named, strange] = [await freeAddress(), await freeAddress()]
  await openProcess(database, { authUrl: named, trustProxy: ['127.0.0.0/8', '10.1.0.0/16'] })
  await openProcess(database, { authUrl: strange, trustProxy: ['10.1.0.0/16'] })
  assert.equal(await lastOf31(named, i => `198.51.100.${i}, 203.0.113.8, 10.1.2.3`), 429)
  assert.equal(await lastOf31(named, i => `198.51.100.7, 203.0.113.${150 + i}, 10.1.2.3`), 400)
  assert.equal(await lastOf31(strange, i => `198.51.100.${i}`), 429)
})

const storedInteractions = async () =>
  (
    await database.db.row<{ n: number }>(
      sql`select count(*) as n from oauth_record where model = 'Interaction'`,
    )
  ).n

test('a network that begins too many sign-ins has to wait, and nothing more is stored for it', async () => {
  const address = someAddress()
  const begin = (from: string) => openBrowser(url, { 'x-forwarded-for': from }).open(query)
  assert.equal((await begin(address)).status, 200)
  for (let i = 1; i < 100; i++)
    assert.equal(await takeAttempt(database, [unfinishedSignInsCounter(address)]), 0)
  const stored = await storedInteractions()
  const refused = await begin(address)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.match(refused.html, /Too many sign-ins were begun from your network.*in a minute/s)
  assert.equal(await storedInteractions(), stored)
  assert.equal((await begin(someAddress())).status, 200, 'other networks are not affected')
  await later(61)
  assert.equal((await begin(address)).status, 200)
})

test('a finished sign-in does not count, nor does asking whether anyone is signed in', async () => {
  const address = someAddress()
  const { email } = await givenUser(database, { organisationId })
  for (let i = 0; i < 99; i++) await takeAttempt(database, [unfinishedSignInsCounter(address)])
  for (let i = 0; i < 3; i++) {
    const browser = openBrowser(url, { 'x-forwarded-for': address })
    assert.equal((await browser.open(`${query}&prompt=none`)).status, 303)
    const page = await browser.open(query)
    assert.equal((await browser.submit(page, 'sign-in', { email, password })).status, 200)
  }
})

/** How many sign-ins count as begun and not finished from this address. */
const startedFrom = async (address: string) =>
  (
    await database.db.row<{ n: number }>(sql`
      select coalesce(max(ceil(failures)), 0)::int as n from sign_in_failure
      where key_hash = ${hash('sha256', unfinishedSignInsCounter(address).key, 'buffer')}`)
  ).n

test('a finished sign-in is taken off the network that began it, once, from wherever and however often the form is sent', async () => {
  const [home, elsewhere] = [someAddress(), someAddress()]
  const { email } = await givenUser(database, { organisationId })
  for (let i = 0; i < 3; i++) await openBrowser(url, { 'x-forwarded-for': home }).open(query)
  const browser = openBrowser(url, { 'x-forwarded-for': home })
  const page = await browser.open(query)
  await openBrowser(url, { 'x-forwarded-for': elsewhere }).open(query)
  assert.deepEqual([await startedFrom(home), await startedFrom(elsewhere)], [4, 1])

  const token = /name="form_token" value="([^"]*)"/.exec(page.html)?.[1] ?? ''
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const send = () =>
    fetch(page.url, {
      method: 'POST',
      body: new URLSearchParams({ form_token: token, decision: 'sign-in', email, password }),
      headers: { cookie, 'x-forwarded-for': elsewhere },
      redirect: 'manual',
    })
  const statuses = [...(await Promise.all([send(), send()])), await send()].map(({ status }) => status)
  assert.deepEqual(statuses, [303, 303, 303])
  assert.deepEqual([await startedFrom(home), await startedFrom(elsewhere)], [3, 1])
})

test('each parameter of an app has at most 2 kB, and is returned unchanged', async () => {
  const browser = openBrowser(url, { 'x-forwarded-for': someAddress() })
  const stored = await storedInteractions()
  for (const [name, value] of [
    ['state', 'x'.repeat(2_049)],
    ['state', 'ä'.repeat(1_025)],
    ['login_hint', 'x'.repeat(2_049)],
    ['scope', 'consignment '.repeat(200)],
  ] as const) {
    const page = await browser.open(`/connect/authorize?${authorizeQuery(app, { [name]: value })}`)
    assert.equal(page.status, 400)
    assert.match(page.html, new RegExp(`${name} must have at most 2048 bytes`))
  }
  assert.equal(await storedInteractions(), stored)
  const { email } = await givenUser(database, { organisationId })
  const state = 'ä'.repeat(1_024)
  assert.equal((await authorise(browser, app, email, { state })).state, state)
})
