// The people of an organisation, as an administrator sees to them in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, confirm, newVisitor, rowOf, save, signInAs } from '../support/browse.ts'
import { password } from '../support/given-people.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { openWorld } from '../support/harness.ts'
import { assertWithin } from '../support/tasks.ts'

const world = await openWorld()
const { admin } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }

async function visit(person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open('/settings/people')
  return { visitor, page: visitor.page }
}

test('somebody is invited with a link, gets another role, and is taken out and back', options, async () => {
  const partner = { name: 'Kauri Foods', code: 'KAU', relationship: 1 }
  await admin.post('/v1/partners', partner)
  const { visitor, page } = await visit()
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite' })
  const invite = dialog.getByRole('button', { name: 'Invite' })
  await dialog.getByLabel('Email').fill('kim')
  assert.equal(await invite.isDisabled(), true)
  await dialog.getByLabel('Name').fill('Kim Parata')
  await dialog.getByLabel('Partner').selectOption({ label: 'Kauri Foods, client' })
  await invite.click()
  await dialog.getByText('Must be an email address.').waitFor()
  await assertAccessible(page)
  await dialog.getByLabel('Email').fill('kim@example.com')
  visitor.forgetClicks()
  await invite.click()
  const shown = page.getByRole('dialog', { name: 'Invitation link' })
  const link = await shown.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  assert.match(link, /\/connect\/password\?token=/)
  assertWithin(visitor, 'invite a person')
  await assertAccessible(page)
  await shown.getByRole('button', { name: 'Done' }).click()
  await shown.waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(link), false)

  assert.match(
    String(await rowOf(page, 'Kim Parata').textContent()),
    /Member.*Kauri Foods.*Without a password/,
  )
  await page.getByRole('link', { name: 'Kim Parata' }).click()
  await page.getByRole('heading', { level: 1, name: 'Kim Parata' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Role' }).click()
  const role = page.getByRole('dialog', { name: 'Role' })
  await role.getByLabel('Role').selectOption('reader')
  await confirm(page, 'Role')
  await page.getByRole('complementary', { name: 'Details' }).getByText('Reader').waitFor()

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Partner').selectOption('')
  await save(page)
  await page.getByText('Kim Parata is changed').first().waitFor()
  await page.getByRole('complementary', { name: 'Details' }).getByText('The organisation itself').waitFor()

  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('dialog', { name: 'New link' }).getByRole('button', { name: 'New link' }).click()
  assert.notEqual(await shown.getByRole('textbox', { name: 'Invitation link' }).inputValue(), link)
  await shown.getByRole('button', { name: 'Done' }).click()

  const fromMenu = async (act: string) => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  await fromMenu('Set password')
  const own = page.getByRole('dialog', { name: 'Set password' })
  await own.getByLabel('New password').fill('short')
  await own.getByRole('button', { name: 'Set password' }).click()
  await own.locator('[aria-invalid=true]').waitFor()
  await own.getByLabel('New password').fill(password)
  await own.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Kim Parata has the new password').waitFor()

  visitor.forgetClicks()
  await fromMenu('Disable')
  await assertAccessible(page)
  await page.getByRole('dialog', { name: 'Disable' }).getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Kim Parata is disabled').waitFor()
  assertWithin(visitor, 'take somebody out')
  await fromMenu('Enable')
  await page.getByText('Kim Parata is enabled').waitFor()
  assertNoFaults(visitor)
})

test('whoever switches the portal off is told first whom it locks out', options, async () => {
  const { visitor, page } = await visit()
  await visitor.goTo('/settings')
  await page.getByRole('button', { name: 'Switch off: Portal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch off' })
  const off = dialog.getByRole('button', { name: 'Switch off' })
  assert.equal(await off.isDisabled(), true)
  await dialog.getByRole('switch').check()
  await assertAccessible(page)
  assert.equal(await off.isDisabled(), false)
})

test('nobody takes their own rights away, and a reader has no acts', options, async () => {
  const fullName = 'Ada Whitcombe'
  const { page } = await visit({ fullName })
  await page.getByRole('link', { name: fullName }).click()
  await page.getByRole('heading', { level: 1, name: fullName }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Role' }).getAttribute('aria-disabled'), 'true')
  await page.getByRole('button', { name: 'More' }).click()
  const disable = page.getByRole('menuitem', { name: 'Disable', exact: true })
  assert.equal(await disable.getAttribute('aria-disabled'), 'true')

  const { visitor, page: readers } = await visit({ role: 'reader' })
  await readers.getByRole('link', { name: fullName }).click()
  await readers.getByRole('heading', { level: 1, name: fullName }).waitFor()
  assert.equal(await readers.getByRole('main').getByRole('button').count(), 0)
  await visitor.goTo('/settings')
  assert.equal(await readers.getByRole('main').getByRole('button').count(), 0)
})

test(
  'the settings say how dates are written, whether all is well, and who changed what',
  options,
  async () => {
    const { visitor, page } = await visit()
    await visitor.goTo('/settings')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Edit organisation' }).click()
    await page.getByLabel('Language tag').fill('English')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    await assertAccessible(page)
    await page.getByLabel('Language tag').fill('de-DE')
    await page.getByLabel('First day of the week').selectOption({ label: 'Sunday' })
    await save(page)
    await page.getByText('1.234,50').waitFor()
    const money = page.getByRole('region', { name: 'Money' })
    await page.getByRole('button', { name: 'Edit money' }).click()
    await money.getByLabel('Currency').fill('NZD')
    await money.getByLabel('Days until bills are due').fill('20')
    await money.getByRole('switch', { name: 'A rate card is approved by somebody' }).check()
    await save(money)
    await money.getByText('NZD').waitFor()
    const { body } = await admin.get('/v1/organisation')
    assert.deepEqual(
      [body.locale, body.firstDayOfWeek, body.paymentTermsDays, body.rateCardApprovalBySecondUser],
      ['de-DE', 7, 20, true],
    )
    const parts = page.getByRole('table', { name: 'Is all well' })
    visitor.forgetClicks()
    await parts.getByText('0 being handled, 0 waiting for a person').waitFor()
    assertWithin(visitor, 'is all well')
    await page.getByRole('main').getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    assertWithin(visitor, 'who changed this')
    await page.getByRole('rowheader').first().getByRole('link').click()
    const entry = page.getByRole('dialog')
    await entry.getByRole('table', { name: 'Changes' }).getByText('Currency', { exact: true }).waitFor()
    await assertAccessible(page)
    await entry.getByRole('button', { name: 'Close' }).click()
    await visitor.open('/settings/history?Subject=user')
    await page.getByRole('rowheader', { name: 'Kim Parata' }).first().waitFor()
    await assertAccessible(page)
    // The calendar of every field for a day begins its weeks as the organisation does.
    await visitor.goTo('/counts/new')
    await page.getByRole('button', { name: 'Calendar' }).click()
    const calendar = page.getByRole('dialog', { name: 'Calendar' })
    await calendar.getByRole('button', { pressed: false }).first().waitFor()
    assert.equal(await calendar.getByRole('columnheader').first().textContent(), 'So')
    await assertAccessible(page)
    await page.keyboard.press('PageDown')
    await page.keyboard.press('Enter')
    await calendar.waitFor({ state: 'detached' })
    assert.notEqual(await page.getByLabel('Due').inputValue(), '', 'a day is chosen by keys')
    assertNoFaults(visitor)
  },
)
