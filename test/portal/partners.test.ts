// Clients and carriers, as whoever sets them up works with them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, save, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openStock } from '../support/given-stock.ts'

const world = await openStock()
const { admin, clientId } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  return { visitor, page: visitor.page }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test('a new client gets its facts, rules, bills, aliases and logo', options, async () => {
  const { visitor, page } = await visit('/partners', { role: 'administrator' })
  await page.getByRole('tab', { name: 'Carriers' }).click()
  await page.getByRole('tab', { name: 'Clients' }).click()
  await page.getByRole('button', { name: 'New client' }).click()
  const dialog = page.getByRole('dialog', { name: 'New client' })
  await dialog.getByLabel('Name').fill('Rimu Nuts')
  await dialog.getByLabel('Code').fill('RIMU')
  await dialog.getByRole('button', { name: 'New client' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rimu Nuts' }).waitFor()
  const id = await page.getByRole('main').getAttribute('data-id')
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const edit = (name: string) => region(name).getByRole('button', { name: 'Edit' }).click()
  await edit('Details')
  await region('Details').getByLabel('Days to pay').fill('20')
  assert.equal(await region('Details').getByLabel('Warn below').count(), 0)
  await region('Details').getByLabel('Warn of freight').selectOption('That earns less than a percentage')
  await region('Details').getByLabel('Warn below, % of the charge').fill('12')
  await save(region('Details'))
  await region('Details').getByText('20', { exact: true }).waitFor()
  await edit('Stock rules')
  await region('Stock rules')
    .getByLabel('Order', { exact: true })
    .selectOption({ label: 'Earliest expiry first' })
  await region('Stock rules').getByLabel('Batch', { exact: true }).selectOption({ label: 'Required' })
  await save(region('Stock rules'))
  await region('Stock rules').getByText('Stock is taken earliest expiry first').waitFor()
  await region('Stock rules').getByText('Goods are received only with batch.').waitFor()
  await edit('Billing rule')
  await region('Billing rule').getByLabel('Period').selectOption({ label: 'Weekly' })
  await assertAccessible(page)
  await save(region('Billing rule'))
  await region('Billing rule').getByText('of its own').waitFor()
  await region('Code aliases').getByRole('button', { name: 'New alias' }).click()
  const alias = page.getByRole('dialog', { name: 'New alias' })
  await alias.getByLabel('Kind').selectOption({ label: 'Warehouse' })
  await alias.getByLabel('Code that is sent').fill('AUCKLAND')
  await alias.getByLabel('Means').fill('NOWHERE')
  await alias.getByRole('button', { name: 'New alias' }).click()
  await alias.locator('[aria-invalid=true]').waitFor()
  await alias.getByLabel('Means').fill('AKL')
  await alias.getByRole('button', { name: 'New alias' }).click()
  await region('Code aliases').getByRole('cell', { name: 'AUCKLAND', exact: true }).waitFor()
  await region('Logo').getByRole('button', { name: 'Change logo' }).click()
  const logo = page.getByRole('dialog', { name: 'Change logo' })
  await logo.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png })
  await logo.getByRole('button', { name: 'Change logo' }).click()
  await page.getByRole('img', { name: 'Logo of Rimu Nuts' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Products' }).click()
  await page.getByText('This client has no products yet.').waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await confirm(page, 'Deactivate')
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor()
  const partner = (await admin.get(`/v1/partners/${id}`)).body
  assert.deepEqual(
    [
      partner.freightWarningThreshold,
      partner.paymentTermsDays,
      partner.rotationMethod,
      partner.productBatchUsage,
      partner.status,
    ],
    [12, 20, 2, 3, 1],
  )
  assertNoFaults(visitor)
})

test('a reader reads a client, and a client has no list of partners', options, async () => {
  const { page } = await visit(`/partners/${clientId}`, { role: 'reader' })
  await page.getByRole('region', { name: 'Stock rules' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0)
  const { page: other } = await visit('/partners', { partnerId: clientId })
  await other.getByRole('heading', { level: 1, name: 'Your role does not include this' }).waitFor()
})
