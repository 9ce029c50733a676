// The first minute of the demo as the README tells it, click by click, on the service that `./waybill demo`
// has started. A test walks it, and the pictures of the pages are taken on the way.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { assertNoFaults, newVisitor, type Visitor } from './browse.ts'

/** What is done with a page that has something to show, such as a picture. */
export type Show = (name: string, page: Page) => Promise<void>

type Size = Parameters<typeof newVisitor>[1]

/** Signs somebody in by their button on the sign-in page, and waits for their start screen. */
export async function continueAs(url: string, person: string, size: Size = {}): Promise<Visitor> {
  const visitor = await newVisitor(url, size)
  const { page } = visitor
  await page.goto('/')
  await page
    .getByRole('region', { name: 'Try the demo as' })
    .getByRole('button', { name: `Continue as ${person}` })
    .click()
  await visitor.whenShown('ready', 'empty')
  return visitor
}

/** The row of a list that has this text. */
const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/**
 * Pia replaces a code and moves what came of it, Kim sees the order move while he looks at his list, and Bela
 * opens what it is charged for. Returns how often the three have clicked, and the address of the order.
 */
export async function walkFirstMinute(
  url: string,
  { size = {}, show = async () => {} }: { size?: Size; show?: Show } = {},
): Promise<{ clicks: number; path: string }> {
  const pia = await continueAs(url, 'Pia, who plans', size)
  const { page } = pia
  await show('home', page)
  await page.getByRole('link', { name: '3 imports wait' }).click()
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor()
  await show('imports', page)
  await page.getByRole('button', { name: 'Replace with KAU-003' }).click()
  await page.getByText('2 imports are consignments now').waitFor()

  const kim = await continueAs(url, 'Kim of Kauri Foods', size)
  await show('kim-home', kim.page)
  await kim.page.getByRole('link', { name: 'Consignments', exact: true }).click()
  const kimsRow = rowWith(kim.page, 'SHOP-0997')
  await kimsRow.getByText('Pending').waitFor()

  await page.getByRole('link', { name: 'Consignments', exact: true }).click()
  await rowWith(page, 'SHOP-0997').getByRole('rowheader').getByRole('link').click()
  await page.getByRole('button', { name: 'Move to Ready to pick' }).click()
  await page.locator('[role=dialog][data-state=ready]').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Move to Ready to pick' })
  const textOf = async (list: string) => (await dialog.getByRole('list', { name: list }).textContent()) ?? ''
  assert.match(await textOf('Effects'), /reserve [\d,]+ items/, 'what it reserves')
  assert.match(await textOf('Warnings'), /short/, 'and what is short')
  await show('move', page)
  await dialog.getByRole('button', { name: 'Move to Ready to pick' }).click()
  await page.locator('main[data-status=ReadyToPick]').waitFor()
  const path = new URL(page.url()).pathname
  await kimsRow.getByText('Ready to pick').waitFor()

  const bela = await continueAs(url, 'Bela, who bills', size)
  await bela.goTo(path)
  await bela.page
    .getByRole('region', { name: 'Charges' })
    .getByRole('button', { name: /^Proof of/ })
    .first()
    .click()
  await bela.page.getByRole('dialog', { name: 'Proof' }).getByRole('heading', { name: 'Steps' }).waitFor()
  await show('proof', bela.page)
  const visitors = [pia, kim, bela]
  for (const visitor of visitors) assertNoFaults(visitor)
  const clicks = visitors.reduce((sum, visitor) => sum + visitor.clicks, 0)
  // Their pages follow the service, which is to stop.
  await Promise.all(visitors.map(visitor => visitor.page.close()))
  return { clicks, path }
}
