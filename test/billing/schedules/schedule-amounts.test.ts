// Amounts add up under concurrent charging, closing, voiding, reopening, bundling, exporting, releasing and
// picking: a schedule's amount is always the sum of its transactions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { openCharges } from '../../support/given-charges.ts'
import type { ApiResponse } from '../../support/harness.ts'
import fc from '../../support/properties.ts'

const { world, clientId, carrierId, warehouseId, consignments, adhoc, charge, close, reopen, include } =
  await openCharges()
const { admin, database } = world
await admin.post('/v1/partners', { name: 'Blue', code: 'BLUE', relationship: 2 })

// The file has a database of its own, so these queries cover all its schedules, transactions and jobs.
const sums = () =>
  database.db.rows<{ id: string; kept: string; counted: string }>(sql`
    select s.id, s.amount_excl_tax::text as kept, coalesce(sum(t.amount_excl_tax), 0)::numeric(30, 2)::text
      as counted
    from partner_schedule s left join schedule_transaction t on t.organisation_id = s.organisation_id
      and t.partner_schedule_id = s.id
    group by s.organisation_id, s.id`)
/**
 * Finds charges with wrong transactions: included charges of Closed consignments must be billed once, to
 * their partner, and all others not at all.
 */
const wronglyBilled = () =>
  database.db.rows(sql`
    select h.id from consignment_charge h join consignment c on c.organisation_id = h.organisation_id
      and c.id = h.consignment_id
    left join schedule_transaction t on t.organisation_id = h.organisation_id
      and t.consignment_charge_id = h.id and t.status <> 3
    group by h.organisation_id, h.id, c.status
    having count(t.id) <> (c.status = 6 and h.is_included)::int or min(t.amount_excl_tax) <> h.amount_excl_tax
      or bool_or(t.partner_id <> h.partner_id)`)
/** Finds consignments that a finished job still picks, and Void ones that a job picks. */
const wronglyPicked = () =>
  database.db.rows(sql`
    select m.consignment_id from job_consignment m join job j on j.organisation_id = m.organisation_id
      and j.id = m.job_id
    join consignment c on c.organisation_id = m.organisation_id and c.id = m.consignment_id
    where m.is_picking and (j.status > 3 or c.status = -2)`)

const day = fc.constantFrom('2026-03-01', '2026-03-02', '2026-03-03')
const move = <What extends string, Fields extends object>(
  what: What,
  fields: { [K in keyof Fields]: fc.Arbitrary<Fields[K]> },
) => fc.record({ what: fc.constant(what), ...fields }) as fc.Arbitrary<{ what: What } & Fields>
const step = fc.oneof(
  move('charge', { cents: fc.integer({ min: -1_000_000, max: 1_000_000 }), isCarrier: fc.boolean() }),
  move('include', { isIncluded: fc.boolean() }),
  move('carrier', { code: fc.constantFrom('SWF', 'BLUE') }),
  move('status', { status: fc.constantFrom(1, 0) }),
  { arbitrary: move('close', { day }), weight: 4 },
  { arbitrary: move('reopen', {}), weight: 4 },
  move('void', {}),
  { arbitrary: move('bundle', { partnerId: fc.constantFrom(clientId, carrierId), day }), weight: 3 },
  { arbitrary: move('bundle again', { day }), weight: 2 },
  move('approve', { status: fc.constantFrom(1, 2) }),
  move('export', {}),
  { arbitrary: move('remove', {}), weight: 4 },
  { arbitrary: move('pick', { isAdded: fc.boolean() }), weight: 2 },
  move('job', { status: fc.constantFrom(1, 2, 3, 4, 5) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
/** A round of concurrent moves on one consignment and its schedule and job. */
const round = fc.record({ nth: fc.nat({ max: 99 }), steps: fc.array(step, { minLength: 3, maxLength: 9 }) })

/** The targets of a round's moves, chosen before the moves so that these collide. */
interface Target {
  id: string
  chargeId: string
  scheduleId: string
  jobId: string
}

/**
 * Chooses the targets: a consignment, one of its charges, and a schedule: one that bills it, else the latest,
 * else none.
 */
const targetOf = (id: string, jobId: string): Promise<Target> =>
  database.db.row<Target>(sql`
    select ${id}::uuid as id, ${jobId}::uuid as job_id,
      (select h.id from consignment_charge h where h.consignment_id = ${id} order by h.id limit 1)
        as charge_id,
      coalesce((select t.partner_schedule_id from schedule_transaction t where t.consignment_id = ${id}
        and t.status = 2 order by t.id limit 1),
        (select s.id from partner_schedule s order by s.id desc limit 1), ${clientId}::uuid) as schedule_id`)

/** Makes a move. The service may refuse it. */
function take(step: Step, { id, chargeId, scheduleId, jobId }: Target): Promise<ApiResponse> {
  const [consignment, schedule, job] = [
    `/v1/consignments/${id}`,
    `/v1/schedules/${scheduleId}`,
    `/v1/jobs/${jobId}/wave-pick`,
  ]
  switch (step.what) {
    case 'charge':
      return admin.post(
        `${consignment}/charges/${step.isCarrier ? 'carrier-freight' : 'client-activity'}/adhoc`,
        adhoc({ metricValue: 1.000005, chargeRateExclTax: step.cents / 100 }),
      )
    case 'include':
      return include(id, chargeId, step.isIncluded)
    case 'carrier':
      return admin.put(`${consignment}/route`, { carrierCode: step.code })
    case 'status':
      return admin.put(`${consignment}/status`, { status: step.status })
    case 'close':
      return close(id, step.day)
    case 'reopen':
      return reopen(id)
    case 'void':
      return admin.put(`${consignment}/void`)
    case 'bundle':
      return admin.post('/v1/schedules', { partnerId: step.partnerId, date: step.day })
    case 'bundle again':
      return admin.put(schedule, { transactionsUpTo: step.day })
    case 'approve':
      return admin.put(`${schedule}/status`, { status: step.status })
    case 'export':
      return admin.post(`${schedule}/exported`)
    case 'remove':
      return admin.delete(schedule)
    case 'pick':
      return admin.post(`${job}/consignments/${step.isAdded ? 'add' : 'remove'}`, { consignmentIds: [id] })
    case 'job':
      return admin.put(`${job}/status`, { status: step.status })
  }
}

test("a schedule's amount is the sum of its transactions, and every charge is billed exactly once", async () => {
  const made = new Set<Step['what']>()
  const exported = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 8, maxLength: 16 }), async rounds => {
      const ids = [...(await consignments(2)), ...(await consignments(2, { status: 1 }))]
      await Promise.all(
        ids.flatMap(id =>
          [1, 2, 3].map(n =>
            charge(id, n === 1 ? 'carrier-freight' : 'client-freight', { chargeRateExclTax: n }),
          ),
        ),
      )
      const jobIds = await Promise.all(
        [1, 2].map(
          async () =>
            (await admin.post('/v1/jobs/wave-pick', { warehouseId, clientId })).body.jobId as string,
        ),
      )
      for (const { nth, steps } of rounds) {
        const target = await targetOf(ids[nth % ids.length] as string, jobIds[nth % 2] as string)
        const answers = await Promise.all(steps.map(step => take(step, target)))
        for (const [i, { what }] of steps.entries()) {
          const status = answers[i]?.status as number
          assert.ok(status < 500, `${what} answered ${status}`)
          if (status < 300) made.add(what)
          if (status < 300 && what === 'export') exported.add(target.scheduleId)
        }
      }
      for (const { id, kept, counted } of await sums()) assert.equal(kept, counted, id)
      assert.deepEqual(await wronglyBilled(), [])
      assert.deepEqual(await wronglyPicked(), [])
    }),
    { numRuns: 15, endOnFailure: true },
  )
  for (const what of ['close', 'reopen', 'bundle', 'remove', 'export', 'pick'] as const)
    assert.ok(made.has(what), `no ${what} was made`)
  const kept = await sums()
  assert.ok(
    kept.some(schedule => schedule.kept !== '0.00'),
    'something is billed',
  )
  for (const id of exported)
    assert.ok(
      kept.some(schedule => schedule.id === id),
      `${id} was exported and is gone`,
    )
  for (const { id, amountExclTax } of (await admin.get('/v1/schedules?PageSize=500')).body.schedules) {
    const detail = (await admin.get(`/v1/schedules/${id}`)).body
    const cents = detail.transactions.reduce(
      (sum: number, row: { amountExclTax: number }) => sum + Math.round(row.amountExclTax * 100),
      0,
    )
    assert.deepEqual(
      [amountExclTax, detail.amountExclTax],
      [cents / 100, cents / 100],
      'the list, the detail and the sum agree',
    )
  }
})
