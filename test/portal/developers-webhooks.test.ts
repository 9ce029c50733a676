// Webhooks and events, as an integrator uses them in a browser: who signs, what was sent, what failed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { assertAccessible } from '../support/accessible.ts'
import { assertNoFaults, newVisitor, signInAs } from '../support/browse.ts'
import { openDeliveries } from '../support/given-deliveries.ts'
import { noBrowser, openPortal } from '../support/given-portal.ts'
import { answering, openReceiver, type Receiver } from '../support/receiver.ts'
import { assertWithin } from '../support/tasks.ts'

const { world, subscribe, work, settled, raise, read } = await openDeliveries()
const { admin, database } = world
const { url, givenPerson } = await openPortal(world)
const options = { skip: noBrowser, timeout: 300_000 }
work()

async function visit(path: string, person: Parameters<typeof givenPerson>[0] = {}) {
  const visitor = await newVisitor(url)
  await signInAs(visitor, await givenPerson(person))
  await visitor.open(path)
  return { visitor, page: visitor.page }
}

/** A subscription to what is created, with one delivery. */
async function delivered(behave?: Parameters<Receiver['behave']>[0]) {
  const receiver = await openReceiver()
  if (behave !== undefined) receiver.behave(behave)
  const id = await subscribe(receiver.url)
  return { id, receiver, path: `/developers/webhooks/${id}` }
}

test('an app signs a new subscription, and no key is needed', options, async () => {
  const app = await admin.post('/v1/custom-apps', {
    ...{ name: 'Kauri shop', grantType: 2, scopes: ['consignment.read'] },
  })
  assert.equal(app.status, 201)
  const { visitor, page } = await visit('/developers')
  await page.getByRole('button', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  await dialog.getByLabel('URL').fill('https://hooks.example.com/signed')
  const subscribeButton = dialog.getByRole('button', { name: 'New subscription' })
  assert.equal(await subscribeButton.isDisabled(), true)
  const choice = dialog.getByLabel('App that signs')
  assert.equal(await choice.getByRole('option', { name: /Portal|portal/ }).count(), 0)
  await choice.selectOption({ label: 'Kauri shop' })
  await assertAccessible(page)
  await subscribeButton.click()
  await page.getByRole('link', { name: 'https://hooks.example.com/signed' }).click()
  await page.getByRole('complementary', { name: 'Details' }).getByText('Kauri shop').waitFor()
  assertNoFaults(visitor)
})

test('a delivery shows the very request and the answer, two clicks from the list', options, async () => {
  const { id, receiver, path } = await delivered(() => answering(200, 'thank you'))
  assert.equal((await admin.put(`/v1/webhook-subscriptions/${id}/test`)).status, 200)
  await settled(id, 2)
  const { visitor, page } = await visit('/developers')
  visitor.forgetClicks()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('link', { name: 'webhook.test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delivery' })
  const request = dialog.getByRole('region', { name: 'Request' })
  await request.getByText(receiver.arrived[0]?.raw.toString() ?? '-', { exact: true }).waitFor()
  await request.getByText(/user-agent: Waybill/).waitFor()
  await dialog.getByRole('region', { name: 'Answer' }).getByText('thank you').waitFor()
  assertWithin(visitor, 'the body of a delivery')
  await assertAccessible(page)
  visitor.forgetClicks()
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('The delivery is sent again').waitFor()
  assertWithin(visitor, 'replay a delivery')
  await page.getByRole('row').nth(2).waitFor()
  assert.equal(new URL(page.url()).pathname, path)
  await settled(id, 2)
  visitor.forgetClicks()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Replay a window' }).click()
  const window = page.getByRole('dialog', { name: 'Replay a window' })
  await window.getByLabel('From').fill('2020-01-01T00:00')
  await window.getByLabel('To', { exact: true }).fill('2100-01-01T00:00')
  await window.getByRole('button', { name: 'Replay a window' }).click()
  await page.getByText(/sent again$/).waitFor()
  assertWithin(visitor, 'replay a window')
  assertNoFaults(visitor)
})

test('URL and keys are changed, and the last key cannot be taken away', options, async () => {
  const { visitor, page } = await visit('/developers')
  await page.getByRole('button', { name: 'New subscription' }).click()
  const making = page.getByRole('dialog', { name: 'New subscription' })
  await making.getByLabel('URL').fill('https://hooks.example.com/keyed')
  await making.getByLabel('Signing key').fill('first')
  await making.getByRole('button', { name: 'New subscription' }).click()
  await page.getByRole('link', { name: 'https://hooks.example.com/keyed' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit' })
  await dialog.getByLabel('URL').fill('https://hooks.example.com/moved')
  await dialog.getByRole('switch', { name: 'Take the signing key away', exact: true }).check()
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog
    .getByText(/cannot be taken away/)
    .first()
    .waitFor()
  await assertAccessible(page)
  await dialog.getByLabel('Second signing key', { exact: true }).fill('second')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await page.getByText('The subscription is changed').waitFor()
  await page.getByRole('heading', { level: 1, name: 'https://hooks.example.com/moved' }).waitFor()
  assertNoFaults(visitor)
})

test(
  'a failed subscription says how much waits for it, and sends that once it is active again',
  options,
  async () => {
    const { id, receiver, path } = await delivered()
    await database.atomically(tx =>
      tx.run(sql`update webhook_subscription set status = 2, last_failure_utc = now() where id = ${id}`),
    )
    await database.atomically(async tx => {
      const events = await tx.rows<{
        id: string
      }>(sql`insert into event (organisation_id, id, type, subject_id, data)
      select ${admin.actor.organisationId}, gen_random_uuid(), 101, ${id}, '{}' from generate_series(1, 3)
      returning id`)
      for (const event of events)
        await tx.run(sql`insert into webhook_delivery (organisation_id, id, webhook_subscription_id, event_id)
        values (${admin.actor.organisationId}, gen_random_uuid(), ${id}, ${event.id})`)
    })
    const { page } = await visit(path)
    await page.getByRole('button', { name: 'Reactivate and send 3' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reactivate and send 3' })
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Reactivate and send 3' }).click()
    await page.getByRole('button', { name: 'Send test' }).waitFor()
    await settled(id, 2)
    assert.equal(receiver.arrived.length, 3)
    assert.equal((await read(id)).status, 1)
  },
)

test('what happens appears among the last events, with its number in the feed', options, async () => {
  const { visitor, page } = await visit('/developers')
  await page.locator('html[data-live=on]').waitFor()
  await raise(1, { data: { consignmentId: crypto.randomUUID(), consignmentNumber: 'SSL-000042-OUT' } })
  const events = page.getByRole('table', { name: 'Events' })
  await events.getByRole('link', { name: 'SSL-000042-OUT' }).waitFor()
  await events.getByText('consignment.created').first().waitFor()
  await assertAccessible(page)
  assertNoFaults(visitor)
})
