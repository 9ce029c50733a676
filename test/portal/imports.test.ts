// Imports that wait, as an integrator settles them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, rowOf, signInAs, whenDone } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { assertWithin } from '../support/tasks.ts'

const imports = await openImports()
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }
const misspelt = [line({ productCode: 'APPLF' })]

/** A browser in which somebody who may do this is signed in. */
async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/')
  return visitor
}

test('one code is replaced for all imports that wait for it, with two clicks', options, async () => {
  const ids = [
    await imports.imported({ referenceNumber: 'SO-1', products: misspelt }),
    await imports.imported({ referenceNumber: 'SO-2', products: misspelt }),
  ]
  const visitor = await visit()
  const { page } = visitor
  visitor.forgetClicks()
  await page.getByRole('link', { name: /^Imports/ }).click()
  await rowOf(page, 'SO-1').waitFor()
  const causes = page.getByRole('region', { name: 'Causes' })
  assert.match(
    String(await causes.getByRole('listitem').first().textContent()),
    /^The client KAURI has no product with the code APPLF, 2 imports since/,
  )
  assertWithin(visitor, 'why imports wait')
  await assertAccessible(page)
  await causes.getByRole('button', { name: 'Replace with APPLE' }).click()
  await page.getByText('2 imports are consignments now').waitFor()
  await visitor.whenShown('empty')
  assertWithin(visitor, 'one code for all imports')
  for (const id of ids) assert.equal(await imports.exists(id), 201)
  assertNoFaults(visitor)
})

test('a code that is remembered is understood in the next import', options, async () => {
  await imports.imported({ referenceNumber: 'SO-3', products: [line({ productCode: 'POMME' })] })
  const { page } = await visit()
  await page.getByRole('link', { name: /^Imports/ }).click()
  const cause = page.getByRole('listitem').filter({ hasText: 'POMME' })
  await cause.getByRole('button', { name: 'Replace', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace' })
  await dialog.getByLabel('Remember for this client').check()
  await dialog.getByLabel('Replacement').fill('QUINCE')
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByLabel('Replacement').fill('APPLE')
  await whenDone(page, () => dialog.getByRole('button', { name: 'Replace' }).click())
  await dialog.waitFor({ state: 'detached' })
  const later = await imports.imported({ products: [line({ productCode: 'POMME' })] })
  assert.equal(await imports.exists(later), 201)
})

test(
  'a product that imports wait for is created beside them, and they go on by themselves',
  options,
  async () => {
    const id = await imports.imported({
      referenceNumber: 'SO-MEDLAR',
      products: [line({ productCode: 'MEDLAR' })],
    })
    const visitor = await visit()
    const { page } = visitor
    await page.getByRole('link', { name: /^Imports/ }).click()
    const cause = page.getByRole('listitem').filter({ hasText: 'MEDLAR' })
    await cause.getByRole('button', { name: 'Create product' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create product' })
    assert.equal(await dialog.getByLabel('Code', { exact: true }).inputValue(), 'MEDLAR')
    await dialog.getByLabel('Name').fill('Medlars')
    await whenDone(page, () => dialog.getByRole('button', { name: 'Create product' }).click())
    await imports.drain()
    assert.equal(await imports.exists(id), 201)
    await cause.waitFor({ state: 'detached' })
    assertNoFaults(visitor)
  },
)

test('what was sent is corrected where it is wrong, by keys alone', options, async () => {
  const id = await imports.imported({ referenceNumber: 'SO-4', products: misspelt })
  const visitor = await visit()
  const { page } = visitor
  await visitor.goTo(`/imports/${id}`)
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'SO-4')
  assert.equal(await page.locator('mark').textContent(), 'APPLF')
  await assertAccessible(page)
  await page.keyboard.press('e')
  const code = page.getByRole('group', { name: 'Line 1' }).getByLabel('Product code')
  assert.equal(await code.getAttribute('aria-invalid'), 'true')
  await assertAccessible(page)
  await code.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('PEAR')
  await page.keyboard.press('Enter')
  await page.getByText('Saved and tried again').waitFor()
  await imports.drain()
  await page.getByRole('link', { name: 'Open consignment' }).waitFor()
  assert.equal(await imports.exists(id), 201)
  assertNoFaults(visitor)
})

test('imports are discarded after a question, and stay readable', options, async () => {
  const id = await imports.imported({ referenceNumber: 'SO-5', products: misspelt })
  const visitor = await visit({ fullName: 'Ivo Integrates' })
  const { page } = visitor
  await visitor.goTo('/imports')
  await page.getByRole('checkbox', { name: 'Select SO-5' }).check()
  const toolbar = page.getByRole('toolbar', { name: 'Selected' })
  await toolbar.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('dialog', { name: 'Discard' }).getByRole('button', { name: 'Discard' }).click()
  await page.getByText('1 import is discarded').waitFor()
  await visitor.goTo(`/imports/${id}`)
  await page.getByText('Discarded by Ivo Integrates').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  assertNoFaults(visitor)
})

test('a reader sees why imports wait, and no act', options, async () => {
  await imports.imported({ referenceNumber: 'SO-6', products: misspelt })
  const visitor = await visit({ role: 'reader' })
  const { page } = visitor
  await visitor.goTo('/imports')
  await page.getByRole('region', { name: 'Causes' }).waitFor()
  for (const act of ['Replace with APPLE', 'Replace', 'Try again'])
    assert.equal(await page.getByRole('button', { name: act }).count(), 0, act)
  assert.equal(await page.getByRole('checkbox').count(), 0)
})
