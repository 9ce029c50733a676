// The start screen, as people see it in a browser when their day begins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { line, openImports } from '../support/given-imports.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const imports = await openImports()
const { url, givenPerson } = await openPortal(imports.world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/')
  return visitor
}

test('a planner replaces a misspelt code from the start screen with one click', options, async () => {
  const ids = [
    await imports.imported({ products: [line({ productCode: 'APPLF' })] }),
    await imports.imported({ products: [line({ productCode: 'APPLF' })] }),
  ]
  const visitor = await visit()
  const { page } = visitor
  const needs = page.getByRole('region', { name: 'Needs you' })
  await needs.getByRole('link', { name: '2 imports wait' }).waitFor()
  await assertAccessible(page)
  visitor.forgetClicks()
  await needs.getByRole('button', { name: 'Replace with APPLE' }).click()
  await page.getByText('2 imports are consignments now').waitFor()
  await needs.getByText('Nothing needs you').waitFor()
  assert.equal(visitor.clicks, 1)
  for (const id of ids) assert.equal(await imports.exists(id), 201)
  assertNoFaults(visitor)
})

test('what came in and out is a plot, and the same figures as a table', options, async () => {
  await imports.imported({ products: [line({ productCode: 'APPLE' })] })
  const { total } = (await imports.world.admin.get('/v1/consignments?Type=2')).body
  const { page } = await visit()
  const region = page.getByRole('region', { name: 'In and out' })
  await region.getByRole('img', { name: 'In and out' }).waitFor()
  await region.getByRole('button', { name: 'Show as table' }).press('Enter')
  const rows = region.getByRole('table', { name: 'In and out' }).locator('tbody tr')
  await rows.nth(29).waitFor()
  assert.equal(await rows.count(), 30)
  // Of two days, because midnight may pass meanwhile.
  const outwards = await Promise.all(
    [28, 29].map(async n => Number((await rows.nth(n).getByRole('cell').allTextContents())[1])),
  )
  assert.equal(outwards[0]! + outwards[1]!, total, 'outwards consignments that were entered just now')
  await assertAccessible(page)
  await region.getByRole('button', { name: 'Show as plot' }).press('Enter')
  await region.getByRole('img', { name: 'In and out' }).waitFor()
})

test('a reader sees what waits, and no button to settle it', options, async () => {
  await imports.imported({ products: [line({ productCode: 'APPLF' })] })
  const { page } = await visit({ role: 'reader' })
  const needs = page.getByRole('region', { name: 'Needs you' })
  await needs.getByRole('link', { name: '1 import waits' }).waitFor()
  assert.equal(await needs.getByRole('button').count(), 0)
})
