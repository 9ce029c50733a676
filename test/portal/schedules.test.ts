// Schedules (bills) on screens, as whoever bills works with them, and as a client reads its own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/db.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, newVisitor, save, signInAs, whenEqual } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openRates } from '../support/given-rates.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openRates()
const { admin, database } = world.world
const { url, givenPerson } = await openPortal(world.world)
const options = { skip: noBrowser, timeout: 300_000 }

const card = await world.card()
const perItem = world.charge({ rateExclTax: 0.35, note: 'Per item' })
const pallets = world.charge({ metric: 5, metricResolution: 2, rateExclTax: 12, note: 'Whole pallets' })
await world.createApprovedVersion(card, world.content(world.rate([pallets, perItem])))

/** A bill of a client for one consignment: a pallet at 12.00 and eight items at 2.80. */
async function billed(date: string): Promise<{ id: string; lines: { id: string }[] }> {
  const consignmentId = await world.goods([{ quantity: 584 }], { type: 0, status: 0 })
  assert.equal((await world.close(consignmentId, date)).status, 200)
  const id = await world.made('/v1/schedules', { partnerId: world.clientId, date })
  const { transactions } = (await admin.get(`/v1/schedules/${id}`)).body
  return { id, lines: transactions }
}

/** A browser at an address, in which somebody is signed in. */
async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(path)
  visitor.forgetClicks()
  return visitor
}

/** Charges of the client that wait for a bill, later than those of any bill: one that is entered, and copies. */
async function parking(n: number): Promise<void> {
  const id = await world.made('/v1/schedule-transactions', {
    ...{ partnerId: world.clientId, date: '2027-01-31', particulars: 'Parking 1', chargeApplication: 2 },
    ...{ chargeRateExclTax: 5, taxRateId: world.taxRateId },
  })
  await database.atomically(tx =>
    tx.run(sql`
      insert into schedule_transaction
      select (
        jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'particulars', 'Parking ' || n))
      ).*
      from schedule_transaction t, generate_series(2, ${n}::int) n where t.id = ${id}`),
  )
}

const status = (page: Page) => page.getByRole('region', { name: 'Lines' }).getByRole('status')
const whenStatus = (page: Page, name: string) => page.locator(`main[data-status=${name}]`).waitFor()

test(
  'a bill is approved with all lines verified in 2 clicks, exported, and marked as exported',
  options,
  async () => {
    const { id } = await billed('2026-03-31')
    const visitor = await visit('/schedules')
    const { page } = visitor
    await page.getByRole('link', { name: /^Kauri Foods, 31 Mar/ }).click()
    await page.getByRole('heading', { level: 1, name: /^Kauri Foods, 31 Mar/ }).waitFor()
    await status(page).getByText('2 of 2 lines verified').waitFor()
    await page.getByRole('region', { name: 'By activity' }).getByText('14.80').waitFor()
    await assertAccessible(page)
    visitor.forgetClicks()
    await actAndConfirm(page, 'Approve')
    await whenStatus(page, 'Approved')
    assertWithin(visitor, 'approve a bill')
    await page.locator('main').getByText('000001').first().waitFor()
    visitor.forgetClicks()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByLabel('Format').selectOption('CSV')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    assert.match((await saved).suggestedFilename(), /\.csv$/)
    assertWithin(visitor, 'export a bill')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Mark as exported' }).click()
    const mark = page.getByRole('dialog', { name: 'Mark as exported' })
    await mark.getByLabel('Its address').fill('https://books.example.com/7')
    await mark.getByRole('button', { name: 'Mark as exported' }).click()
    await page.getByRole('link', { name: 'https://books.example.com/7' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Mark as exported again' }).click()
    await page.getByRole('dialog').getByText('replaces this one').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More' }).click()
    const back = page.getByRole('menuitem', { name: 'Back to draft' })
    assert.equal(await back.getAttribute('aria-disabled'), 'true')
    const unmark = page.getByRole('menuitem', { name: 'Mark as not exported' })
    await unmark.filter({ hasText: 'Credit what is wrong in a line' }).waitFor()
    assert.equal((await admin.get(`/v1/schedules/${id}`)).body.status, 2)
    await page.keyboard.press('Escape')
    await page
      .getByRole('region', { name: 'Lines' })
      .getByRole('link', { name: 'Handling out' })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Proof' }).getByRole('link', { name: 'Open charge' }).click()
    await page.locator('main[data-status=Scheduled]').waitFor()
    assertNoFaults(visitor)
  },
)

test(
  'a line is taken off a draft and put on it again; without an invoice number the draft is removed',
  options,
  async () => {
    const { id } = await billed('2026-04-30')
    const visitor = await visit(`/schedules/${id}`)
    const { page } = visitor
    await page.getByRole('checkbox', { name: 'Select Handling out' }).first().click()
    await actAndConfirm(page, 'Take off')
    await status(page).getByText('1 of 1 line verified').waitFor()
    await parking(120)
    await page.getByRole('button', { name: 'Add lines' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add lines' })
    await dialog.getByText('100 of 121', { exact: true }).waitFor()
    const first = dialog.getByRole('checkbox', { name: 'Parking' }).first()
    await first.check()
    await dialog.getByText('100 of 121, 1 selected', { exact: true }).waitFor()
    await first.uncheck()
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await dialog.getByRole('checkbox', { name: 'Handling out' }).waitFor()
    assert.equal(await dialog.getByRole('checkbox', { name: 'Parking' }).count(), 120)
    await dialog.getByLabel('Search charges').fill('handling')
    await dialog.getByRole('checkbox', { name: 'Parking' }).first().waitFor({ state: 'detached' })
    await dialog.getByRole('checkbox', { name: 'Handling out' }).check()
    await dialog.getByText('put 1 transaction').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Add lines' }).click()
    await status(page).getByText('2 of 2 lines verified').waitFor()
    await page.getByRole('complementary').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Reference').fill('APR-26')
    await save(page)
    await page.getByRole('complementary').getByText('APR-26').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.locator('[role=dialog][data-state=ready]').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
    assert.equal((await admin.get(`/v1/schedules/${id}`)).status, 404)
    await page.getByRole('button', { name: 'New schedule' }).click()
    const making = page.getByRole('dialog', { name: 'New schedule' })
    await making.getByLabel('Date').fill('2026-04-30')
    await making.getByText('create 1 schedule').waitFor()
    await making.getByRole('button', { name: 'New schedule' }).click()
    await page.getByRole('heading', { level: 1, name: /^Kauri Foods, 30 Apr/ }).waitFor()
    assertNoFaults(visitor)
  },
)

test(
  'a line that differs from its derivation stops the approval, and its proof tells both amounts',
  options,
  async () => {
    const { id, lines } = await billed('2026-05-31')
    const raise = (amount: number) =>
      database.atomically(async tx => {
        await tx.run(sql`set local session_replication_role = replica`)
        await tx.run(sql`update schedule_transaction set amount_excl_tax = amount_excl_tax + ${amount}
        where id = ${lines[0]?.id}`)
      })
    await raise(1)
    const visitor = await visit(`/schedules/${id}`)
    const { page } = visitor
    const alert = page.getByRole('alert').filter({ hasText: '1 line is not what it is derived to be' })
    await alert.waitFor()
    await status(page).getByText('1 of 2 lines verified').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled'), 'true')
    await alert.getByRole('link').click()
    const proof = page.getByRole('dialog', { name: 'Proof' })
    await proof.getByText(/Billed are .*, derived are /).waitFor()
    await proof.getByRole('region', { name: 'Rule' }).getByText('Prices').waitFor()
    await proof.getByRole('region', { name: 'Inputs' }).getByRole('link').first().waitFor()
    await proof.getByRole('region', { name: 'Steps' }).getByText('to the cent').waitFor()
    await assertAccessible(page)
    assert.match(page.url(), /Proof=/)
    await raise(-1)
    assertNoFaults(visitor)
  },
)

test(
  'a client reads its own bills and proofs without acts, and a reader has none, either',
  options,
  async () => {
    const { id } = await billed('2026-06-30')
    const client = await visit('/schedules', { role: 'member', partnerId: world.clientId })
    await client.page.getByRole('link', { name: /^Kauri Foods, 30 Jun/ }).click()
    await status(client.page).getByText('2 of 2 lines verified').waitFor()
    const onlyExports = (page: Page) =>
      whenEqual(() => page.locator('main').getByRole('button').allTextContents(), ['Statement', 'ExportM'])
    await onlyExports(client.page)
    await client.page.getByRole('link', { name: 'Handling out' }).first().click()
    await client.page.getByRole('dialog', { name: 'Proof' }).getByText('what is billed').waitFor()
    const other = await visit(`/schedules/${id}`, { role: 'member', partnerId: world.carrierId })
    await other.page.getByRole('heading', { name: 'Not here, or not yours' }).waitFor()
    const reader = await visit(`/schedules/${id}`, { role: 'reader' })
    await onlyExports(reader.page)
    assertNoFaults(client)
  },
)
