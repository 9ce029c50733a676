// The work of a day by keys alone: nothing here clicks.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertNoFaults, newVisitor, signInAs, type Visitor, whenDone } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { atEnd } from '../support/test-database.ts'

const world = await openAllocation()
const { admin } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

let shared: Promise<Visitor> | undefined

/** A planner who is signed in, at this address. */
async function at(path: string): Promise<Visitor> {
  shared ??= givenPerson().then(async email => {
    const visitor = await newVisitor(url, { until: atEnd })
    await signInAs(visitor, email)
    return visitor
  })
  const visitor = await shared
  // The screen may be that of another record of the same kind.
  await visitor.goTo('/me')
  await visitor.goTo(path)
  visitor.forgetClicks()
  return visitor
}

after(async () => {
  if (shared === undefined) return
  assertNoFaults(await shared)
})

const hasFocus = (part: Locator) => part.evaluate(element => element.matches(':focus'))

/** Presses Tab until the part with this role and name has the focus. */
async function tabTo({ page }: Visitor, role: string, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role as 'button', { name, exact: true })
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    // Of two with the same name, the one behind a dialog cannot be reached.
    for (const one of await wanted.all()) if (await hasFocus(one)) return
  }
  assert.fail(`Tab does not reach the ${role} ${name}`)
}

const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Waits until the part with this role and name has the focus. */
const whenFocused = ({ page }: Visitor, role: string, name: string) =>
  page
    .getByRole(role as 'button', { name, exact: true })
    .and(page.locator(':focus'))
    .waitFor()

/** Confirms the dialog of an act, once the service has told what it does. */
async function confirm(visitor: Visitor, act: string): Promise<void> {
  await visitor.page.locator('[role=dialog][data-state=ready]').waitFor()
  await tabTo(visitor, 'button', act)
  await whenDone(visitor.page, () => visitor.page.keyboard.press('Enter'))
  await visitor.page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Presses keys as quickly as somebody does who knows them. */
const quickly = ({ page }: Visitor, ...keys: string[]) =>
  Promise.all(keys.map(key => page.keyboard.press(key)))

async function given(status: ConsignmentStatus = ConsignmentStatus.Pending) {
  const id = await world.ready([{ quantity: 5 }], { status })
  const { consignmentNumber } = (await admin.get(`/v1/consignments/${id}`)).body
  return { id, number: consignmentNumber as string }
}

test('g and c lead to the consignments, j and k move, Enter opens', options, async () => {
  await given()
  const { number } = await given()
  const visitor = await at('/')
  await quickly(visitor, 'g', 'c')
  await visitor.page.getByRole('rowheader').nth(1).waitFor()
  for (const key of ['j', 'k', 'Enter']) await visitor.page.keyboard.press(key)
  await heading(visitor, number)
  assert.equal(visitor.clicks, 0)
})

test('Tab leads into a list, and Enter on a link of the menu follows it', options, async () => {
  await given()
  const visitor = await at('/partners')
  await visitor.page.getByRole('rowheader').first().waitFor()
  const client = await visitor.page.getByRole('rowheader').first().textContent()
  await tabTo(visitor, 'link', client ?? '')
  await visitor.goTo('/consignments')
  await visitor.page.getByRole('rowheader').first().waitFor()
  await tabTo(visitor, 'link', 'Jobs')
  await visitor.page.keyboard.press('Enter')
  await heading(visitor, 'Jobs')
})

test('x selects rows, m moves them, and the other acts on them are reached by Tab', options, async () => {
  const visitor = await at('/consignments')
  await visitor.page.getByRole('rowheader').nth(1).waitFor()
  for (const key of ['j', 'x', 'j', 'x']) await visitor.page.keyboard.press(key)
  await visitor.page.getByRole('status').filter({ hasText: '2 selected' }).waitFor()
  await visitor.page.keyboard.press('m')
  await visitor.page.getByRole('dialog', { name: 'Move', exact: true }).waitFor()
  await visitor.page.keyboard.press('Escape')
  await visitor.page.getByRole('dialog').waitFor({ state: 'detached' })
  await tabTo(visitor, 'button', 'Void')
  await visitor.page.keyboard.press('Enter')
  await whenFocused(visitor, 'textbox', 'Reason')
  await visitor.page.keyboard.press('Escape')
  await whenFocused(visitor, 'button', 'Void')
  await tabTo(visitor, 'button', 'Clear selection')
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByRole('toolbar').waitFor({ state: 'detached' })
  await visitor.page.locator('[data-cell] :focus, [data-cell]:focus').waitFor()
  await visitor.page.keyboard.press('x')
  await visitor.page.getByRole('status').filter({ hasText: '1 selected' }).waitFor()
  await tabTo(visitor, 'button', 'Priority')
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByRole('menuitem', { name: 'Normal' }).and(visitor.page.locator(':focus')).waitFor()
  await visitor.page.keyboard.press('ArrowDown')
  await whenDone(visitor.page, () => visitor.page.keyboard.press('Enter'))
  await visitor.page.locator('[data-cell] :focus, [data-cell]:focus').waitFor()
  assert.equal(visitor.clicks, 0)
})

test('e edits when a consignment is due; the focus then goes back to Edit', options, async () => {
  const { id } = await given()
  const visitor = await at(`/consignments/${id}`)
  const { page } = visitor
  await page.getByRole('button', { name: 'Edit references' }).waitFor()
  await page.keyboard.press('e')
  await page.locator('form :focus').waitFor()
  await page.getByLabel('Expected dispatch').waitFor()
  await tabTo(visitor, 'button', 'Cancel')
  await page.keyboard.press('Enter')
  await whenFocused(visitor, 'button', 'Edit references')
})

test('the search opens a consignment by its number, also for whom Enter is quicker', options, async () => {
  const { number } = await given()
  const visitor = await at('/inventory')
  const { page } = visitor
  const { promise: pressed, resolve: answer } = Promise.withResolvers<void>()
  await page.route(/\/v1\/search/, async route => {
    await pressed
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+k')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type(number.slice(4, 10))
  await page.keyboard.press('Enter')
  answer()
  await heading(visitor, number)
  await page.unroute(/\/v1\/search/)
})

test('the slash goes to the search of a list, which narrows while one types', options, async () => {
  const { number } = await given()
  const visitor = await at('/consignments')
  await visitor.page.getByRole('rowheader').nth(1).waitFor()
  await visitor.page.keyboard.press('/')
  await visitor.page.locator('input[type=search]:focus').waitFor()
  await visitor.page.keyboard.type(number)
  await visitor.page.getByRole('status').filter({ hasText: '1 of 1' }).waitFor()
})

test('m does the main act of a record, after its dialog', options, async () => {
  await world.stored(50)
  const { id } = await given()
  const visitor = await at(`/consignments/${id}`)
  await visitor.page.keyboard.press('m')
  await confirm(visitor, 'Move to Ready to pick')
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.status, ConsignmentStatus.ReadyToPick)
})

test('Escape closes a dialog and nothing is done; the focus is where it was', options, async () => {
  const { id } = await given()
  const visitor = await at(`/consignments/${id}`)
  await tabTo(visitor, 'button', /^Move to Ready to pick/)
  await visitor.page.keyboard.press('Enter')
  await visitor.page.locator('[role=dialog][data-state=ready]').waitFor()
  await visitor.page.keyboard.press('Escape')
  await visitor.page.getByRole('dialog').waitFor({ state: 'detached' })
  await visitor.page.waitForFunction("document.activeElement.textContent.startsWith('Move to Ready to pick')")
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.status, ConsignmentStatus.Pending)
})

test('n writes a note; the focus then goes back to what adds one', options, async () => {
  const { id } = await given()
  const visitor = await at(`/consignments/${id}`)
  await visitor.page.keyboard.press('n')
  await visitor.page.locator('textarea:focus').waitFor()
  await visitor.page.keyboard.type('Ring the bell at door 3')
  await tabTo(visitor, 'button', 'Save note')
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByText('The note is saved').waitFor()
  await whenFocused(visitor, 'button', 'Add note')
  assert.equal((await admin.get(`/v1/consignments/${id}`)).body.notes[0].note, 'Ring the bell at door 3')
})

test(
  'stock is moved from its record with Enter, once the service has told what it does',
  options,
  async () => {
    const row = await world.stored(7, { batch: 'KEYS' })
    const visitor = await at(`/inventory/${row}`)
    await visitor.page.keyboard.press('m')
    await visitor.page.getByRole('dialog', { name: 'Move' }).waitFor()
    await visitor.page.locator('[role=dialog] input:focus').waitFor()
    await visitor.page.keyboard.type('A-02')
    await visitor.page.locator('[role=dialog][data-state=ready]').waitFor()
    await whenDone(visitor.page, () => visitor.page.keyboard.press('Enter'))
    const { inventory } = (await admin.get('/v1/inventory?SearchText=KEYS')).body
    assert.equal(inventory[0].products[0].warehouseLocationName, 'A-02')
  },
)

test('a count is made with its form', options, async () => {
  const visitor = await at('/counts')
  await visitor.page.keyboard.press('c')
  await heading(visitor, 'New count')
  await tabTo(visitor, 'textbox', 'Reference')
  await visitor.page.keyboard.type('By keys')
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByText('By keys').first().waitFor()
  const { stockCounts } = (await admin.get('/v1/stock-counts')).body
  assert.equal(stockCounts[0].reference, 'By keys')
})

test('a line that is added is typed next, and what is to be corrected has the focus', options, async () => {
  const visitor = await at('/consignments/new')
  const { keyboard } = visitor.page
  await tabTo(visitor, 'button', 'Add line')
  await keyboard.press('Enter')
  await whenFocused(visitor, 'combobox', 'Product of line 2')
  await keyboard.type('APPLE')
  await keyboard.press('Enter')
  await whenFocused(visitor, 'combobox', 'Client')
  await visitor.page.getByLabel('Client').selectOption({ index: 1 })
  await tabTo(visitor, 'combobox', 'Product of line 2')
  await keyboard.press('Enter')
  await whenFocused(visitor, 'spinbutton', 'Quantity of line 2')
})

test('an app is made, and its secret acknowledged', options, async () => {
  const visitor = await at('/')
  const { page } = visitor
  await quickly(visitor, 'g', 'd')
  await heading(visitor, 'Developers')
  await tabTo(visitor, 'button', 'New app')
  await page.keyboard.press('Enter')
  await tabTo(visitor, 'textbox', 'Name')
  await page.keyboard.type('By keys')
  const scope = page.getByRole('dialog').getByRole('checkbox').first()
  for (let i = 0; i < 20 && !(await hasFocus(scope)); i++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await tabTo(visitor, 'button', 'New app')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Client secret' }).waitFor()
  await tabTo(visitor, 'checkbox', 'I have kept it')
  await page.keyboard.press('Space')
  await tabTo(visitor, 'button', 'Done')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(visitor.clicks, 0)
})

test('views are tabs that the arrows move through', options, async () => {
  const visitor = await at('/consignments')
  await visitor.page.getByRole('rowheader').first().waitFor()
  await tabTo(visitor, 'tab', 'Open')
  await visitor.page.keyboard.press('ArrowRight')
  await visitor.page.getByRole('tab', { name: 'To receive', selected: true }).waitFor()
  assert.match(visitor.page.url(), /view=to-receive/)
  await visitor.page.keyboard.press('End')
  await visitor.page.getByRole('tab', { name: 'All', selected: true }).waitFor()
})

test('a dialog begins in its first field, be it a choice', options, async () => {
  const visitor = await at('/billing')
  await visitor.page.keyboard.press('m')
  await whenFocused(visitor, 'combobox', 'Partner')
})

test('the question mark lists the keys, which can be turned off', options, async () => {
  const visitor = await at('/')
  const { page } = visitor
  await page.keyboard.press('?')
  await tabTo(visitor, 'switch', 'Keys of one letter')
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await quickly(visitor, 'g', 'c')
  assert.equal(new URL(page.url()).pathname, '/')
})
