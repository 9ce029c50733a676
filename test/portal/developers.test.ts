// Apps and webhooks, as an integrator sets them up in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'
import { assertWithin } from '../support/tasks.ts'

const { url, givenPerson } = await openPortal(await openWorld())
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/developers')
  return { visitor, page: visitor.page }
}

test('an app gets a secret that is shown once, and another one in its place', options, async () => {
  const { visitor, page } = await visit()
  await page.getByRole('button', { name: 'New app' }).click()
  const dialog = page.getByRole('dialog', { name: 'New app' })
  await dialog.getByLabel('Name').fill('Kauri shop')
  await dialog.getByRole('checkbox', { name: 'See consignments', exact: true }).check()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'New app' }).click()

  const shown = page.getByRole('dialog', { name: 'Client secret' })
  const secret = () => shown.getByRole('textbox', { name: 'Client secret' }).inputValue()
  const first = await secret()
  assert.ok(first.length >= 32)
  assertWithin(visitor, 'a new app')
  const done = shown.getByRole('button', { name: 'Done' })
  assert.equal(await done.isDisabled(), true)
  await page.keyboard.press('Escape')
  await assertAccessible(page)
  await shown.getByLabel('I have kept it').check()
  await done.click()
  await shown.waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(first), false)

  visitor.forgetClicks()
  await page.getByRole('button', { name: 'Rotate secret: Kauri shop' }).click()
  const rotate = page.getByRole('dialog', { name: 'Rotate secret' })
  await rotate.getByLabel('Overlap in hours').fill('2')
  await rotate.getByRole('button', { name: 'Rotate secret' }).click()
  assert.notEqual(await secret(), first)
  assertWithin(visitor, 'rotate a secret')
  await shown.getByLabel('I have kept it').check()
  await done.click()

  await page.getByRole('button', { name: 'Run action: Kauri shop' }).click()
  const run = page.getByRole('dialog', { name: 'Run action' })
  await run.getByLabel('Action').fill('resend-orders')
  await run.getByLabel('Data').fill('[1]')
  await run.locator('[aria-invalid=true]').waitFor()
  assert.equal(await run.getByRole('button', { name: 'Run action' }).isDisabled(), true)
  await run.getByLabel('Data').fill('{"since": "2026-11-01"}')
  await assertAccessible(page)
  await run.getByRole('button', { name: 'Run action' }).click()
  await page.getByText('Kauri shop is asked to do it').waitFor()

  await page.getByRole('button', { name: 'Disable: Kauri shop' }).click()
  const disable = page.getByRole('dialog', { name: 'Disable' })
  await disable.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Kauri shop is disabled').waitFor()
  await page.getByRole('button', { name: 'Enable: Kauri shop' }).click()
  await page.getByText('Kauri shop is enabled').waitFor()
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('a URL is subscribed to an event with a key that signs', options, async () => {
  const { visitor, page } = await visit()
  await page.getByRole('button', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  const subscribe = dialog.getByRole('button', { name: 'New subscription' })
  await dialog.getByLabel('URL').fill('http://hooks.example.com/')
  await dialog.getByLabel('Signing key').fill('kept by the receiver')
  await subscribe.click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await assertAccessible(page)
  visitor.forgetClicks()
  await dialog.getByLabel('URL').fill('https://hooks.example.com/waybill')
  await subscribe.click()
  const grid = page.getByRole('grid', { name: 'Webhooks' })
  const row = grid.getByRole('row').filter({ hasText: 'https://hooks.example.com/waybill' })
  assert.match(String(await row.textContent()), /Consignment status updated.*Active/)
  assertWithin(visitor, 'subscribe a URL')
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('a subscription is tested, and deleted after a question', options, async () => {
  const { visitor, page } = await visit()
  await page.getByRole('link', { name: 'https://hooks.example.com/waybill' }).click()
  await page.getByRole('heading', { level: 1, name: 'https://hooks.example.com/waybill' }).waitFor()
  await page.getByText('Nothing was delivered yet.').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('A test is on its way').waitFor()
  await page.getByRole('grid', { name: 'Deliveries' }).getByText('Not tried yet').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No subscriptions yet.').waitFor()
  assertNoFaults(visitor)
})

test('a reader sees the apps, and no act', options, async () => {
  const { page } = await visit({ role: 'reader' })
  const apps = page.getByRole('region', { name: 'Apps' })
  await apps.getByText('Built in').waitFor()
  await page.getByRole('region', { name: 'Webhooks' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
})
