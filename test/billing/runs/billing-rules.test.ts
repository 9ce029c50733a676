// The billing rule of a partner (its own, the organisation's, or none), and the effect of a change on the
// running period.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../../src/billing/runs/billing-period.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { billingOf } from '../../support/given-billing.ts'
import { openWorld } from '../../support/harness.ts'
import { withinOneDay } from '../../support/today.ts'

const world = await openWorld()
const { database } = world
const fresh = async () => billingOf(world, await world.stranger())
const organisation = '/v1/organisation/billing-rule'

/** Backdates the rules of an organisation by some days. */
const backdateRules = (days: number, organisationId: string) =>
  database.atomically(tx =>
    tx.run(sql`update billing_rule set counts_from = counts_from - ${days}::integer
      where organisation_id = ${organisationId}`),
  )

test('a rule of the partner shows every field, and the next three periods with the instants of their runs', async () => {
  const { caller, rule, rulePath, clientId, enterTransaction } = await fresh()
  await enterTransaction('2026-01-05')
  await rule({ dayOfMonth: 20, graceDays: 1, runAt: '05:30', autoApprove: true })
  const { body } = await caller.get(rulePath(clientId))
  assert.deepEqual(body, {
    ...{ period: 4, weekday: null, dayOfMonth: 20, anchorDate: null, graceDays: 1, runAt: '05:30' },
    ...{ billsFrom: null, firstPeriodFrom: '2025-12-21' },
    ...{ closesComplete: true, raisesStorage: true, autoApprove: true, maxTransactions: 10_000 },
    ...{ referenceTemplate: null, descriptionTemplate: null, isOwn: true },
    periods: [
      { periodFrom: '2025-12-21', periodTo: '2026-01-20', runUtc: '2026-01-21T16:30:00.000Z' },
      { periodFrom: '2026-01-21', periodTo: '2026-02-20', runUtc: '2026-02-21T16:30:00.000Z' },
      { periodFrom: '2026-02-21', periodTo: '2026-03-20', runUtc: '2026-03-21T16:30:00.000Z' },
    ],
  })
})

test("a partner without its own rule is billed by the organisation's, also after its own rule was removed", async () => {
  const { caller, rulePath, rule, clientId } = await fresh()
  const path = rulePath(clientId)
  assert.equal((await caller.get(path)).status, 404)
  assert.equal((await caller.get(organisation)).status, 404)
  assert.equal((await caller.delete(path)).status, 404)
  await caller.put(organisation, { period: 1, weekday: 5 })
  const inherited = (await caller.get(path)).body
  assert.deepEqual([inherited.period, inherited.weekday, inherited.isOwn], [1, 5, false])
  assert.deepEqual(inherited.periods, (await caller.get(organisation)).body.periods)
  await rule({ period: 3 })
  assert.deepEqual([(await caller.get(path)).body.period, (await caller.get(path)).body.isOwn], [3, true])
  assert.equal((await caller.delete(path)).status, 200)
  assert.equal((await caller.get(path)).body.isOwn, false)
  assert.equal((await caller.delete(path)).status, 404)
  await rule({ period: 3 })
  assert.equal((await caller.get(path)).body.isOwn, true)
})

test('a change of the period ends the running period yesterday; other changes do not', () =>
  withinOneDay(async today => {
    const { caller, rulePath, rule, clientId } = await fresh()
    await rule({ period: 5, anchorDate: addDays(today, 20) })
    await backdateRules(3, caller.actor.organisationId)
    const periods = async () =>
      (await caller.get(rulePath(clientId))).body.periods.map(
        ({ periodFrom, periodTo }: { periodFrom: string; periodTo: string }) => [periodFrom, periodTo],
      )
    await rule({ period: 5, graceDays: 3 })
    assert.deepEqual((await periods())[0], [addDays(today, -7), addDays(today, 20)])
    await rule({ period: 2, anchorDate: addDays(today, 2) })
    assert.deepEqual(await periods(), [
      [addDays(today, -7), addDays(today, -1)],
      [today, addDays(today, 2)],
      [addDays(today, 3), addDays(today, 16)],
    ])
    assert.equal((await caller.put(rulePath(clientId), { graceDays: 3 })).status, 304)
  }))

test('a rule must define when periods end, and its templates have known placeholders', async () => {
  const { caller, rulePath, clientId } = await fresh()
  const path = rulePath(clientId)
  const refused = async (body: object) => (await caller.put(path, body)).body.ErrorMessages
  assert.deepEqual(await refused({ graceDays: 1 }), ['period is required.'])
  assert.deepEqual(await refused({ period: 2 }), ['anchorDate is required when period is 2.'])
  assert.deepEqual(await refused({ period: 4, referenceTemplate: '{partnerCode} {month}' }), [
    'referenceTemplate has the unknown placeholder {month}.',
  ])
  const isAlwaysSame =
    'referenceTemplate must contain {periodFrom} or {periodTo}, because each schedule has a number of its own.'
  for (const referenceTemplate of ['INV', '{partnerCode}'])
    assert.deepEqual(await refused({ period: 4, referenceTemplate }), [isAlwaysSame])
  assert.deepEqual(await refused({ period: 4, runAt: '24:00' }), ['runAt must be a time such as 02:00.'])
  assert.equal((await caller.put(rulePath(newId()), { period: 4 })).status, 404)
})

test('users of partners see neither rules nor runs', async () => {
  const { caller, rule, rulePath, clientId, enterTransaction, bill } = await fresh()
  await rule()
  await enterTransaction('2026-01-05')
  const [run] = await bill('2026-02-02T00:00:00Z')
  const person = world.as(caller, { partnerId: clientId })
  for (const path of [rulePath(clientId), organisation, '/v1/billing-runs', `/v1/billing-runs/${run?.id}`])
    assert.equal((await person.get(path)).status, 403, path)
})
