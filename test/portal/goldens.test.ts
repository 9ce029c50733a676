// The looks of the main screens. Golden files say where everything stands at 1440 and 390 pixels, and its
// colours in light and dark. Pictures would differ from machine to machine by their letters, and tell less.
//
// `npm run goldens` writes the files anew; their differences are then read like those of a source file.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { processDueImports } from '../../src/consignment-imports/process-imports.ts'
import { newVisitor, signInAs, type Visitor } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { contextIn, request } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { isUpdating } from '../support/golden.ts'

interface Look {
  name: string
  box: number[]
  colours: string
}

const world = await openAllocation()
const { url, givenPerson } = await openPortal(world)
const email = await givenPerson({ fullName: 'Ada Whitcombe', role: 'administrator' })
const script = readFile(new URL('../support/page-looks.js', import.meta.url), 'utf8')

await world.stored(240)
await world.stored(60, { batch: 'B-1' })
const today = { dateEntered: new Date().toISOString().slice(0, 19) }
const record = await world.ready([{ quantity: 30 }, { quantity: 4, batch: 'B-1' }], today)
await world.ready([{ quantity: 500 }], today)
await world.admin.post(
  '/v1/consignment-imports',
  request({ clientCode: 'NOBODY', referenceNumber: 'SHOP-1' }),
)
while (await processDueImports(contextIn(world)));
const made = async (path: string, body: object): Promise<string> => {
  const answer = await world.admin.post(path, body)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return Object.values(answer.body)[0] as string
}
const card = await made('/v1/rate-cards', { name: 'Kauri 2026', relationship: 1, partnerId: world.clientId })
const price = { metric: 2, application: 1, rateExclTax: 1.2, note: 'Per item' }
const version = await made(`/v1/rate-cards/${card}/versions`, {
  effectiveFrom: '2026-01-01',
  content: {
    defaultTaxRateId: await made('/v1/tax-rates', { name: 'GST', percent: 15 }),
    rates: [
      { name: 'Freight in', kind: 2, basis: 1, charges: [price] },
      {
        ...{ name: 'Freight out', kind: 2, basis: 1 },
        charges: [
          { ...price, when: { carrierIds: [world.carrierId] } },
          { ...price, rateExclTax: 1 },
        ],
      },
    ],
  },
})

const screens = {
  home: '/',
  consignments: '/consignments',
  consignment: `/consignments/${record}`,
  inventory: '/inventory',
  imports: '/imports',
  billing: '/billing',
  'rate-card': `/rate-cards/${card}/versions/${version}`,
  report: '/reports/stock-on-hand?Run=1',
}

async function looksOf(page: Page): Promise<Look[]> {
  await page.evaluate('document.fonts.ready')
  return page.evaluate(await script)
}

/** The looks in both widths and themes, a line for each thing: its name, its place, its colours. */
async function linesOf({ page }: Visitor): Promise<string[]> {
  const lines: string[] = []
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await looksOf(page)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await looksOf(page)
    assert.equal(light.length, dark.length, 'light and dark show the same')
    lines.push(
      `at ${width}`,
      ...light.map(({ name, box, colours }, i) =>
        [box.join(' '), ...(width === 1440 ? [colours, dark[i]?.colours] : []), name].join(' | '),
      ),
    )
  }
  return lines
}

const maxPixels = 2

/** What differs between two lines; a place may differ by a hair. */
function differs(actual: string, golden: string): boolean {
  const [[place = '', ...rest], [goldenPlace = '', ...goldenRest]] = [
    actual.split(' | '),
    golden.split(' | '),
  ]
  const [numbers, others] = [place.split(' ').map(Number), goldenPlace.split(' ').map(Number)]
  return (
    rest.join() !== goldenRest.join() ||
    numbers.some((n, i) => !(Math.abs(n - (others[i] ?? Number.NaN)) <= maxPixels) && place !== goldenPlace)
  )
}

async function assertLooks(screen: string, lines: readonly string[]): Promise<void> {
  const file = new URL(`./goldens/${screen}.txt`, import.meta.url)
  if (isUpdating) return writeFile(file, `${lines.join('\n')}\n`)
  const golden = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const without = (some: readonly string[], others: readonly string[]) =>
    some.filter(line => others.every(other => differs(line, other)))
  const added = without(lines, golden).map(line => `+ ${line}`)
  const gone = without(golden, lines).map(line => `- ${line}`)
  assert.deepEqual([...gone, ...added].slice(0, 20), [], `${screen} looks otherwise; npm run goldens`)
  assert.equal(lines.length, golden.length, screen)
}

test('the main screens look as they were reviewed', { skip: noBrowser, timeout: 120_000 }, async () => {
  const visitor = await newVisitor(url)
  const { page } = visitor
  await page.goto('/')
  await page.getByLabel('Email address').waitFor()
  await assertLooks('sign-in', await linesOf(visitor))
  await page.setViewportSize({ width: 1440, height: 900 })
  await signInAs(visitor, email)
  await visitor.open('/reports')
  for (const [screen, path] of Object.entries(screens)) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visitor.goTo(path)
    await page.locator('[data-state=loading]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('load')
    await assertLooks(screen, await linesOf(visitor))
  }
})
