// Partners with billing rules, and billing runs at times that the test chooses.

import assert from 'node:assert/strict'
import { claimRun } from '../../src/billing/runs/billing-run.ts'
import { planRuns } from '../../src/billing/runs/plan-runs.ts'
import { runNext } from '../../src/billing/runs/run-billing.ts'
import { sql } from '../../src/platform/database/db.ts'
import { contextIn } from './given-imports.ts'
import { ratesOf } from './given-rates.ts'
import { type Caller, openWorld, type World } from './harness.ts'

/** A billing run as the API returns it. */
export interface BillingRunView {
  id: string
  periodFrom: string
  periodTo: string
  status: number
  step: number
  failure: string | null
  closedCount: number
  refusedCount: number
  partnerScheduleIds: string[]
}

/** The billing of one organisation, whose client is KAURI. */
export async function billingOf(world: World, caller: Caller) {
  const rates = await ratesOf(world, caller)
  const context = contextIn(world)
  const { database } = world
  const { clientId } = rates
  const rulePath = (partnerId: string) => `/v1/partners/${partnerId}/billing-rule`

  async function runs(partnerId = clientId): Promise<BillingRunView[]> {
    const { body } = await caller.get(`/v1/billing-runs?PartnerId=${partnerId}&PageSize=500`)
    return body.billingRuns.toReversed()
  }
  return {
    ...rates,
    caller,
    context,
    rulePath,
    runs,
    /** Sets the billing rule of a partner; monthly by default. */
    async rule(more: object = {}, partnerId = clientId) {
      const { status, body } = await caller.put(rulePath(partnerId), { period: 4, ...more })
      assert.ok(status === 200 || status === 304, JSON.stringify(body))
    },
    /** Enters a transaction to bill, without a consignment. */
    async enterTransaction(date: string, more: object = {}, partnerId = clientId): Promise<string> {
      const { status, body } = await caller.post('/v1/schedule-transactions', {
        ...{ partnerId, date, chargeApplication: 2, chargeRateExclTax: 10, taxRateId: rates.taxRateId },
        ...more,
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body.scheduleTransactionId
    },
    partner: (code: string, relationship = 1) =>
      rates.made('/v1/partners', { name: `Partner ${code}`, code, relationship }),
    /** Creates the runs that are due at a time. */
    plan: (now: string) => planRuns(database, new Date(now)),
    /** Executes all due runs. */
    async drain(): Promise<void> {
      while (await runNext(context)) {}
    },
    async bill(now: string, partnerId = clientId): Promise<BillingRunView[]> {
      await planRuns(database, new Date(now))
      while (await runNext(context)) {}
      return runs(partnerId)
    },
    schedules: async (partnerId = clientId) =>
      Promise.all(
        (await caller.get(`/v1/schedules?PartnerId=${partnerId}`)).body.schedules
          .toReversed()
          .map(async ({ id }: { id: string }) => (await caller.get(`/v1/schedules/${id}`)).body),
      ),
    /** Claims a run and abandons it, like a worker that is killed. */
    abandon: async () => {
      const run = await claimRun(database, context.presence.id)
      assert.ok(run, 'a run is due')
      return run
    },
    /** Ends the leases and delays of all unfinished runs. */
    expireDelays: () =>
      database.atomically(tx => tx.run(sql`update billing_run set due_utc = now() where status <> 3`)),
  }
}

/** Opens a world whose first organisation has billing. */
export async function openBilling() {
  const world = await openWorld()
  return { world, ...(await billingOf(world, world.admin)) }
}
