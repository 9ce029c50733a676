// Notes with files, proofs of delivery and prints on the record of a consignment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/platform/database/db.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs, whenEqual } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { openPrinters } from '../support/given-paper-printers.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { bytesOf } from '../support/given-sub-records.ts'

const imports = await openImports()
const { admin, database } = imports.world
await openPrinters(imports.world, imports.warehouseId)
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }

const read = async (id: string) => (await admin.get(`/v1/consignments/${id}`)).body
const photo = { name: 'door.png', mimeType: 'image/png', buffer: bytesOf('image/png') }

/** Somebody at the record of a consignment. */
async function atRecord(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(`/consignments/${id}`)
  return { visitor, page: visitor.page }
}
const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** Presses a button and returns the name and the bytes of the file that it downloads. */
async function downloaded(page: Page, button: string): Promise<[name: string, bytes: string]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return [file.suggestedFilename(), Buffer.concat(chunks).toString('base64')]
}
/** The jobs that were sent to printers, each as name, printer and copies. */
const jobs = () =>
  database.db.rows<{ name: string; printer: string; copies: number }>(sql`
    select j.name, p.name as printer, j.copies from print_job j
    join printer p on p.organisation_id = j.organisation_id and p.id = j.printer_id order by j.created_utc`)

test('a proof of delivery is added with its photo, by a carrier as by the house', options, async () => {
  const id = await imports.imported({ carrierCode: 'SWF' })
  const { visitor, page } = await atRecord(id, { role: 'member', partnerId: imports.carrierId })
  const region = regionOf(page, 'Proof of delivery')
  await page.getByRole('button', { name: 'Add proof' }).click()
  await region.getByLabel('Signed by').fill('Ann')
  await region.getByLabel('Time').fill('2026-11-20T09:30')
  await region.getByLabel('Photo').setInputFiles(photo)
  await assertAccessible(page)
  await region.getByRole('button', { name: 'Save proof' }).click()
  await region.getByText('Signed by Ann').waitFor()
  const [pod] = (await read(id)).pods
  assert.equal(pod.eventUtc, '2026-11-19T20:30:00.000Z', 'the time of the reader')
  assert.deepEqual(await downloaded(page, 'Download proof 1'), ['door.png', photo.buffer.toString('base64')])
  assertNoFaults(visitor)
})

test('a file that is no photo is refused at its field', options, async () => {
  const { page } = await atRecord(await imports.imported())
  const region = regionOf(page, 'Proof of delivery')
  await region.getByRole('button', { name: 'Add proof' }).click()
  await region.getByLabel('Photo').setInputFiles({ ...photo, buffer: Buffer.from('no picture') })
  await region.getByRole('button', { name: 'Save proof' }).click()
  await region.locator('input[type=file][aria-invalid]').waitFor()
})

test('a note has files to download, and says whether papers have it', options, async () => {
  const id = await imports.imported()
  const { visitor, page } = await atRecord(id)
  const region = regionOf(page, 'Notes')
  await page.keyboard.press('n')
  await region.getByLabel('Note').fill('Back door')
  await region.getByLabel('Files').setInputFiles([photo])
  await region.getByRole('button', { name: 'Save note' }).click()
  await region.getByText('door.png').waitFor()
  await assertAccessible(page)
  assert.deepEqual(await downloaded(page, 'Download door.png'), ['door.png', photo.buffer.toString('base64')])
  const [told] = await Promise.all([
    page.waitForResponse(/display-on-printout/),
    region.getByRole('switch', { name: 'Print on papers' }).check(),
  ])
  assert.equal(told.status(), 200)
  assert.equal((await read(id)).notes[0].displayOnPrintOut, true)
  await page.getByRole('button', { name: 'Print door.png', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Print door.png' })
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Print door.png' }).click()
  await page.getByText('door.png is sent to').waitFor()
  await dialog.waitFor({ state: 'detached' })
  assertNoFaults(visitor)
})

test('papers are printed from the record: which, where and how often', options, async () => {
  const id = await imports.imported()
  const { visitor, page } = await atRecord(id)
  const before = (await jobs()).length
  await page.keyboard.press('p')
  const dialog = page.getByRole('dialog', { name: 'Print', exact: true })
  await dialog.getByLabel('Paper').selectOption('Detail')
  const chosen = dialog.getByLabel('Printer').locator('option:checked')
  await whenEqual(() => chosen.textContent(), 'Office')
  await dialog.getByLabel('Copies').fill('2')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Print', exact: true }).click()
  await page.getByText('Detail is sent to Office').waitFor()
  const pallets = page.getByRole('button', { name: 'Print Pallet labels' })
  assert.equal(await pallets.count(), 0, 'nothing of it is on a pallet')
  const onPallet = line({ logisticUnitReferenceNumber: 'PALLET-1' })
  await visitor.goTo('/me')
  await visitor.goTo(`/consignments/${await imports.imported({ products: [onPallet] })}`)
  await pallets.click()
  await whenEqual(() => dialog.getByLabel('Printer').locator('option').allTextContents(), ['Labels'])
  const made = (await jobs()).slice(before)
  assert.deepEqual(
    made.map(({ printer, copies }) => [printer, copies]),
    [['Office', 2]],
  )
  assertNoFaults(visitor)
})

test(
  "readers add nothing and print nothing; a client's person adds a note before the work begins",
  options,
  async () => {
    const id = await imports.imported()
    await admin.post(`/v1/consignments/${id}/notes`, { note: 'Back door' })
    const names = /^(Add proof|Add note|Print.*)$/
    for (const [person, acts] of [
      [{ role: 'reader' as const }, 0],
      [{ role: 'member' as const, partnerId: imports.clientId }, 1],
    ] as const) {
      const { page } = await atRecord(id, person)
      await page.getByText('Back door').waitFor()
      assert.equal(await page.getByRole('button', { name: names }).count(), acts)
      assert.equal(await page.getByRole('switch').count(), 0)
    }
  },
)
