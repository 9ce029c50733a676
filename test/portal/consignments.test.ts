// The list of consignments in a browser: what is late, and one act on many.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, rowOf, signInAs } from '../support/browse.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openInwards()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

/** Opens the list as somebody who may do this. */
async function openList(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  visitor.forgetClicks()
  return visitor
}

test('selected consignments are moved together, and what is refused stays selected', options, async () => {
  const ids = [
    await world.announce([goods('APPLE', 1)], { referenceNumber: 'A' }, null),
    await world.announce([goods('APPLE', 1)], { referenceNumber: 'B' }, null),
  ]
  const gone = await world.announce([goods('APPLE', 1)], { referenceNumber: 'C' }, -2)
  await world.move(ids[1] as string, 4)
  const visitor = await openList('/consignments?view=all')
  const { page } = visitor
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('dialog', { name: 'Move' }).getByLabel('Status').selectOption('Ready to receive')
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Move' })
  await dialog.getByText('1 will change, 1 will not, 1 is so already.').waitFor()
  const refused = dialog.getByRole('grid', { name: 'Refused' })
  assert.match(String(await refused.textContent()), /Void consignment cannot change/)
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Move' }).click()
  await dialog.getByText('1 changed, 1 did not, 1 is so already.').waitFor()
  assertWithin(visitor, 'release orders together')
  assert.match(String(await refused.textContent()), /Void consignment cannot change/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  for (const id of ids) assert.equal((await world.read(id)).status, 4)
  assert.equal((await world.read(gone)).status, -2)
  assert.ok(await page.getByRole('toolbar', { name: 'Selected' }).isVisible())
  assertNoFaults(visitor)
})

test('what is late is one click away', options, async () => {
  await world.announce([goods('APPLE', 1)], {
    ...{ referenceNumber: 'LATE', expectedArrivalDateTime: '2026-01-05T09:00:00' },
  })
  const visitor = await openList('/consignments')
  const { page } = visitor
  const { body } = await world.admin.get('/v1/consignments?SearchText=LATE')
  const [late] = body.consignments
  await page.getByRole('tab', { name: 'To receive' }).click()
  await rowOf(page, late.consignmentNumber).waitFor()
  assertWithin(visitor, 'what arrives today')
  visitor.forgetClicks()
  await page.getByRole('tab', { name: 'Late' }).click()
  await rowOf(page, late.consignmentNumber).waitFor()
  await page.getByRole('rowheader').nth(1).waitFor({ state: 'detached' })
  assertWithin(visitor, 'what is late')
  const byStatus = page.getByRole('group', { name: 'By status' })
  await byStatus.getByRole('button').nth(1).waitFor({ state: 'detached' })
  await byStatus.getByRole('button', { name: 'Ready to receive 1', exact: true }).click()
  await page.getByRole('button', { name: 'Late: Yes' }).waitFor()
  await page.getByRole('tab', { name: 'Late' }).click()
  // Clients are read when somebody wants to filter, and the counts follow that filter, too.
  const { name } = (await world.admin.get(`/v1/partners/${world.clientId}`)).body
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  await page.getByRole('button', { name: `Client: ${name}` }).waitFor()
  await byStatus.getByRole('button', { name: 'Ready to receive 1', exact: true }).waitFor()
  await rowOf(page, late.consignmentNumber).waitFor()
  await assertAccessible(page)
  // A link can hold filters that the service refuses. One press takes them away.
  await visitor.goTo('/consignments?view=late&DueFrom=2026-02-02&DueTo=2026-01-01')
  await page.getByRole('button', { name: 'Remove filters' }).click()
  await rowOf(page, late.consignmentNumber).waitFor()
  assertNoFaults(visitor)
})

test(
  'what is new does not push the rows that somebody reads, but is told and shown when asked',
  options,
  async () => {
    const visitor = await openList('/consignments?view=all')
    const { page } = visitor
    const first = page.getByRole('rowheader').first()
    const top = await first.textContent()
    await page.locator('html[data-live=on]').waitFor()
    const id = await world.announce([goods('APPLE', 1)], { referenceNumber: 'NEW' }, null)
    const { consignmentNumber } = await world.read(id)
    const news = page.getByRole('button', { name: '1 new' })
    await news.waitFor()
    assert.equal(await first.textContent(), top)
    await assertAccessible(page)
    await news.click()
    await rowOf(page, consignmentNumber).waitFor()
    assert.equal(await news.count(), 0)
    // On a phone the acts stand at the lower edge.
    await page.setViewportSize({ width: 390, height: 844 })
    await visitor.goTo(`/consignments/${id}`)
    const main = await page.getByRole('button', { name: /^Move to/ }).boundingBox()
    assert.ok(main !== null && main.y > 780 && main.y + main.height < 844, JSON.stringify(main))
    await assertAccessible(page)
    assertNoFaults(visitor)
  },
)

test('a filter of what is short counts open consignments, whatever the view', options, async () => {
  const visitor = await openList('/consignments?view=all')
  const { page } = visitor
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menu').getByRole('menuitem', { name: 'Yes' }).last().click()
  await page.getByRole('button', { name: 'Remove filter Short' }).waitFor()
  await visitor.whenShown('ready', 'empty')
  assertNoFaults(visitor)
})

test('a reader selects nothing and creates nothing', options, async () => {
  const { page } = await openList('/consignments?view=all', { role: 'reader' })
  await page.getByRole('rowheader').first().waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'New consignment' }).count(), 0)
})
