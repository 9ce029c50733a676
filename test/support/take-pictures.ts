// Takes the pictures of docs/a-day-in-the-portal.md from the data of the demo: `npm run pictures`. The portal
// must be built. Dates in the pictures are those of the day on which they are taken.

import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { continueAs, walkFirstMinute } from './first-minute.ts'
import { temporaryDataDir } from './processes.ts'
import { run } from './service-process.ts'

const folder = fileURLToPath(new URL('../../docs/pictures/day', import.meta.url))
const size = { width: 1280, height: 800 }
const phone = { width: 390, height: 720 }
const maxBytes = 150 * 1024
/** Until fonts are drawn and what moves has come to rest. */
const restMs = 700

async function show(name: string, page: Page): Promise<void> {
  await page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(restMs)
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toBuffer()
  assert.ok(picture.length <= maxBytes, `${name} has ${picture.length} bytes`)
  await writeFile(join(folder, `${name}.webp`), picture)
}

/** Opens the first record of a list that has this text, and shows it. */
async function showFirst(page: Page, text: string, name: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: text }).first()
  await row.getByRole('rowheader').getByRole('link').click()
  await page.locator('main[data-id]').waitFor()
  await show(name, page)
}

async function showStock(url: string): Promise<void> {
  const sol = await continueAs(url, 'Sol, who keeps stock', size)
  await sol.goTo('/consignments?view=to-receive')
  const expected = sol.page.getByRole('row').filter({ hasText: 'days late' }).first()
  await expected.getByRole('rowheader').getByRole('link').click()
  await sol.page.getByRole('link', { name: 'Receive' }).click()
  await sol.page.getByRole('heading', { level: 1, name: /^Receive/ }).waitFor()
  await show('receive', sol.page)
  await sol.goTo('/counts')
  await showFirst(sol.page, 'SC-000001', 'count')
}

async function showOrder(url: string): Promise<void> {
  const kim = await continueAs(url, 'Kim of Kauri Foods', size)
  const { page } = kim
  await kim.goTo('/consignments/new')
  await page.getByRole('button', { name: 'Order KAU-004' }).click()
  const fields = {
    ...{ Reference: 'SO-2041', Name: 'Harbour Deli', 'Street address': '12 Quay Street', City: 'Auckland' },
    'Quantity of line 1': '48',
  }
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  await show('order', page)
}

async function showRun(url: string): Promise<void> {
  const tane = await continueAs(url, 'Tane of Swift Freight', phone)
  const { page } = tane
  await show('run', page)
  await page.getByRole('region', { name: 'My run' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Add proof' }).click()
  await page.getByLabel('Signed by').fill('A. Ngata')
  const photo = fileURLToPath(new URL('../../src/demo/pictures/delivered.png', import.meta.url))
  await page.getByLabel('Photo').setInputFiles(photo)
  await show('deliver', page)
}

async function showMoney(url: string): Promise<void> {
  const bela = await continueAs(url, 'Bela, who bills', size)
  await bela.goTo('/billing')
  await show('billing', bela.page)
  await bela.goTo('/schedules')
  await showFirst(bela.page, 'Kauri Foods', 'bill')
}

const dataDir = await temporaryDataDir()
const demo = run(['demo'], { DATA_DIR: dataDir, LOG_LEVEL: 'fatal', DATABASE_URL: '', PGHOST: '' })
try {
  await demo.line(/Serving until/)
  const { baseUrl } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await walkFirstMinute(baseUrl, { size, show })
  await showStock(baseUrl)
  await showOrder(baseUrl)
  await showRun(baseUrl)
  await showMoney(baseUrl)
} finally {
  await demo.stop()
}
process.exit()
