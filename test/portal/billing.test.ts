// Charges by hand, billing runs and what is not billed on screens, as whoever bills works with them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { billingOf } from '../support/given-billing.ts'
import { checkMoneyAfterEach } from '../support/given-charges.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openWorld()
checkMoneyAfterEach(world.database)
const { admin } = world
const billing = await billingOf(world, admin)
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

/** A browser at an address, in which somebody is signed in. */
async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(path)
  visitor.forgetClicks()
  return visitor
}

const whenStatus = (page: Page, name: string) => page.locator(`main[data-status=${name}]`).waitFor()

test(
  'a charge is entered by hand with five fields, proved, credited in part, and its credit made void',
  options,
  async () => {
    const visitor = await visit('/charges')
    const { page } = visitor
    await page.getByRole('button', { name: 'New charge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add charge' })
    await dialog.getByLabel('Date').fill('2026-03-05')
    await dialog.getByLabel('Particulars').fill('Stocktake on a Sunday')
    await dialog.getByLabel('Quantity').fill('3')
    await dialog.getByLabel('Rate', { exact: true }).fill('45.5')
    await dialog.getByText('raise 1 transaction of').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Add charge' }).click()
    await page.getByRole('link', { name: 'Stocktake on a Sunday' }).waitFor()
    assertWithin(visitor, 'a charge by hand')
    visitor.forgetClicks()
    await page.getByRole('link', { name: 'Stocktake on a Sunday' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stocktake on a Sunday' }).waitFor()
    await page.getByText('136.50').first().waitFor()
    await page.getByRole('button', { name: 'Proof' }).click()
    await page.getByRole('dialog', { name: 'Proof' }).getByText('Entered by hand by').waitFor()
    assertWithin(visitor, 'the proof of a line')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Credit' }).click()
    const credit = page.getByRole('dialog', { name: 'Credit' })
    await credit.getByLabel('Amount').fill('200')
    await credit.getByText('must not be more than').first().waitFor()
    await credit.getByLabel('Amount').fill('36.5')
    await credit.getByText('raise 1 transaction of').waitFor()
    await credit.getByRole('button', { name: 'Credit' }).click()
    const credits = page.getByRole('region', { name: 'Credits' })
    await credits.getByText('Can still be credited: 100.00').waitFor()
    await assertAccessible(page)
    await credits.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Credit: Stocktake on a Sunday' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Void' }).click()
    const voiding = page.getByRole('dialog', { name: 'Void' })
    await voiding.getByLabel('Reason').fill('Wrong client')
    await voiding.getByText('void 1 transaction').waitFor()
    await voiding.getByRole('button', { name: 'Void' }).click()
    await whenStatus(page, 'Void')
    const { body } = await admin.get('/v1/schedule-transactions?SearchText=stocktake')
    assert.deepEqual(
      body.scheduleTransactions.map((one: { amountExclTax: number; status: number }) => [
        one.amountExclTax,
        one.status,
      ]),
      [
        [-36.5, 3],
        [136.5, 1],
      ],
    )
    assertNoFaults(visitor)
  },
)

test(
  'a month of a clerk: work is closed, billed by a run, approved, exported, and credited in part',
  options,
  async () => {
    const card = await billing.card()
    const handling = billing.rate([billing.charge({ rateExclTax: 0.35 })])
    const minimum = { minimumSpendPerPeriod: 300 }
    await billing.createApprovedVersion(card, { ...billing.content(handling), ...minimum })
    await billing.rule({ billsFrom: '2026-03-01' })
    const work = () => billing.goods([{ quantity: 100 }], { type: 0, status: 0 })
    const disputed = await work()
    const left = (await admin.get(`/v1/consignments/${await work()}`)).body.consignmentNumber
    const visitor = await visit('/billing', { role: 'administrator' })
    const { page } = visitor
    const clients = page.getByRole('grid', { name: 'Clients' })
    await clients.getByRole('link', { name: 'Kauri Foods' }).click()
    await page.getByRole('button', { name: 'All clients' }).waitFor()
    await page.getByRole('region', { name: 'Not billed' }).getByText('the last 92 days').waitFor()
    assertWithin(visitor, 'what is not billed')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Close consignments' }).click()
    const closing = page.getByRole('dialog', { name: 'Close consignments' })
    await closing.getByLabel('Date of the charges').fill('2026-03-31')
    await closing.getByText('charge Kauri Foods').waitFor()
    await closing.getByRole('checkbox', { name: left }).uncheck()
    await closing.getByText('charge Kauri Foods 35.00').waitFor()
    await closing.getByRole('button', { name: 'Close consignments' }).click()
    await clients.getByRole('link', { name: '171.50' }).waitFor()

    await page.getByRole('button', { name: 'Run now' }).click()
    const running = page.getByRole('dialog', { name: 'Run now' })
    await running.getByText('Complete consignments are closed first. Storage and fees are raised').waitFor()
    await running.getByLabel('Last day of the period').fill('2026-03-31')
    await running.getByRole('button', { name: 'Run now' }).click()
    const runs = page.getByRole('grid', { name: 'Runs' })
    await runs.getByText(/^1 Mar.* – 31 Mar/).waitFor()
    await billing.drain()
    await page.getByRole('link', { name: 'Charges', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Charges' }).waitFor()
    await page.getByRole('link', { name: 'Billing', exact: true }).click()
    await runs.getByText('All done').waitFor()
    await runs.getByRole('link', { name: 'Open bill' }).click()

    await page.getByRole('status').getByText('4 of 4 lines verified').waitFor()
    await page.getByRole('link', { name: 'Minimum spend 300.00' }).click()
    const proof = page.getByRole('dialog', { name: 'Proof' })
    await proof.getByText('A period in which less is spent than the minimum').waitFor()
    await assertAccessible(page)
    const spent = proof.getByRole('row', { name: 'Spent in the period 206.50' })
    const charges = await spent.getByRole('link', { name: 'Charges of the period' }).getAttribute('href')
    assert.match(charges ?? '', /DateFrom=2026-03-01&DateTo=2026-03-31/)
    await proof.getByRole('button', { name: 'Close' }).click()
    await actAndConfirm(page, 'Approve')
    await whenStatus(page, 'Approved')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByLabel('Format').selectOption('CSV')
    const saved = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await saved
    await page.getByRole('button', { name: 'Mark as exported' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as exported' }).click()
    await page.locator('main').getByText('Exported', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Charges', exact: true }).click()
    await page.getByRole('tab', { name: 'On bills' }).click()
    await page.getByRole('link', { name: 'Handling out' }).first().click()
    await page.getByRole('button', { name: 'Credit' }).click()
    await page.getByRole('dialog').getByLabel('Credit by').selectOption('A quantity')
    await page.getByRole('dialog').getByLabel('Quantity').fill('10')
    await page.getByRole('dialog').getByText('raise 1 transaction of').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Credit' }).click()
    await page.getByText('Can still be credited: 31.50').waitFor()
    const { schedules } = (await admin.get('/v1/schedules')).body
    assert.deepEqual([schedules.length, schedules[0].amountExclTax, schedules[0].status], [1, 300, 2])
    const { scheduleTransactions: waiting } = (await admin.get('/v1/schedule-transactions?Status=1')).body
    assert.deepEqual(
      waiting.map((one: { amountExclTax: number }) => one.amountExclTax),
      [-3.5],
    )

    await visitor.goTo(`/consignments/${disputed}`)
    const billed = page.getByRole('table', { name: 'Billed' })
    await billed.getByRole('link', { name: 'Open bill' }).waitFor()
    await billed.getByRole('button', { name: /^Credit / }).click()
    const crediting = page.getByRole('dialog', { name: 'Credit' })
    await crediting.getByLabel('Amount').fill('1.5')
    await crediting.getByText('raise 1 transaction of').waitFor()
    await assertAccessible(page)
    await crediting.getByRole('button', { name: 'Credit' }).click()
    await billed.getByRole('cell', { name: '-1.50', exact: true }).waitFor()
    assertNoFaults(visitor)
  },
)

test(
  'an activity, a locality and a FAF rate are set up, and an address is found in its locality',
  options,
  async () => {
    const visitor = await visit('/billing/set-up')
    const { page } = visitor
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New activity' }).click()
    await dialog.getByLabel('Code').fill('REPACK')
    await dialog.getByLabel('Name').fill('Repacking')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'New activity' }).click()
    await page.getByRole('button', { name: 'Edit Repacking' }).click()
    await dialog.getByLabel('Status').selectOption('Inactive')
    await dialog.getByRole('button', { name: 'Save activity' }).click()
    await page.getByText('Repacking').waitFor({ state: 'detached' })
    await page.getByRole('switch', { name: 'Show those that are inactive' }).click()
    await page.getByRole('button', { name: 'Edit Repacking' }).waitFor()

    await page.getByRole('tab', { name: 'Localities' }).click()
    await page.getByRole('button', { name: 'New locality' }).click()
    await dialog.getByLabel('Name').fill('Auckland')
    await dialog.getByLabel('From postcode').fill('0600')
    await dialog.getByLabel('To postcode').fill('2999')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'New locality' }).click()
    await page.getByRole('table', { name: 'Localities' }).getByText('NZ 0600 – 2999').waitFor()
    await page.getByRole('button', { name: 'Find by address' }).click()
    await dialog.getByLabel('Postcode').fill('1010')
    await dialog.getByLabel('Country').fill('NZ')
    await dialog.getByRole('button', { name: 'Find by address' }).click()
    await dialog.getByText('The address is in Auckland.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('tab', { name: 'FAF profiles' }).click()
    await page.getByRole('button', { name: 'New profile' }).click()
    await dialog.getByLabel('Name').fill('Fuel')
    await dialog.getByRole('button', { name: 'New profile' }).click()
    await page.getByRole('button', { name: 'New rate' }).click()
    await dialog.getByLabel('Percent').fill('14.3')
    await dialog.getByRole('button', { name: 'New rate' }).click()
    await page.getByRole('table', { name: 'Rates of Fuel' }).getByText('14.3 %').waitFor()
    const [profile] = (await admin.get('/v1/faf-profiles')).body.fafProfiles
    const { fafProfileRates } = (await admin.get(`/v1/faf-profiles/${profile.id}/rates`)).body
    assert.equal(fafProfileRates[0].fafPercent, 0.143)
    assertNoFaults(visitor)
  },
)
