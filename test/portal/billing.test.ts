// Charges by hand, billing runs and what is not billed on screens, as whoever bills works with them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { billingOf } from '../support/given-billing.ts'
import { checkMoneyAfterEach } from '../support/given-charges.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'

const world = await openWorld()
checkMoneyAfterEach(world.database)
const { admin } = world
await billingOf(world, admin)
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 120_000 }

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
    await page.getByRole('link', { name: 'Stocktake on a Sunday' }).click()
    await page.getByRole('heading', { level: 1, name: 'Stocktake on a Sunday' }).waitFor()
    await page.getByText('136.50').first().waitFor()
    await page.getByRole('button', { name: 'Proof' }).click()
    await page.getByRole('dialog', { name: 'Proof' }).getByText('Entered by hand by').waitFor()
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
