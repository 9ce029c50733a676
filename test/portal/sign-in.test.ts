// Signing in to the portal in a real browser: the page keeps no token that a script could read, breaks no rule of its
// policy, and comes back to where the person was.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { addPortal, readPortal } from '../../src/portal/pages.ts'
import { assertNoFaults, newVisitor, signInByHand } from '../support/browse.ts'
import { hasChromium } from '../support/chromium.ts'
import { givenApp, openProcess } from '../support/given-oauth.ts'
import { freeAddress, givenUser } from '../support/given-people.ts'
import { openTestDatabase } from '../support/harness.ts'

const portal = readPortal()
const skip = !hasChromium
  ? 'set CHROMIUM_PATH to the Chromium of this machine'
  : portal === undefined
    ? 'build the portal: npm run build -w portal'
    : false
const { database } = await openTestDatabase()
const url = await freeAddress()
await openProcess(database, {
  authUrl: url,
  addTo: app => addPortal(app, portal, pino({ level: 'silent' })),
})
const { organisationId } = await givenApp(database)
const { email } = await givenUser(database, { organisationId, fullName: 'Pia Planner' })

test('a person signs in and comes back to where they were going', { skip, timeout: 300_000 }, async () => {
  const visitor = await newVisitor(url)
  const { page } = visitor
  await page.goto('/consignments?view=all')
  await page.getByLabel('Email address').waitFor()
  await signInByHand(visitor, email)
  await visitor.open('/consignments?view=all')
  assert.equal(await page.title(), 'Consignments – Waybill')
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Consignments')
  assert.equal(new URL(page.url()).search, '?view=all')
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  assert.doesNotMatch(String(kept), /eyJ|access|refresh|verifier/, 'no token and no verifier is kept')
  const cookies = await visitor.context.cookies()
  const own = cookies.find(({ name }) => name === 'waybill-portal')
  assert.deepEqual([own?.httpOnly, own?.sameSite], [true, 'Strict'])
  assertNoFaults(visitor)
})

test('signing out shows it, in every tab, and keeps nobody signed in', {
  skip,
  timeout: 300_000,
}, async () => {
  const visitor = await newVisitor(url)
  const { page, context } = visitor
  await signInByHand(visitor, email)
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.getByRole('button', { name: 'Pia Planner' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Signed out' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email address').waitFor()
  assertNoFaults(visitor)
})

test('an address that does not exist says so', { skip, timeout: 300_000 }, async () => {
  const visitor = await newVisitor(url)
  await signInByHand(visitor, email)
  await visitor.open('/nowhere')
  assert.equal(await visitor.page.getByRole('heading', { level: 1 }).textContent(), 'Not here, or not yours')
  assertNoFaults(visitor)
})
