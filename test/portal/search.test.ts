// The search for everything, as people use it in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs, type Visitor } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const imports = await openImports()
const { admin } = imports.world
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }

const id = await imports.imported({ referenceNumber: 'Gift-77', carrierCode: 'SWF' })
const otherId = await imports.imported({ referenceNumber: 'Gift-78' })
const waitingId = await imports.imported({
  referenceNumber: 'Gift-99',
  products: [line({ productCode: 'APPLF' })],
})
const numberOf = async (consignmentId: string): Promise<string> =>
  (await admin.get(`/v1/consignments/${consignmentId}`)).body.consignmentNumber
const [number, otherNumber] = [await numberOf(id), await numberOf(otherId)]

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/')
  return visitor
}

const shownTo = ({ page }: Visitor) => page.getByRole('option')

async function searchFor(visitor: Visitor, text: string) {
  const { page } = visitor
  await page.keyboard.press('ControlOrMeta+k')
  await page.locator('[role=combobox]:focus').waitFor()
  visitor.forgetClicks()
  await page.keyboard.type(text)
}

test('a number without zeros opens its consignment by keys, with one request', options, async () => {
  const visitor = await visit()
  const { page } = visitor
  const typed = String(Number(number.split('-')[1]))
  await searchFor(visitor, `${number.split('-')[0]}-${typed}`)
  await page.getByRole('option', { name: new RegExp(`^${number}`) }).waitFor()
  await page.getByRole('dialog', { name: 'Search' }).and(page.locator('[data-state=ready]')).waitFor()
  assert.deepEqual(
    visitor.requests.filter(request => !/^GET \/v1\/(search|events)$/.test(request)),
    [],
    'the search is one request',
  )
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: number }).waitFor()
  assertWithin(visitor, 'find a consignment by its number')
  assertNoFaults(visitor)
})

test('what is found stands by kind, with what waits, and on a page of its own', options, async () => {
  const visitor = await visit()
  const { page } = visitor
  await searchFor(visitor, 'gift-')
  await page
    .getByRole('group', { name: 'Imports' })
    .getByRole('option', { name: /^Gift-99 Waiting/ })
    .waitFor()
  assert.equal(await page.getByRole('group', { name: 'Consignments' }).getByRole('option').count(), 2)
  await page.getByRole('button', { name: 'All results' }).click()
  await page.getByRole('heading', { level: 1, name: 'Results for gift-' }).waitFor()
  await page.getByRole('region', { name: 'Imports' }).getByRole('link', { name: 'Gift-99' }).click()
  await visitor.whenShown('ready')
  assert.equal(new URL(page.url()).pathname, `/imports/${waitingId}`)
  assertNoFaults(visitor)
})

test('the id of a request leads to what it did', options, async () => {
  const caller = admin.with({ 'x-request-id': 'shop.42' })
  assert.equal((await caller.put(`/v1/consignments/${id}/general`, { soNumber: 'S1' })).status, 200)
  const visitor = await visit()
  await searchFor(visitor, 'shop.42')
  await visitor.page.getByRole('button', { name: 'All results' }).press('Enter')
  const region = visitor.page.getByRole('region', { name: 'What the request did' })
  await region.getByRole('link', { name: number }).waitFor()
  await region.getByText(/^Consignment, /).waitFor()
  assertWithin(visitor, 'what a request did')
  await assertAccessible(visitor.page)
})

test(
  'an act is found by its name and a screen by what it has, and texts with a meaning elsewhere are only texts',
  options,
  async () => {
    const visitor = await visit()
    const { page } = visitor
    await searchFor(visitor, "%_\\' <img src=x onerror=alert(1)>")
    await page.getByText('Nothing has this text').waitFor()
    await page.getByRole('combobox', { name: 'Search everything' }).fill('new consign')
    await page.getByRole('option', { name: 'New consignment' }).click()
    await page.getByRole('heading', { level: 1, name: 'New consignment' }).waitFor()
    await searchFor(visitor, 'minimum spend')
    await page.getByRole('option', { name: 'Rate cards Minimum spend' }).waitFor()
    await page.getByRole('combobox', { name: 'Search everything' }).fill('billing set')
    await page.getByRole('option', { name: 'Billing set-up' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing set-up' }).waitFor()
    assertNoFaults(visitor)
  },
)

test('a carrier finds only what it carries, and a client no acts of the house', options, async () => {
  const carrier = await visit({ role: 'member', partnerId: imports.carrierId })
  await searchFor(carrier, 'gift-')
  await carrier.page.getByRole('option', { name: new RegExp(`^${number}`) }).waitFor()
  assert.equal(await shownTo(carrier).count(), 1)
  assert.equal((await carrier.page.content()).includes(otherNumber), false)
  const client = await visit({ role: 'member', partnerId: imports.clientId })
  await searchFor(client, 'new ')
  await client.page.getByRole('option', { name: 'New consignment' }).waitFor()
  assert.equal(await shownTo(client).count(), 1)
})
