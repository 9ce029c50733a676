// Waves in a browser: made of selected consignments, started, and picked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStockDifferences } from '../../src/stock/ledger/check-stock.ts'
import { JobStatus, WavePickStyle } from '../../src/vocabulary/jobs.ts'
import { assertAccessible } from '../support/accessible.ts'
import { actAndConfirm, assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWaves } from '../support/given-waves.ts'

const world = await openWaves()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 120_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  visitor.forgetClicks()
  return visitor
}

test('a wave is made of a selection with three clicks, started and picked', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const pending = { status: 1 } as const
  await world.readyAll([
    { lines: [{ ...product, quantity: 6 }], facts: pending },
    { lines: [{ ...product, quantity: 3 }], facts: pending },
  ])
  const visitor = await visit()
  const { page } = visitor
  await visitor.open('/consignments?view=all')
  visitor.forgetClicks()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'New wave' }).click()
  await page.getByRole('heading', { level: 1, name: 'New wave' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create wave' }).click()
  const id = String(await page.locator('main[data-status=Draft]').getAttribute('data-id'))
  assert.equal(visitor.clicks, 3)

  await actAndConfirm(page, 'Start…', 'Start')
  await page.locator('main[data-status=InProgress]').waitFor()
  await page.getByRole('table', { name: 'Picks' }).getByRole('row').nth(2).waitFor()
  await assertAccessible(page)
  await actAndConfirm(page, 'Confirm picks…', 'Confirm picks')
  await page.getByText('Nothing is left to pick.').waitFor()
  assert.equal(await world.statusOf(id), JobStatus.Complete)
  assertNoFaults(visitor)
})

test('a bulk wave is picked for all of its consignments at once', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const lines = [6, 3].map(quantity => [{ ...product, quantity }])
  const { jobId, ids } = await world.startedWave(lines, { style: WavePickStyle.BulkPicking })
  const visitor = await visit()
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  await actAndConfirm(page, 'Start…', 'Start')
  await page.getByRole('table', { name: 'Picks' }).getByRole('row').nth(1).waitFor()
  await actAndConfirm(page, 'Confirm picks…', 'Confirm picks')
  await page.getByText('Nothing is left to pick.').waitFor()
  assert.equal(await world.statusOf(jobId), JobStatus.Complete)
  assert.deepEqual(await world.figures(ids), [
    [0, 6],
    [0, 3],
  ])
  assertNoFaults(visitor)
})

test('the list shows how far a wave is', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const { body } = await world.admin.get(`/v1/jobs/${jobId}/wave-pick`)
  const visitor = await visit()
  const { page } = visitor
  await page.getByRole('link', { name: 'Jobs' }).click()
  const row = page.getByRole('row').filter({ hasText: body.jobNumber })
  await row.getByText('0 of 1 line').waitFor()
  await assertAccessible(page)
  await row.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: body.jobNumber }).waitFor()
  assertNoFaults(visitor)
})

test('a reader sees waves and has no act', options, async () => {
  const product = await world.fresh()
  await world.stored(10, product)
  const { jobId } = await world.startedWave([[{ ...product, quantity: 2 }]])
  const visitor = await visit({ role: 'reader' })
  const { page } = visitor
  await visitor.open(`/jobs/${jobId}`)
  await page.getByRole('table', { name: 'Picks' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0)
  assertNoFaults(visitor)
})

test('after all of this the balances are the sums of their movements', { skip: noBrowser }, async () => {
  const { organisationId } = world.admin.actor
  assert.deepEqual(await findStockDifferences(world.database.db, organisationId), [])
})
