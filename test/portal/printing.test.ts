// Printers, print jobs and bridges, as whoever looks after them works with them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openPrinters } from '../support/given-printers.ts'
import { assertWithin } from '../support/tasks.ts'

const { world, bridge, ids, print, job } = await openPrinters()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/printing')
  visitor.forgetClicks()
  return { visitor, page: visitor.page }
}

/** A job of which nobody knows whether it was printed. */
async function inDoubt(name: string): Promise<string> {
  const id = await print({ name })
  const [claimed] = await bridge.claim()
  assert.ok(claimed)
  assert.equal(await bridge.progress(claimed, { phase: 3 }), 200)
  const failed = { result: 2, phase: 3, isInDoubt: true, message: 'The connection broke.' }
  assert.equal(await bridge.progress(claimed, failed), 200)
  assert.equal((await job(id)).isInDoubt, true)
  return id
}

test('what is in doubt stands first and is printed again; what waits is cancelled', options, async () => {
  const doubtful = await inDoubt('Pallet label')
  const waiting = await print({ name: 'Picking list' })
  const { visitor, page } = await visit()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  const rows = jobs.getByRole('row')
  await rows.nth(1).getByText('In doubt').waitFor()
  await assertAccessible(page)
  await jobs.getByRole('link', { name: 'Pallet label' }).click()
  const dialog = page.getByRole('dialog', { name: 'Job' })
  await dialog.getByRole('cell', { name: 'The connection broke.' }).waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  visitor.forgetClicks()
  await jobs.getByRole('button', { name: 'Retry: Pallet label' }).click()
  await page.getByText('Pallet label is printed again').waitFor()
  assert.equal(visitor.clicks, 1)
  assert.equal((await job(doubtful)).status, 1)
  await jobs.getByRole('button', { name: 'Cancel job: Picking list' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel job' })
  await question.getByRole('button', { name: 'Cancel job' }).click()
  await page.getByText('Picking list is cancelled').waitFor()
  assert.equal((await job(waiting)).status, 5)
  const printers = page.getByRole('region', { name: 'Printers' })
  await printers.getByRole('button', { name: 'Test page: Office A4' }).click()
  await jobs.getByRole('link', { name: 'Test page' }).first().waitFor()
  assertNoFaults(visitor)
})

test('a bridge and a printer are set up; the command with the secret is shown once', options, async () => {
  const { visitor, page } = await visit({ role: 'administrator' })
  await page.getByRole('button', { name: 'New bridge' }).click()
  const making = page.getByRole('dialog', { name: 'New bridge' })
  await making.getByLabel('Name').fill('Site pc')
  await making.getByRole('button', { name: 'New bridge' }).click()
  await making.locator('[aria-invalid=true]').waitFor()
  visitor.forgetClicks()
  await making.getByLabel('Name').fill('Attic PC')
  await making.getByRole('button', { name: 'New bridge' }).click()
  const shown = page.getByRole('dialog', { name: 'Command' })
  const command = await shown.getByRole('textbox', { name: 'Command' }).inputValue()
  assert.match(command, /"clientSecret": "[^"]{20,}"/)
  assert.ok(command.includes(`"url": "${url}"`))
  await assertAccessible(page)
  await shown.getByLabel('I have kept it').check()
  await shown.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('region', { name: 'Bridges' })
    .getByRole('cell', { name: 'Attic PC', exact: true })
    .waitFor()
  assertWithin(visitor, 'a new bridge')
  visitor.forgetClicks()
  await page.getByRole('button', { name: 'New printer' }).click()
  const printer = page.getByRole('dialog', { name: 'New printer' })
  await printer.getByLabel('Name').fill('Gate')
  await printer.getByRole('switch', { name: 'Usual printer' }).check()
  await printer.getByRole('button', { name: 'New printer' }).click()
  const row = page.getByRole('region', { name: 'Printers' }).getByRole('row').filter({ hasText: 'Gate' })
  await row.getByText('Offline').waitFor()
  assertWithin(visitor, 'a new printer')
  await row.getByRole('button', { name: 'Edit: Gate' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit' })
  await editing.getByRole('switch', { name: 'In use' }).uncheck()
  await editing.getByRole('button', { name: 'Edit' }).click()
  await row.getByText('Inactive').waitFor()
  assertNoFaults(visitor)
})

test('a reader sees the state of printers, and no act', options, async () => {
  const { page } = await visit({ role: 'reader' })
  await page.getByRole('cell', { name: 'Office A4', exact: true }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Jobs' }).count(), 0)
  assert.ok(ids.office)
})
