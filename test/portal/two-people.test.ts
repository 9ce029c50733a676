// Two people on one record, each in a browser of their own.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, signInAs, whenEqual } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openAllocation()
const { admin } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(path: string) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson())
  await visitor.open(path)
  return visitor
}

/** A hold whose reason is being edited, and which somebody else has changed meanwhile. */
async function editChangedHold() {
  await world.stored(5, { batch: crypto.randomUUID().slice(0, 8) })
  const row = await world.stored(5, { batch: crypto.randomUUID().slice(0, 8) })
  const { inventoryHoldId } = (
    await admin.post('/v1/inventory/holds', { kind: 1, reason: 'Wet', stock: [{ warehouseProductId: row }] })
  ).body
  const path = `/v1/inventory/holds/${inventoryHoldId}`
  const visitor = await visit(`/holds/${inventoryHoldId}`)
  const { page } = visitor
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Reason').fill('Cartons are wet')
  assert.equal((await admin.put(path, { reason: 'Two cartons are wet', reference: 'R-7' })).status, 200)
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed by somebody else meanwhile' })
  await dialog.waitFor()
  return { visitor, dialog, reason: async () => (await admin.get(path)).body.reason }
}

test('who saves second sees both versions, and keeps their own if they want', options, async () => {
  const { visitor, dialog, reason } = await editChangedHold()
  const rows = dialog.getByRole('row')
  await whenEqual(
    () => rows.nth(1).getByRole('cell').allTextContents(),
    ['Reason', 'Cartons are wet', 'Two cartons are wet'],
  )
  assert.equal(await rows.count(), 2, 'the reference, which only the other has changed, stays theirs')
  await assertAccessible(visitor.page)
  assert.equal(await reason(), 'Two cartons are wet', 'nothing is overwritten unasked')
  await dialog.getByRole('button', { name: 'Use mine' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: 'Cartons are wet', exact: true }).waitFor()
  assert.equal(await reason(), 'Cartons are wet')
})

test('who saves second can take what is there', options, async () => {
  const { visitor, dialog, reason } = await editChangedHold()
  await dialog.getByRole('button', { name: 'Use theirs' }).click()
  await visitor.page.getByRole('heading', { level: 1, name: 'Two cartons are wet', exact: true }).waitFor()
  assert.equal(await reason(), 'Two cartons are wet')
})

test('who saves second reads by whom a consignment was changed, and when', options, async () => {
  await world.stored(5)
  const id = await world.ready([{ quantity: 1 }], { status: ConsignmentStatus.Pending })
  const { page } = await visit(`/consignments/${id}`)
  await page.getByRole('button', { name: 'Edit container' }).click()
  await page.getByLabel('Seal').fill('S-1')
  await admin.put(`/v1/consignments/${id}/general`, { referenceNumber: 'CHANGED' })
  const [{ userFullName }] = (await admin.get(`/v1/consignments/${id}/history`)).body.history
  await page.getByRole('button', { name: 'Save' }).click()
  const told = new RegExp(`^Changed by ${userFullName} (now|\\d+ minutes? ago)$`)
  await page.getByRole('dialog', { name: told }).waitFor()
})

test('an act is told anew when somebody has changed the record behind its dialog', options, async () => {
  await world.stored(50)
  const id = await world.ready([{ quantity: 10 }], { status: ConsignmentStatus.Pending })
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson())
  const { page } = visitor
  // The screen does not hear of the change by itself.
  await page.route(/\/v1\/events/, route => route.abort())
  await visitor.open(`/consignments/${id}`)
  await page.getByRole('button', { name: 'Move to Ready to pick' }).first().click()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  await admin.put(`/v1/consignments/${id}/general`, { referenceNumber: 'CHANGED' })
  const dialog = page.getByRole('dialog', { name: 'Move to Ready to pick' })
  const [late] = await Promise.all([
    page.waitForResponse(answer => answer.status() === 412),
    dialog.getByRole('button', { name: 'Move to Ready to pick' }).click(),
  ])
  assert.equal(new URL(late.url()).pathname, `/v1/consignments/${id}/status`)
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.status, ConsignmentStatus.Pending)
  await confirm(page, 'Move to Ready to pick')
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.status, ConsignmentStatus.ReadyToPick)
  assertNoFaults(visitor)
})
