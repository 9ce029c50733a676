// Warehouses and reference data, as an administrator sets them up in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, save, signInAs } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openWorld()
const { admin } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(path)
  return { visitor, page: visitor.page }
}

test(
  'a warehouse gets a zone and the places of an aisle from a pattern, and is made inactive',
  options,
  async () => {
    const { visitor, page } = await visit('/warehouses')
    await page.getByRole('button', { name: 'New warehouse' }).click()
    const making = page.getByRole('dialog', { name: 'New warehouse' })
    await making.getByLabel('Name').fill('Harbour')
    await making.getByLabel('Code').fill('HAR')
    await making.getByRole('button', { name: 'New warehouse' }).click()
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()

    await page.getByRole('button', { name: 'New zone' }).click()
    const zone = page.getByRole('dialog', { name: 'New zone' })
    await zone.getByLabel('Name').fill('Ambient')
    await zone.getByRole('button', { name: 'New zone' }).click()
    const zones = page.getByRole('table', { name: 'Zones' })
    await zones.getByText('Ambient').waitFor()
    await page.getByRole('button', { name: 'Edit Ambient' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit Ambient' })
    await edited.getByLabel('Code').fill('AMB')
    await save(edited)
    await zones.getByText('AMB', { exact: true }).waitFor()

    visitor.forgetClicks()
    await page.getByRole('button', { name: 'Create many' }).click()
    const many = page.getByRole('dialog', { name: 'Create many' })
    await many.getByLabel('Pattern').fill('A-{01..12}-{5..1}')
    await many.getByText('This is no pattern').waitFor()
    await many.getByLabel('Pattern').fill('A-{01..12}-{1..5}')
    await many.getByText('60 places: A-01-1, A-01-2, A-01-3 … A-12-5').waitFor()
    await many.getByLabel('Zone').selectOption({ label: 'Ambient' })
    await many.getByLabel('First walking order').fill('100')
    await assertAccessible(page)
    await many.getByRole('button', { name: 'Create many' }).click()
    const grid = page.getByRole('grid', { name: 'Locations' })
    await grid.getByRole('link', { name: 'A-01-1' }).waitFor()
    assertWithin(visitor, 'places by pattern')
    await grid.getByRole('link', { name: 'A-01-1' }).click()
    const place = page.getByRole('dialog', { name: 'A-01-1' })
    assert.equal(await place.getByLabel('Walking order').inputValue(), '100')
    await place.getByLabel('Minimum').fill('12.5')
    await assertAccessible(page)
    await save(place)
    await grid.getByText('12.5').waitFor()

    await grid.getByRole('checkbox', { name: 'Select A-01-1', exact: true }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Deactivate' }).click()
    const off = page.getByRole('dialog', { name: 'Deactivate' })
    await off.getByRole('button', { name: 'Deactivate' }).click()
    await grid.getByRole('link', { name: 'A-01-1' }).waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Inactive' }).click()
    await grid.getByRole('link', { name: 'A-01-1' }).waitFor()
    await assertAccessible(page)

    await page.getByRole('region', { name: 'Warehouse' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('City').fill('Timaru')
    await save(page)
    await page.getByText('Timaru').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Deactivate', exact: true }).click()
    await off.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('Harbour is inactive').waitFor()
    const [{ id, status }] = (await admin.get('/v1/warehouses')).body.warehouses
    assert.equal(status, 2)
    const { total } = (await admin.get(`/v1/warehouses/${id}/locations`)).body
    assert.equal(total, 60)
    assertNoFaults(visitor)
  },
)

test(
  'reference data is made, changed and taken out of use, and what is given is only read',
  options,
  async () => {
    const { visitor, page } = await visit('/reference/tax-rates')
    await page.getByRole('button', { name: 'New' }).click()
    const making = page.getByRole('dialog', { name: 'New tax rate' })
    await making.getByLabel('Name').fill('GST')
    await making.getByLabel('Percent').fill('150')
    await making.getByRole('button', { name: 'New' }).click()
    await making.locator('[aria-invalid=true]').waitFor()
    await assertAccessible(page)
    await making.getByLabel('Percent').fill('12.5')
    await making.getByRole('button', { name: 'New' }).click()
    const grid = page.getByRole('grid', { name: 'Tax rates' })
    await grid.getByRole('link', { name: 'GST' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit GST' })
    await edited.getByLabel('Percent').fill('15')
    await save(edited)
    await grid.getByText('15', { exact: true }).waitFor()
    await grid.getByRole('checkbox', { name: 'Select GST' }).check()
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('1 entry is inactive').waitFor()
    await page.getByRole('tab', { name: 'Inactive' }).click()
    await grid.getByRole('checkbox', { name: 'Select GST' }).check()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('1 entry is active').waitFor()

    await page.getByRole('tab', { name: 'Ports' }).click()
    await page.getByRole('grid', { name: 'Ports' }).waitFor()
    await page.getByRole('searchbox').fill('NZAKL')
    await page.getByRole('rowheader', { name: 'NZAKL' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'New' }).count(), 0)
    await page.getByRole('tab', { name: 'Hazard classes' }).click()
    await page.getByRole('grid', { name: 'Hazard classes' }).getByRole('link').first().click()
    await page.getByRole('dialog', { name: 'Categories' }).getByRole('listitem').first().waitFor()
    await assertAccessible(page)
    assertNoFaults(visitor)
  },
)

test('a reader sees warehouses and reference data without acts', options, async () => {
  await admin.post('/v1/unit-types', { name: 'Crate' })
  const { visitor, page } = await visit('/reference/activity-types', { role: 'reader' })
  await page.getByRole('region', { name: 'Activities' }).waitFor()
  await page.getByRole('tab', { name: 'Unit types' }).click()
  await page.getByRole('link', { name: 'Crate' }).click()
  await page.getByRole('dialog', { name: 'Crate' }).getByText('Crate').last().waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('button', { name: 'New' }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
  const [{ id }] = (await admin.get('/v1/warehouses')).body.warehouses
  await visitor.goTo(`/warehouses/${id}`)
  await page.getByRole('tab', { name: 'All' }).click()
  await page.getByRole('link', { name: 'A-01-2' }).click()
  await page.getByRole('dialog', { name: 'A-01-2' }).getByText('Ambient').waitFor()
  await page.keyboard.press('Escape')
  for (const act of ['Create many', 'New zone', 'Edit', 'More'])
    assert.equal(await page.getByRole('button', { name: act, exact: true }).count(), 0)
})
