// Own views and columns of a list, which follow a person to every browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { goods, openInwards } from '../support/given-inwards.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openInwards()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }
await world.announce([goods('APPLE', 1)], { referenceNumber: 'A' })

async function visit(email: string) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, email)
  return visitor
}

test('a view is saved with its filters, shown in another browser, renamed and deleted', options, async () => {
  const email = await givenPerson()
  const visitor = await visit(email)
  const { page } = visitor
  await visitor.open('/consignments?view=all&Type=1')
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('Late')
  await dialog.getByText('A view has this name already.').waitFor()
  await dialog.getByLabel('Name').fill('Arrivals')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('tab', { name: 'Arrivals', selected: true }).waitFor()

  const elsewhere = await visit(email)
  await elsewhere.open('/consignments')
  await elsewhere.page.getByRole('tab', { name: 'Arrivals' }).click()
  await elsewhere.page.getByRole('button', { name: 'Type: Inwards' }).waitFor()
  assert.match(elsewhere.page.url(), /\?Type=1&view=all$/)
  await elsewhere.page.getByRole('button', { name: 'Change view' }).click()
  await elsewhere.page.getByRole('menuitem', { name: 'Rename view', exact: true }).click()
  const renaming = elsewhere.page.getByRole('dialog', { name: 'Rename view' })
  await renaming.getByLabel('Name').fill('Incoming')
  await renaming.getByRole('button', { name: 'Rename view' }).click()
  await elsewhere.page.getByRole('tab', { name: 'Incoming', selected: true }).waitFor()

  await visitor.open('/consignments?view=all&Type=1')
  await page.getByRole('tab', { name: 'Incoming', selected: true }).waitFor()
  await page.getByRole('button', { name: 'Change view' }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await page.getByRole('tab', { name: 'Incoming' }).waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'All', selected: true }).waitFor()
  assertNoFaults(visitor)
})

test('columns that are chosen in one browser are shown in another, and to nobody else', options, async () => {
  const email = await givenPerson()
  const { page, ...visitor } = await visit(email)
  await visitor.open('/consignments')
  assert.equal(await page.getByRole('columnheader', { name: 'Entered' }).count(), 0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitem', { name: 'Entered' }).click()
  await page.getByRole('columnheader', { name: 'Entered' }).waitFor()

  const elsewhere = await visit(email)
  await elsewhere.open('/consignments')
  await elsewhere.page.getByRole('columnheader', { name: 'Entered' }).waitFor()
  const somebodyElse = await visit(await givenPerson())
  await somebodyElse.open('/consignments')
  await somebodyElse.page.getByRole('rowheader').first().waitFor()
  assert.equal(await somebodyElse.page.getByRole('columnheader', { name: 'Entered' }).count(), 0)
})
