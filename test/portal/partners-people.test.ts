// The work of people of clients and carriers in a browser, in as few clicks as their tasks may take.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { runsOf } from '../../portal/src/runs.ts'
import { sql } from '../../src/platform/database/db.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, pressUntil, signInAs } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { bytesOf } from '../support/given-sub-records.ts'

const imports = await openImports()
const { admin, database } = imports.world
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 180_000 }
const phone = { width: 390, height: 844 }

async function visit(partnerId: string, size: Parameters<typeof newVisitor>[1] = {}) {
  const visitor = await newVisitor(url, size)
  await signInAs(visitor, await givenPerson({ role: 'member', partnerId }))
  await visitor.open('/')
  return visitor
}

/** An order of the carrier SWF, which waits at the dock as a stop of a run. */
async function givenStop(name: string, stop: number): Promise<string> {
  const id = await imports.imported({
    ...{ consignmentType: 0, carrierCode: 'SWF', referenceNumber: `SO-${stop}` },
    originAddress: { name: 'Kauri Mill', city: 'Napier' },
    destinationAddress: { name, city: 'Auckland', streetAddress: '1 Quay Street' },
  })
  await admin.put(`/v1/consignments/${id}/route`, { carrierRunNumber: 'N-7', carrierRunOrdinal: stop })
  await admin.put(`/v1/consignments/${id}/status`, { status: 5 })
  return id
}

/** A photo as a phone takes it: too large to send in a moment. */
const largePhoto = () =>
  sharp(randomBytes(1500 * 1200 * 3), { raw: { width: 1500, height: 1200, channels: 3 } })

test(
  'a driver finds the next stop on a phone, proves its delivery with a photo and writes a note',
  options,
  async () => {
    await givenStop('Corner Dairy', 2)
    const id = await givenStop('Harbour Deli', 1)
    const visitor = await visit(imports.carrierId, phone)
    const { page } = visitor
    const run = page.getByRole('region', { name: 'My run' })
    await run.getByText('Harbour Deli').waitFor()
    assert.match((await run.getByRole('listitem').first().textContent()) ?? '', /^1Harbour Deli/)
    await assertAccessible(page)
    visitor.forgetClicks()
    const { consignmentNumber } = (await admin.get(`/v1/consignments/${id}`)).body
    await run.getByRole('link', { name: new RegExp(consignmentNumber) }).click()
    await page.getByRole('heading', { level: 1, name: consignmentNumber }).waitFor()
    assert.equal(visitor.clicks, 1, 'from the run to the stop')

    visitor.forgetClicks()
    const large = await largePhoto().png({ compressionLevel: 0 }).toBuffer()
    await page.getByRole('button', { name: 'Add proof' }).click()
    await page.getByLabel('Signed by').fill('Ann')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('Photo').click()])
    await chooser.setFiles({ name: 'door.png', mimeType: 'image/png', buffer: large })
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save proof' }).click()
    await page.getByText('Signed by Ann').waitFor()
    assert.equal(visitor.clicks, 3)
    const stored = await database.db.row<{ contentType: string; fileName: string; size: number }>(sql`
    select content_type, file_name, length(content) as size from consignment_pod where consignment_id = ${id}`)
    assert.deepEqual([stored.contentType, stored.fileName], ['image/jpeg', 'door.jpg'])
    assert.ok(stored.size < large.length / 2, 'a large photo is made smaller before it is sent')
    await page.getByRole('button', { name: 'Show proof 1' }).click()
    await page.getByRole('dialog').getByRole('img', { name: 'Proof 1' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')

    visitor.forgetClicks()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByLabel('Note', { exact: true }).fill('Left at the back door')
    await page.getByRole('button', { name: 'Save note' }).click()
    await page.getByRole('region', { name: 'Notes' }).getByText('Left at the back door').waitFor()
    assert.equal(visitor.clicks, 2)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width)
    assertNoFaults(visitor)
  },
)

test(
  "a client's person sees what is free, orders with six fields, finds the order and takes it back",
  options,
  async () => {
    const { warehouses } = (await admin.get('/v1/me')).body
    const place = await admin.post(`/v1/warehouses/${warehouses[0].id}/locations`, { name: 'A-01', type: 1 })
    const { products } = (await admin.get(`/v1/partners/${imports.clientId}/products?Code=APPLE`)).body
    const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const found = {
      ...{ partnerProductId: products[0].id, warehouseId: warehouses[0].id, quantity: 40 },
      ...{ warehouseLocationId: place.body.warehouseLocationId, expiryDate: soon },
    }
    const answer = await admin.post('/v1/inventory/adjust', { adjustments: [found], reason: 'Found' })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const visitor = await visit(imports.clientId)
    const { page } = visitor
    await page
      .getByRole('region', { name: 'In store' })
      .getByRole('row', { name: /APPLE.* 40 40/ })
      .waitFor()
    const nearExpiry = page.getByRole('region', { name: 'Near expiry' })
    await assertAccessible(page)
    visitor.forgetClicks()
    await nearExpiry.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('button', { name: /^Near expiry/ }).waitFor()
    assert.equal(visitor.clicks, 1)

    await visitor.goTo('/')
    await page.getByRole('button', { name: 'New consignment' }).click()
    const free = page.getByRole('region', { name: 'Free stock' })
    await free.getByText('40').waitFor()
    await assertAccessible(page)
    await free.getByRole('button', { name: 'Order APPLE' }).click()
    assert.equal(await page.getByLabel('Product of line 1').inputValue(), 'APPLE')
    const fields = {
      ...{ Reference: 'SO-88', Name: 'Rata Bakery', 'Street address': '1 Quay Street', City: 'Auckland' },
      ...{ 'Product of line 1': 'APPLE', 'Quantity of line 1': '6' },
    }
    assert.equal(Object.keys(fields).length, 6)
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value)
    await pressUntil(page, imports.drain, 'Create consignment', 'The consignment is created')
    const id = String(await page.locator('main[data-id]').getAttribute('data-id'))

    await visitor.goTo('/')
    const orders = page.getByRole('region', { name: 'Open orders' })
    await orders.getByText('Rata Bakery').waitFor()
    visitor.forgetClicks()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('SO-88')
    await page.getByRole('option', { name: /SO-88/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator(`main[data-id="${id}"]`).waitFor()
    assert.equal(visitor.clicks, 0)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Void' }).click()
    await page.locator('[role=dialog][data-state=ready]').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Void', exact: true }).click()
    await page.locator('main[data-status="Void"]').waitFor()
    assert.equal(visitor.clicks, 3)
    assertNoFaults(visitor)
  },
)

test("a client's person opens the proof of a delivery with two clicks from the list", options, async () => {
  const id = await imports.imported({ products: [line()] })
  const attachmentFile = {
    ...{ fileName: 'door.png', contentType: 'image/png' },
    content: bytesOf('image/png').toString('base64'),
  }
  assert.equal((await admin.post(`/v1/consignments/${id}/pods`, { attachmentFile })).status, 200)
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${id}`)).body
  const visitor = await visit(imports.clientId)
  const { page } = visitor
  await visitor.goTo('/consignments')
  visitor.forgetClicks()
  await page.getByRole('link', { name: consignmentNumber }).click()
  await page.getByRole('button', { name: 'Show proof 1' }).click()
  await page.getByRole('dialog').getByRole('img').waitFor()
  assert.equal(visitor.clicks, 2)
  assertNoFaults(visitor)
})

test('stops are in the order of their run, and what is on no run comes last', () => {
  const stop = (
    consignmentNumber: string,
    carrierRunNumber: string | null,
    carrierRunOrdinal: number | null,
  ) => ({
    ...{ consignmentNumber, carrierRunNumber, carrierRunOrdinal },
  })
  const runs = runsOf([
    stop('4', null, null),
    stop('3', 'B', 1),
    stop('2', 'A', null),
    stop('1', 'A', 10),
    stop('0', 'A', 9),
  ])
  assert.deepEqual(
    runs.map(({ number, stops }) => [number, ...stops.map(({ consignmentNumber }) => consignmentNumber)]),
    [
      ['A', '0', '1', '2'],
      ['B', '3'],
      [null, '4'],
    ],
  )
})
