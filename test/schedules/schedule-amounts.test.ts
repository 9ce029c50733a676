// Money adds up: whatever is closed, reopened, bundled and released, a schedule's amount is the sum of its transactions. Promise 33.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/db.ts'
import { openCharges } from '../consignments/given-charges.ts'
import fc from '../properties.ts'

const { world, clientId, carrierId, consignments, adhoc, close, reopen, include } = await openCharges()
const { admin, database } = world
const ids = await consignments(6)
const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']

// Tests have the file to themselves, so every schedule and transaction of the database is meant.
const sums = () =>
  database.db.rows<{ id: string; kept: string; counted: string }>(sql`
    select s.id, s.amount_excl_tax::text as kept, coalesce(sum(t.amount_excl_tax), 0)::numeric(30, 2)::text as counted
    from partner_schedule s left join schedule_transaction t on t.organisation_id = s.organisation_id and t.partner_schedule_id = s.id
    group by s.organisation_id, s.id`)
/** Charges that are billed otherwise than once while Closed and included, and not at all while not. */
const wronglyBilled = () =>
  database.db.rows(sql`
    select h.id from consignment_charge h join consignment c on c.organisation_id = h.organisation_id and c.id = h.consignment_id
    left join schedule_transaction t on t.organisation_id = h.organisation_id and t.consignment_charge_id = h.id and t.status <> 3
    group by h.organisation_id, h.id, c.status
    having count(t.id) <> (c.status = 6 and h.is_included)::int or min(t.amount_excl_tax) <> h.amount_excl_tax`)

const consignment = fc.nat({ max: ids.length - 1 }).map(i => ids[i] as string)
const day = fc.constantFrom(...days)
const partnerId = fc.constantFrom(clientId, carrierId)
const nth = fc.nat({ max: 99 })
const step = fc.oneof(
  fc.record({
    what: fc.constant('charge' as const),
    consignment,
    cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    isCarrier: fc.boolean(),
  }),
  fc.record({ what: fc.constant('include' as const), consignment, nth, isIncluded: fc.boolean() }),
  fc.record({ what: fc.constant('close' as const), consignment, day }),
  fc.record({ what: fc.constant('reopen' as const), consignment }),
  fc.record({ what: fc.constant('bundle' as const), partnerId, day }),
  fc.record({ what: fc.constant('bundle again' as const), nth, day }),
  fc.record({ what: fc.constant('approve' as const), nth, status: fc.constantFrom(1, 2) }),
  fc.record({ what: fc.constant('remove' as const), nth }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function take(move: Step): Promise<void> {
  const schedules = (await admin.get('/v1/schedules?PageSize=500')).body.schedules as { id: string }[]
  const chosen = 'nth' in move ? `/v1/schedules/${schedules[move.nth % Math.max(schedules.length, 1)]?.id ?? clientId}` : ''
  switch (move.what) {
    case 'charge':
      // Refused for a Closed one.
      await admin.post(
        `/v1/consignments/${move.consignment}/charges/${move.isCarrier ? 'carrier-freight' : 'client-activity'}/adhoc`,
        adhoc({ metricValue: 1.000005, chargeRateExclTax: move.cents / 100 }),
      )
      return
    case 'include': {
      const lists = Object.values((await admin.get(`/v1/consignments/${move.consignment}/charges`)).body) as { id: string }[][]
      const charged = lists.flat()
      const one = charged[move.nth % Math.max(charged.length, 1)]
      if (one) await include(move.consignment, one.id, move.isIncluded)
      return
    }
    case 'close':
      await close(move.consignment, move.day)
      return
    case 'reopen':
      await reopen(move.consignment)
      return
    case 'bundle':
      await admin.post('/v1/schedules', { partnerId: move.partnerId, date: move.day })
      return
    case 'bundle again':
      await admin.put(chosen, { transactionsUpTo: move.day })
      return
    case 'approve':
      await admin.put(`${chosen}/status`, { status: move.status })
      return
    case 'remove':
      await admin.delete(chosen)
  }
}

test("a schedule's amount is the sum of its transactions, and every charge is billed exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 10 }), async rounds => {
      // The moves of a round are made at the same moment.
      for (const moves of rounds) await Promise.all(moves.map(take))
      for (const { id, kept, counted } of await sums()) assert.equal(kept, counted, id)
      assert.deepEqual(await wronglyBilled(), [])
    }),
    { numRuns: 20, endOnFailure: true },
  )
  assert.ok(
    (await sums()).some(({ kept }) => kept !== '0.00'),
    'something was billed',
  )
  for (const { id, amountExclTax } of (await admin.get('/v1/schedules?PageSize=500')).body.schedules) {
    const detail = (await admin.get(`/v1/schedules/${id}`)).body
    const cents = detail.transactions.reduce((sum: number, row: { amountExclTax: number }) => sum + Math.round(row.amountExclTax * 100), 0)
    assert.deepEqual([amountExclTax, detail.amountExclTax], [cents / 100, cents / 100], 'the list, the detail and the sum agree')
  }
})
