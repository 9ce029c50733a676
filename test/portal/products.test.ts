// Products, as whoever sets a client up works with them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, save, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openStock } from '../support/given-stock.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openStock()
const { admin, clientId, products, stored } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  return { visitor, page: visitor.page }
}

const read = async (id: string) => (await admin.get(`/v1/partners/${clientId}/products/${id}`)).body

test('a product is made, gets its unit chain, and quantities of it are converted', options, async () => {
  for (const name of ['Carton', 'Pallet'])
    assert.equal((await admin.post('/v1/unit-types', { name })).status, 201)
  const { visitor, page } = await visit('/products')
  await page.getByRole('button', { name: 'New product' }).click()
  const dialog = page.getByRole('dialog', { name: 'New product' })
  await dialog.getByLabel('Code', { exact: true }).fill('APPLE')
  await dialog.getByLabel('Name', { exact: true }).fill('Honey, 500 g')
  await dialog.getByRole('button', { name: 'New product' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByLabel('Code', { exact: true }).fill('HONEY')
  await dialog.getByRole('button', { name: 'New product' }).click()
  await page.getByRole('heading', { level: 1, name: 'HONEY' }).waitFor()
  const chain = page.getByRole('region', { name: 'Unit chain' })
  await chain.getByRole('button', { name: 'Edit' }).click()
  for (const [n, unit, rate, of] of [
    [1, 'Carton', '12', 'Item'],
    [2, 'Pallet', '48', 'Carton'],
  ] as const) {
    if (n > 1) await chain.getByRole('button', { name: 'Add unit' }).click()
    const row = chain.getByRole('group', { name: `Unit ${n}` })
    await row.getByLabel('Unit', { exact: true }).selectOption({ label: unit })
    await row.getByLabel('Holds').fill(rate)
    await row.getByLabel('of', { exact: true }).selectOption({ label: of })
  }
  await assertAccessible(page)
  await save(chain)
  const picture = chain.getByRole('list', { name: 'Unit chain' })
  await picture.getByText('48 × Carton').waitFor()
  await picture.getByText('= 576 items').waitFor()
  await chain.getByLabel('Quantity').fill('2.5')
  const result = chain.getByRole('status', { name: 'Converter' })
  await result.getByText('2.5 Pallet = 120 Carton = 1,440 Item').waitFor()
  await result.getByText('In whole units: 2 Pallet, 24 Carton').waitFor()
  await assertAccessible(page)
  assertNoFaults(visitor)
})

test(
  'facts, dates, rules and dangerous goods of a product are corrected where they stand',
  options,
  async () => {
    await stored(40, { batch: 'B-1' })
    const id = products.APPLE
    const { visitor, page } = await visit(`/products/${clientId}/${id}`)
    const region = (name: string) => page.getByRole('region', { name, exact: true })
    await region('Stock').getByRole('link', { name: 'A-01' }).waitFor()
    await region('Facts').getByRole('button', { name: 'Edit' }).click()
    await region('Facts').getByLabel('Weight, kg').fill('0.3')
    await save(region('Facts'))
    await page.getByText('APPLE is saved').waitFor()
    await region('Batch, dates and serials').getByRole('button', { name: 'Edit' }).click()
    await region('Batch, dates and serials')
      .getByLabel('Expiry', { exact: true })
      .selectOption({ label: 'Required' })
    await save(region('Batch, dates and serials'))
    await region('Batch, dates and serials').locator('dd', { hasText: 'Required' }).waitFor()
    await region('Stock rules').getByRole('button', { name: 'Edit' }).click()
    await region('Stock rules')
      .getByLabel('Order', { exact: true })
      .selectOption({ label: 'Earliest expiry first' })
    await save(region('Stock rules'))
    await region('Stock rules').getByText('Stock is taken earliest expiry first.').waitFor()
    await region('Dangerous goods').getByRole('button', { name: 'Edit' }).click()
    await region('Dangerous goods').getByLabel('Is dangerous').check()
    await region('Dangerous goods').getByLabel('UN number').fill('1993')
    await save(region('Dangerous goods'))
    await region('Hazard classes').getByRole('button', { name: 'Add class' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add class' }).click()
    await region('Hazard classes').getByRole('listitem').waitFor()
    const { weightKG, expiryUsage, rotationMethod, dgUnNumber, dgHazardClasses } = await read(id)
    assert.deepEqual([weightKG, expiryUsage, rotationMethod, dgUnNumber], [0.3, 3, 2, '1993'])
    assert.equal(dgHazardClasses.length, 1)
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await page
      .getByRole('dialog')
      .getByText(/in stock/)
      .waitFor()
    assertNoFaults(visitor)
  },
)

test("a client's person finds their products and their stock, and no act", options, async () => {
  const { visitor, page } = await visit('/products', { partnerId: clientId })
  assert.equal(await page.getByRole('columnheader', { name: 'Client' }).count(), 0)
  await page.getByRole('link', { name: 'PEAR', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'PEAR' }).waitFor()
  await page.getByRole('region', { name: 'Stock', exact: true }).waitFor()
  assertWithin(visitor, 'where is a product')
  for (const act of ['Edit', 'Deactivate', 'New product'])
    assert.equal(await page.getByRole('button', { name: act }).count(), 0, act)
  assertNoFaults(visitor)
})
