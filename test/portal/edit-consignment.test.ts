// The references, the route and the container of a consignment, as people correct them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, save, signInAs } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openAllocation()
const { admin, clientId } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(`/consignments/${id}`)
  return visitor
}

const pending = () => world.ready([{ quantity: 5 }], { status: ConsignmentStatus.Pending })
const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body

test('references and expected times are corrected, and what was not changed stays', options, async () => {
  const id = await pending()
  await admin.put(`/v1/consignments/${id}/general`, { poNumber: 'PO-7', soNumber: 'SO-7' })
  const visitor = await visit(id)
  const { page } = visitor
  await page.getByRole('button', { name: 'Edit references' }).click()
  await page.getByLabel('Purchase order').fill('PO-8')
  await page.getByLabel('Expected dispatch').fill('2026-12-01T09:30')
  await assertAccessible(page)
  await save(page)
  await page.getByText('Saved', { exact: true }).waitFor()
  const { poNumber, soNumber, expectedDispatchDateTime } = await read(id)
  assert.deepEqual([poNumber, soNumber], ['PO-8', 'SO-7'])
  assert.match(expectedDispatchDateTime, /^2026-12-01T09:30/)
  assertNoFaults(visitor)
})

test('another carrier and city, and the rest of the address stays', options, async () => {
  const id = await pending()
  await admin.put(`/v1/consignments/${id}/route`, {
    destinationAddress: { name: 'Harbour Deli', city: 'Auckland', country: 'NZ' },
  })
  const { page } = await visit(id)
  await page.getByRole('button', { name: 'Edit route' }).click()
  await page.getByLabel('Carrier', { exact: true }).selectOption('Swift')
  await page.getByLabel('To: city').fill('Wellington')
  await save(page)
  await page.getByText('Saved', { exact: true }).waitFor()
  const { carrierCode, destinationAddress } = await read(id)
  assert.equal(carrierCode, 'SWF')
  const { name, city } = destinationAddress
  assert.deepEqual([name, city], ['Harbour Deli', 'Wellington'])
})

test('a container is added, and a fault stands at its field', options, async () => {
  const id = await pending()
  const { page } = await visit(id)
  await page.getByRole('button', { name: 'Edit container' }).click()
  await page.getByRole('textbox', { name: 'Container' }).fill('x'.repeat(5_000))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByRole('textbox', { name: 'Container' }).fill('TCLU4455665')
  await save(page)
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await read(id)).containerNumber, 'TCLU4455665')
})

test(
  'a client corrects the address of an order, but not its carrier; a reader nothing',
  options,
  async () => {
    const id = await pending()
    const { page } = await visit(id, { partnerId: clientId })
    await page.getByRole('button', { name: 'Edit route' }).click()
    assert.equal(await page.getByLabel('Carrier', { exact: true }).count(), 0)
    await page.getByLabel('To: city').fill('Dunedin')
    await save(page)
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await read(id)).destinationAddress.city, 'Dunedin')
    const reader = await visit(id, { role: 'reader' })
    assert.equal(await reader.page.getByRole('button', { name: /^Edit/ }).count(), 0)
  },
)

test('work is added and taken away, each in its unit', options, async () => {
  const id = await pending()
  const visitor = await visit(id)
  const { page } = visitor
  const work = page.getByRole('region', { name: 'Work' })
  await work.getByRole('button', { name: 'Add work' }).click()
  await work.getByLabel('What').selectOption('Task: Wrapping')
  await work.getByLabel('Value').fill('2.5')
  await assertAccessible(page)
  await work.getByRole('button', { name: 'Add work' }).click()
  await work.getByRole('listitem').filter({ hasText: 'Wrapping' }).getByText('2.5').waitFor()
  await work.getByRole('button', { name: 'Add work' }).click()
  await work.getByLabel('What').selectOption('Service: Express')
  await work.getByRole('button', { name: 'Add work' }).click()
  await work.getByRole('listitem').filter({ hasText: 'Express' }).waitFor()
  const { tasks, serviceTypes } = await read(id)
  assert.deepEqual([tasks[0].value, serviceTypes[0].code], [2.5, 'EXP'])
  await work.getByRole('button', { name: 'Remove Wrapping' }).click()
  await work.getByText('Wrapping').waitFor({ state: 'detached' })
  assert.deepEqual((await read(id)).tasks, [])
  assertNoFaults(visitor)
})

test(
  'a tracking number is added, and its page and what its carrier reports are a press away',
  options,
  async () => {
    const id = await pending()
    const { page } = await visit(id)
    const tracking = page.getByRole('region', { name: 'Tracking' })
    await tracking.getByRole('button', { name: 'Add tracking' }).click()
    await tracking.getByLabel('Tracking number').fill('SWF-42')
    await tracking.getByLabel('Tracking page').fill('https://swift.example/SWF-42')
    await tracking.getByRole('button', { name: 'Add tracking' }).click()
    await tracking.getByText('SWF-42').waitFor()
    const [{ trackingNumber, id: trackingId }] = (await read(id)).consignmentTracking
    assert.equal(trackingNumber, 'SWF-42')
    const link = tracking.getByRole('link', { name: 'SWF-42' })
    assert.equal(await link.getAttribute('href'), 'https://swift.example/SWF-42')
    const event = { status: 8, details: 'Lost in Hamilton', eventDateTime: '2026-03-02T08:00:00Z' }
    const path = `/v1/consignments/${id}/tracking/${trackingId}/event`
    assert.ok((await admin.post(path, event)).status < 300)
    await tracking.getByRole('button', { name: 'Events of SWF-42' }).click()
    await tracking.getByText('Exception: Lost in Hamilton').waitFor()
  },
)
