// The acts on selected consignments in a browser, with the clicks that a planner may need for each.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { openPrinters } from '../support/given-paper-printers.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openAllocation()
const { url, givenPerson } = await openPortal(world)
const { admin, clientId, warehouseId } = world
const options = { skip: noBrowser, timeout: 300_000 }

await world.stored(500)
const ids = await Promise.all([1, 2, 3].map(() => world.ready([{ quantity: 10 }])))
const carrierId = (
  await admin.post('/v1/partners', { name: 'Northern Express', code: 'NTX', relationship: 2 })
).body.partnerId

/** Selects all consignments that are to be picked. */
async function selectAll() {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson())
  await visitor.open('/consignments?view=to-pick')
  visitor.forgetClicks()
  await visitor.page.getByRole('checkbox', { name: 'Select all' }).click()
  return visitor
}

/** The dialog, once the service has said what it would do. */
async function dialogOf(visitor: Awaited<ReturnType<typeof selectAll>>, act: string) {
  const { page } = visitor
  await page.getByRole('button', { name: act, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: act })
  await dialog.waitFor()
  return { dialog, confirm: () => dialog.getByRole('button', { name: act, exact: true }).click() }
}

const isReady = (page: Awaited<ReturnType<typeof selectAll>>['page']) =>
  page.locator('[role=dialog][data-state=ready]').waitFor()

test('another carrier for all of them takes three clicks and a choice', options, async () => {
  const visitor = await selectAll()
  const { dialog, confirm } = await dialogOf(visitor, 'Carrier')
  await dialog.getByLabel('Carrier', { exact: true }).selectOption('Northern Express')
  await isReady(visitor.page)
  await assertAccessible(visitor.page)
  await confirm()
  await visitor.page.getByText('3 consignments are changed.').waitFor()
  assertWithin(visitor, 'another carrier for many')
  for (const id of ids) assert.equal((await admin.get(`/v1/consignments/${id}`)).body.carrierId, carrierId)
  const [id] = ids
  await visitor.goTo(`/consignments/${id}`)
  visitor.forgetClicks()
  await visitor.page.getByRole('button', { name: 'More' }).click()
  await visitor.page.getByRole('menuitemradio', { name: 'High' }).click()
  await visitor.page.getByText('has priority High').waitFor()
  assertWithin(visitor, 'the priority of an order')
  assertNoFaults(visitor)
})

test('they are added to a wave that is open', options, async () => {
  const wave = { clientId, warehouseId, reference: 'Morning wave' }
  const { jobId } = (await admin.post('/v1/jobs/wave-pick', wave)).body
  const visitor = await selectAll()
  const { dialog, confirm } = await dialogOf(visitor, 'Add to a wave')
  await isReady(visitor.page)
  assert.match(String(await dialog.getByLabel('Wave').textContent()), /WP-000001, .*, Morning wave/)
  await confirm()
  await visitor.page.getByText('3 consignments are changed.').waitFor()
  const { jobConsignments } = (await admin.get(`/v1/jobs/${jobId}/wave-pick`)).body
  assert.equal(jobConsignments.length, 3)
})

test('their picking lists are printed with three clicks', options, async () => {
  await openPrinters(world, warehouseId)
  const visitor = await selectAll()
  const { dialog, confirm } = await dialogOf(visitor, 'Print')
  await dialog.getByLabel('Printer').waitFor()
  await isReady(visitor.page)
  const effects = dialog.getByRole('list', { name: 'Effects' }).getByRole('listitem')
  assert.deepEqual(await effects.allTextContents(), ['print 3 papers on Office'])
  await assertAccessible(visitor.page)
  await confirm()
  await visitor.page.getByText('3 papers are sent to Office').waitFor()
  assertWithin(visitor, 'picking lists of many')
  const { printJobs } = (await admin.get('/v1/print-jobs')).body
  assert.deepEqual(
    printJobs.map(({ kind }: { kind: number }) => kind),
    [2, 2, 2],
    'picking lists',
  )
})

test('a reader cannot select', options, async () => {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson({ role: 'reader' }))
  await visitor.open('/consignments?view=to-pick')
  await visitor.page.getByRole('rowheader').first().waitFor()
  assert.equal(await visitor.page.getByRole('checkbox').count(), 0)
  assert.equal(ids.length, 3)
  assert.equal(
    (await world.admin.get(`/v1/consignments?Status=${ConsignmentStatus.ReadyToPick}`)).body.total,
    3,
  )
})
