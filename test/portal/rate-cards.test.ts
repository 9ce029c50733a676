// Rate cards in a browser: a card is made, raised and approved by a clerk, put in order, and compared.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openRates } from '../support/given-rates.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openRates()
const { admin } = world.world
const { url, givenPerson } = await openPortal(world.world)
const options = { skip: noBrowser, timeout: 300_000 }

const outwards = world.charge({ rateExclTax: 2, note: 'Items out', when: { consignmentTypes: [2] } })
const inwards = world.charge({ rateExclTax: 1, note: 'Items in', when: { consignmentTypes: [1] } })
const card = await world.card()
const first = await world.createApprovedVersion(card, world.content(world.rate([outwards, inwards])))

/** Somebody at an address, who may be of any kind. */
async function at(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(path)
  return { visitor, page: visitor.page }
}
const versionsOf = async (id: string) =>
  (await admin.get(`/v1/rate-cards/${id}/versions`)).body.rateCardVersions
const contentOf = async (id: string) =>
  (await admin.get(`/v1/rate-cards/${card}/versions/${id}`)).body.content

test('a billing clerk raises a card by 4 % with five clicks', options, async () => {
  const { visitor, page } = await at(`/rate-cards/${card}`)
  await page.getByRole('table', { name: 'Versions' }).waitFor()
  visitor.forgetClicks()
  await page.getByRole('link', { name: 'Version 1' }).click()
  await page.getByRole('button', { name: 'Copy with a raise' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy with a raise' })
  await dialog.getByLabel('Raise in percent').fill('4')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Copy with a raise' }).click()
  await page.getByRole('heading', { level: 1, name: 'Version 2 of Prices' }).waitFor()
  await page.getByText('For outwards: 2.08 an item.').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.locator('[role=dialog][data-state="ready"]').waitFor()
  await page.getByRole('dialog', { name: 'Approve' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByText(/^Approved by .* It never changes/).waitFor()
  assertWithin(visitor, 'raise a card')
  const [raised] = await versionsOf(card)
  assert.equal(raised.status, 2)
  const { charges } = (await contentOf(raised.id)).rates[0]
  assert.deepEqual(
    charges.map(({ rateExclTax }: { rateExclTax: number }) => rateExclTax),
    [2.08, 1.04],
  )
  await visitor.goTo(`/rate-cards/${card}`)
  await page.getByRole('button', { name: 'Compare' }).click()
  const row = page.getByRole('table', { name: 'Differences' }).getByRole('row', { name: /Items out/ })
  await row.waitFor()
  assert.deepEqual(await row.getByRole('cell').allTextContents(), [
    ...['Handling out', 'Items out', 'Rate', '2.00', '2.08'],
  ])
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test('charges of a draft are put in another order by keys, buttons and dragging', options, async () => {
  const draft = await world.draft(card, await contentOf(first), '2030-01-01')
  const { visitor, page } = await at(`/rate-cards/${card}/versions/${draft}`)
  const charges = page.getByRole('list', { name: 'Charges' })
  const isFirst = (note: string) => charges.getByRole('listitem').first().getByText(note).waitFor()
  await page.getByText('Handling out has no charge at its end that takes the rest.').waitFor()
  await charges.getByRole('button', { name: /^For outwards/ }).press('Alt+ArrowDown')
  await isFirst('Items in')
  await charges.getByRole('button', { name: 'Move up' }).click()
  await isFirst('Items out')
  await charges.getByRole('listitem').nth(1).dragTo(charges.getByRole('listitem').first())
  await isFirst('Items in')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The version is saved').waitFor()
  const { rates } = await contentOf(draft)
  assert.equal(rates[0].charges[0].note, 'Items in')
  assertNoFaults(visitor)
})

test('a charge is edited in its form, and tried on a consignment before it is saved', options, async () => {
  const id = await world.goods([{ quantity: 10 }])
  const number = (await admin.get(`/v1/consignments/${id}`)).body.consignmentNumber
  const draft = await world.draft(card, await contentOf(first), '2032-01-01')
  const { visitor, page } = await at(`/rate-cards/${card}/versions/${draft}`)
  const form = page.getByRole('region', { name: 'Charge', exact: true })
  await form.getByLabel('Rate', { exact: true }).fill('2.5')
  await form.getByLabel('At least').fill('30')
  await form.getByRole('button', { name: 'Add condition' }).click()
  await page.getByRole('menuitem', { name: 'Weekdays' }).click()
  const tryIt = page.getByRole('region', { name: 'Try it' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 thing to correct').first().waitFor()
  await form.getByRole('button', { name: 'Remove condition Weekdays' }).click()
  await page.getByText('For outwards: 2.50 an item, at least 30.00. The rest falls to the next.').waitFor()
  await tryIt.getByLabel('Consignment').fill(number)
  await tryIt.getByText('Items out is charged for PLUM at 30.00.').waitFor()
  await tryIt.getByText('Items in does not apply: Consignment types: Outwards, not Inwards.').waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The version is saved').waitFor()
  const [charge] = (await contentOf(draft)).rates[0].charges
  assert.deepEqual([charge.rateExclTax, charge.minExclTax, charge.when.weekdays], [2.5, 30, undefined])
  assertNoFaults(visitor)
})

test('a card is made for a client, and its first version begins empty', options, async () => {
  const carrier = await world.made('/v1/partners', { code: 'NEW', name: 'New Client', relationship: 1 })
  const { visitor, page } = await at('/rate-cards')
  await page.getByRole('button', { name: 'New card' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create card' })
  await dialog.getByLabel('Client or carrier').selectOption('New Client')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await visitor.goTo(`/partners/${carrier}`)
  await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Invite' }).click()
  const invited = page.getByRole('dialog', { name: 'Invite' })
  assert.equal(await invited.getByLabel('Partner').inputValue(), carrier)
  await invited.getByRole('button', { name: 'Not now' }).click()
  // What is set up for a client begins on its page.
  await page.getByRole('region', { name: 'Rate cards' }).getByRole('button', { name: 'New card' }).click()
  assert.equal(await dialog.getByLabel('Client or carrier').inputValue(), carrier)
  await dialog.getByRole('button', { name: 'Create card' }).click()
  await page.getByRole('region', { name: 'Versions' }).waitFor()
  const holder = page.getByRole('link', { name: 'New Client' })
  assert.equal(await holder.getAttribute('href'), `/partners/${carrier}`)
  await page.getByRole('button', { name: 'New version' }).click()
  // Its first version may begin with what another client is charged, and be tried on what others have.
  const copyOf = page.getByRole('dialog').getByLabel('Copy of')
  await copyOf.getByRole('option', { name: /of Prices$/ }).waitFor({ state: 'attached' })
  await page.getByRole('dialog').getByRole('button', { name: 'Create version' }).click()
  await page.getByRole('heading', { level: 1, name: 'Version 1 of New Client' }).waitFor()
  await page.getByText('No rates yet.').waitFor()
  await page.getByText('It has none yet, so any number serves.').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  const approval = page.getByRole('dialog', { name: 'Approve' })
  await approval.getByText('It has no rates yet: nothing would be charged by it.').waitFor()
  await approval.getByRole('button', { name: 'Not now' }).click()
  const { rateCards } = (await admin.get(`/v1/rate-cards?PartnerId=${carrier}`)).body
  assert.deepEqual([rateCards[0].name, rateCards[0].draftCount], ['New Client', 1])
  assertNoFaults(visitor)
})

test('a reader sees prices without acts, and a client has no such screen', options, async () => {
  const draft = await world.draft(card, await contentOf(first), '2031-01-01')
  const reader = await at(`/rate-cards/${card}/versions/${draft}`, { role: 'reader' })
  await reader.page.getByText('For outwards: 2.00 an item.').waitFor()
  for (const act of ['Approve', 'Save', 'Copy with a raise', 'Add charge', 'Move up'])
    assert.equal(await reader.page.getByRole('button', { name: act }).count(), 0, act)
  const client = await at(`/rate-cards/${card}`, { partnerId: world.clientId })
  await client.page.getByRole('heading', { name: 'Your role does not include this' }).waitFor()
  assert.equal(await client.page.getByRole('link', { name: 'Rate cards' }).count(), 0)
})
