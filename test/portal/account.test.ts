// A person's own account in a browser: their password, and signing out everywhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { newVisitor, signInAs } from '../support/browse.ts'
import { givenUser, password } from '../support/given-people.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'

const world = await openWorld()
const { admin, database } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }
const chosen = 'a password of my own'

async function visit(email: string, secret?: string) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, email, secret)
  return visitor
}

test('a person changes their password, and signs in with the new one', options, async () => {
  const email = await givenPerson()
  const visitor = await visit(email)
  const { page } = visitor
  await visitor.open('/me')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  const save = dialog.getByRole('button', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill('not my password')
  await dialog.getByLabel('New password', { exact: true }).fill(chosen)
  await dialog.getByLabel('New password again').fill(`${chosen}!`)
  await dialog.getByText('This is not the same password.').waitFor()
  assert.ok(await save.isDisabled())
  await dialog.getByLabel('New password again').fill(chosen)
  await save.click()
  await dialog.getByText('Is not your password.').waitFor()
  await assertAccessible(page)
  await dialog.getByLabel('Current password').fill(password)
  await save.click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
  await visit(email, chosen)
})

test('signing out everywhere ends another browser at once', options, async () => {
  const email = await givenPerson()
  const [here, elsewhere] = [await visit(email), await visit(email)]
  await elsewhere.open('/')
  await here.open('/me')
  await here.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await here.page.getByRole('heading', { name: 'Signed out' }).waitFor()
  await elsewhere.page.reload()
  await elsewhere.page.getByLabel('Email address').waitFor()
})

test('somebody who is new chooses a password by the link that they got, and signs in', options, async () => {
  const { organisationId } = admin.actor
  const { userId, email } = await givenUser(database, { organisationId, password: null })
  const token = new URL((await admin.post(`/v1/users/${userId}/invitation`)).body.url).search
  const { page } = await newVisitor(url)
  await page.goto(`/connect/password${token}`)
  await assertAccessible(page)
  await page.getByLabel('New password').fill('too short')
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('The password must have at least 12 characters.').waitFor()
  await assertAccessible(page)
  await page.getByLabel('New password').fill(chosen)
  await page.getByRole('button', { name: 'Save password' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(chosen)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
})
