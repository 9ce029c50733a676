// The charges of a consignment on its record: explained, excluded, added by hand, and whose they are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, signInAs, whenEqual } from '../support/browse.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openRates } from '../support/given-rates.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openRates()
const { admin } = world.world
const { url, givenPerson } = await openPortal(world.world)
const options = { skip: noBrowser, timeout: 300_000 }

const card = await world.card()
const wrapping = world.charge({ metric: 1, rateExclTax: 0.5, note: 'Per item' })
const unpacking = world.charge({ note: 'Unpacking', when: { isContainerised: true } })
await world.createApprovedVersion(card, world.content(world.rate([unpacking, wrapping])))

/** Somebody at the record of a consignment. */
async function atRecord(id: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.goTo(`/consignments/${id}`)
  const { page } = visitor
  const region = page.getByRole('region', { name: 'Charges', exact: true })
  await region.getByRole('table').waitFor()
  return { visitor, page, region }
}
/** What the buttons of a region say, each once. */
const buttonsOf = async (region: Locator) =>
  [...new Set(await region.getByRole('button').allTextContents())].toSorted()
const chargesOf = async (id: string) => (await admin.get(`/v1/consignments/${id}/charges`)).body

test('a billing clerk excludes a charge in 3 clicks, and includes it again', options, async () => {
  const id = await world.goods([{ quantity: 10 }])
  const { visitor, page, region } = await atRecord(id)
  visitor.forgetClicks()
  await region.getByRole('button', { name: 'Exclude Handling' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exclude', exact: true })
  await dialog.getByText('is not billed when the consignment is closed').waitFor()
  await assertAccessible(page)
  await confirm(page, 'Exclude')
  await region.getByText('not billed').waitFor()
  assertWithin(visitor, 'exclude a charge')
  assert.equal((await chargesOf(id)).clientActivityCharges[0].isEffective, false)
  await region.getByRole('button', { name: 'Include Handling' }).click()
  await confirm(page, 'Include')
  await region.getByRole('button', { name: 'Exclude Handling' }).waitFor()
  assert.equal((await chargesOf(id)).clientActivityCharges[0].isEffective, true)
  assertNoFaults(visitor)
})

test('a charge is added by hand with five fields', options, async () => {
  const id = await world.goods([{ quantity: 10 }])
  const { visitor, page, region } = await atRecord(id)
  await region.getByRole('button', { name: 'Add charge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add charge' })
  await dialog.getByLabel('Kind').selectOption('Freight of the carrier')
  await dialog.getByLabel('Particulars').fill('Waiting time')
  await dialog.getByLabel('Quantity').fill('2')
  await dialog.getByLabel('Rate', { exact: true }).fill('45.5')
  await page.locator('[role=dialog][data-state="ready"]').waitFor()
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Add charge' }).click()
  await region.getByText('Waiting time').waitFor()
  const [added] = (await chargesOf(id)).carrierFreightCharges
  assert.deepEqual([added.particulars, added.amountExclTax], ['Waiting time', 91])
  assertNoFaults(visitor)
})

test('what each rate took, and why not, is explained', options, async () => {
  const id = await world.goods([{ quantity: 10 }])
  const { visitor, page, region } = await atRecord(id)
  visitor.forgetClicks()
  await region.getByRole('button', { name: 'Explain' }).click()
  const dialog = page.getByRole('dialog', { name: 'Explain' })
  const rate = dialog.getByRole('region', { name: 'Handling out' })
  await rate.getByText('Per item is charged for PLUM at 0.50.').waitFor()
  await rate.getByText(/^Unpacking does not apply: /).waitFor()
  assertWithin(visitor, 'why it is not billed')
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await region.getByRole('button', { name: 'Proof of Handling' }).click()
  const proof = page.getByRole('dialog', { name: 'Proof' })
  await proof.getByText('it comes to 0.50').waitFor()
  await proof.getByText('The consignment is open').waitFor()
  assertNoFaults(visitor)
})

test(
  'a client sees its charges without acts or margins, and a reader has no acts, either',
  options,
  async () => {
    const id = await world.goods([{ quantity: 10 }])
    await world.enter(id, 'client-freight', { chargeRateExclTax: 50 })
    await world.enter(id, 'carrier-freight', { chargeRateExclTax: 30 })
    const staff = await atRecord(id)
    await staff.region.getByText('Freight margin').waitFor()
    const client = await atRecord(id, { role: 'member', partnerId: world.clientId })
    assert.equal(await client.region.getByText('Freight margin').count(), 0)
    assert.equal(await client.region.getByText('Carrier freight').count(), 0)
    await whenEqual(() => buttonsOf(client.region), ['Proof'])
    const reader = await atRecord(id, { role: 'reader' })
    await whenEqual(() => buttonsOf(reader.region), ['Explain', 'Proof'])
  },
)
