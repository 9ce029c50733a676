// Back-tests in a browser: a clerk tests a version on a year, reads what it changes, and bills the differences.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueBackTest } from '../../src/billing/back-tests/run-back-tests.ts'
import { sql } from '../../src/platform/database/db.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { backTestsOf, backTestWorker } from '../support/given-back-tests.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openRates } from '../support/given-rates.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openRates()
const { admin, database } = world.world
const { requestBackTest, read } = backTestsOf(database, admin)
const { url, givenPerson } = await openPortal(world.world)
const options = { skip: noBrowser, timeout: 300_000 }

/** Somebody at an address. */
async function at(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(path)
  return { visitor, page: visitor.page }
}

const card = await world.card()
const item = world.charge({ rateExclTax: 0.5 })
const first = await world.createApprovedVersion(card, world.content(world.rate([item])))
const { rates } = (await admin.get(`/v1/rate-cards/${card}/versions/${first}`)).body.content
const dearer = world.content({ ...rates[0], charges: [{ ...rates[0].charges[0], rateExclTax: 0.6 }] })
const draft = await world.draft(card, dearer, '2020-02-01')
const closed = await world.goods([{ quantity: 10 }], { type: 0 })
await database.atomically(tx =>
  tx.run(sql`update consignment set date_entered = now() - interval '40 days' where id = ${closed}`),
)
await admin.put(`/v1/consignments/${closed}/status`, { status: 0 })
assert.equal((await world.close(closed)).status, 200)

test(
  'a billing clerk back-tests a card on a year with two clicks, and bills what differs',
  options,
  async () => {
    const { visitor, page } = await at(`/rate-cards/${card}/versions/${draft}`)
    visitor.forgetClicks()
    await page.getByRole('button', { name: 'Back-test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Back-test' }).click()
    await page.getByRole('progressbar').waitFor()
    assertWithin(visitor, 'back-test a card')
    await assertAccessible(page)
    while (await runDueBackTest(backTestWorker(database)));
    await page.getByRole('region', { name: 'Control' }).getByText('None differs.').waitFor()
    const row = page.getByRole('table', { name: 'Before and after' }).getByRole('row').nth(1)
    assert.deepEqual((await row.getByRole('cell').allTextContents()).slice(2), ['5.00', '6.00', '+1.00'])
    const largest = page.getByRole('table', { name: 'Largest differences' })
    await largest.getByText('Handling out 5.00 to 6.00').waitFor()
    await page.getByText('The tested card prices everything.').waitFor()
    await assertAccessible(page)

    const adjust = page.getByRole('button', { name: 'Adjust bills' })
    await adjust.click()
    await page.getByRole('alert').getByText('not Approved').waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await world.approve(card, draft)
    await adjust.click()
    await page.locator('[role=dialog][data-state="ready"]').waitFor()
    await page.getByRole('dialog').getByRole('list', { name: 'Effects' }).getByText('1.00').waitFor()
    await confirm(page, 'Adjust bills')
    await page
      .getByRole('note')
      .getByText(/^The differences were charged on/)
      .waitFor()
    await page.getByRole('note').getByRole('link', { name: 'See them among the charges' }).waitFor()
    const { scheduleTransactions } = (await admin.get('/v1/schedule-transactions')).body
    const amounts = scheduleTransactions.map(({ amountExclTax }: { amountExclTax: number }) => amountExclTax)
    assert.deepEqual(amounts.toSorted(), [1, 5])
    assertNoFaults(visitor)
  },
)

test('a back-test is cancelled while it waits, and a reader has no acts', options, async () => {
  const id = await requestBackTest({ rateCardVersionId: draft })
  const reader = await at(`/back-tests/${id}`, { role: 'reader' })
  await reader.page.getByRole('progressbar').waitFor()
  assert.equal(await reader.page.getByRole('button', { name: 'Cancel back-test' }).count(), 0)
  const { visitor, page } = await at(`/back-tests/${id}`)
  await page.getByRole('button', { name: 'Cancel back-test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel back-test' }).click()
  await page.getByText('This back-test was cancelled.').waitFor()
  assert.equal((await read(id)).status, 5)
  await visitor.goTo('/back-tests')
  await page
    .getByRole('row', { name: /Version 2 of Prices/ })
    .first()
    .waitFor()
  assertNoFaults(visitor)
})
