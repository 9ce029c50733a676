// The dialog of an act in a browser: it tells what the service says that the act would do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { assertNoFaults, confirm, newVisitor, signInAs } from '../support/browse.ts'
import { openAllocation } from '../support/given-allocation.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'

const world = await openAllocation()
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

test(
  'a move says what it reserves and what stays short, and nothing happens before it is confirmed',
  options,
  async () => {
    await world.stored(72)
    const id = await world.ready([{ quantity: 80 }], { status: ConsignmentStatus.Pending })
    const statusOf = async () => (await world.admin.get(`/v1/consignments/${id}`)).body.status
    const visitor = await newVisitor(url)
    await signInAs(visitor, await givenPerson())
    const { page } = visitor
    await page.goto(`/consignments/${id}`)
    const act = 'Move to Ready to pick'
    await page.getByRole('button', { name: act, exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: act })
    const textsOf = (list: string) =>
      dialog.getByRole('list', { name: list }).getByRole('listitem').allTextContents()
    await page.locator('[role=dialog][data-state="ready"]').waitFor()
    assert.deepEqual(await textsOf('Effects'), [
      'move from Pending to Ready to pick',
      'reserve 72 items on 1 line, longest in store first',
    ])
    assert.deepEqual(await textsOf('Warnings'), ['leave 8 items of APPLE short'])
    assert.equal(await statusOf(), ConsignmentStatus.Pending)
    await confirm(page, act)
    assert.equal(await statusOf(), ConsignmentStatus.ReadyToPick)
    assertNoFaults(visitor)
  },
)
