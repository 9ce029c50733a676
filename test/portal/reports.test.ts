// Reports, as people run and save them in a browser.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openReports } from '../support/given-reports.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openReports()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  visitor.forgetClicks()
  return { visitor, page: visitor.page }
}

test(
  'a report is run by its filters, summed, plotted, saved and passed on by its link',
  options,
  async () => {
    const { visitor, page } = await visit('/reports')
    await page
      .getByRole('region', { name: 'Stock', exact: true })
      .getByRole('link', { name: 'Stock on hand' })
      .click()
    await page.getByRole('combobox', { name: 'Client' }).selectOption({ label: 'Kauri Foods' })
    await page.getByRole('combobox', { name: 'Product' }).fill('APPLE')
    await page.getByRole('button', { name: 'Run' }).click()
    const grid = page.getByRole('grid', { name: 'Stock on hand' })
    const rows = await world.rowsOf('stock-on-hand', {
      ...{ partnerId: world.clientId, partnerProductId: world.products.APPLE },
    })
    assert.ok(rows.length > 1)
    await grid.getByRole('row').nth(rows.length).waitFor()
    const sum = rows.reduce((total, { onHandQuantity }) => total + onHandQuantity, 0)
    await grid.locator('tfoot').getByText(String(sum), { exact: true }).first().waitFor()
    await page.getByRole('img', { name: 'On hand by Expiry' }).waitFor()
    await assertAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^stock-on-hand .*\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    assert.equal(lines.length, rows.length + 1)
    // Whoever opens the link sees the same, with the filters in the form.
    const { page: other } = await visit(page.url().slice(new URL(page.url()).origin.length))
    await other.getByRole('grid').getByRole('row').nth(rows.length).waitFor()
    assert.equal(await other.getByRole('combobox', { name: 'Product' }).inputValue(), 'APPLE')
    assertNoFaults(visitor)
  },
)

test("a client's person has their own reports, and Excel with two clicks", options, async () => {
  const { visitor, page } = await visit('/', { partnerId: world.otherClientId })
  await page.getByRole('link', { name: 'Reports' }).click()
  assert.equal(await page.getByRole('link', { name: 'Freight margin' }).count(), 0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Excel: Stock on hand' }).click(),
  ])
  assert.match(download.suggestedFilename(), /\.xlsx$/)
  assertWithin(visitor, 'a report to Excel')
  await visitor.goTo('/reports/stock-on-hand?Run=1')
  await page.getByRole('gridcell', { name: 'NUT', exact: true }).first().waitFor()
  assert.equal(await page.getByText('APPLE').count(), 0)
  assert.equal(await page.getByRole('combobox', { name: 'Client' }).count(), 0)
})
