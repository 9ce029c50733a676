// The list of consignments as screens show it: with figures, by what is due and by what is short.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { JobStatus } from '../../../src/vocabulary/jobs.ts'
import { openWaves } from '../../support/given-waves.ts'
import type { Caller } from '../../support/harness.ts'

const world = await openWaves()
const { admin, as, database, organisationId, clientId } = world

const hours = (n: number) => sql`timezone('Pacific/Auckland', now()) + ${n} * interval '1 hour'`

const set = (id: string, columns: ReturnType<typeof sql>) =>
  database.atomically(tx =>
    tx.run(sql`update consignment set ${columns} where organisation_id = ${organisationId} and id = ${id}`),
  )

// One wave of two orders, of which the second asks for more than is there.
await world.stored(10)
const { jobId, ids } = await world.startedWave([[{ quantity: 4 }], [{ quantity: 100 }]])
const [whole, short] = ids as [string, string]
const [loose] = (await world.readyAll([{ lines: [{ quantity: 1 }] }])) as [string]
await set(
  whole,
  sql`expected_dispatch_date_time = ${hours(-2)}, priority = 4,
  destination_address = '{"name": "Ana", "city": "Nelson"}'`,
)
await set(short, sql`expected_delivery_date_time = ${hours(24)}, origin_address = '{"city": "NELSON"}'`)

// The third was in a wave that was cancelled.
const { body: cancelled } = await admin.post('/v1/jobs/wave-pick', {
  warehouseId: world.warehouseId,
  clientId,
})
await admin.post(`/v1/jobs/${cancelled.jobId}/wave-pick/consignments/add`, { consignmentIds: [loose] })
assert.equal((await world.move(cancelled.jobId, JobStatus.Cancelled)).status, 200)

const listed = async (query: string, caller: Caller = admin) => {
  const { status, body } = await caller.get(`/v1/consignments?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.consignments.length)
  return body.consignments as Record<string, unknown>[]
}
const idsOf = async (query: string) => (await listed(query)).map(({ id }) => id)

test('figures tell where an order goes, that it is late, what it lacks and in which jobs it is', async () => {
  const rows = await listed('Include=figures&Sort=number')
  assert.deepEqual(
    rows.map(row => [row.lineCount, row.quantity, row.shortQuantity, row.isLate, row.priority]),
    [
      [1, 4, 0, true, 4],
      [1, 100, 94, false, 2],
      [1, 1, 1, false, 2],
    ],
  )
  const [first = {}, second = {}, third = {}] = rows
  assert.deepEqual(
    [first.destinationName, first.destinationCity, first.dueDateTime],
    ['Ana', 'Nelson', first.expectedDispatchDateTime],
  )
  assert.equal(second.dueDateTime, second.expectedDeliveryDateTime)
  assert.deepEqual(
    [first, second, third].map(row => (row.jobs as { jobId: string }[]).map(job => job.jobId)),
    [[jobId], [jobId], []],
  )
  assert.ok(!('priority' in ((await listed('Sort=number'))[0] ?? {})), 'only if they are asked for')
})

test('a token that may not read jobs is told of none', async () => {
  const reader = as(admin, { scopes: ['consignment.read'] })
  assert.deepEqual(
    (await listed('Include=figures', reader)).map(({ jobs }) => jobs),
    [[], [], []],
  )
})

test('open orders are found by priority, due day, lateness, shortage, job and city', async () => {
  const cases: [query: string, found: string[]][] = [
    ['Priority=4', [whole]],
    ['Priority=2&Priority=4&HasJob=true', [whole, short]],
    ['IsLate=true', [whole]],
    ['IsLate=false', [short, loose]],
    ['IsShort=true&HasJob=true', [short]],
    ['IsShort=false', [whole]],
    ['HasJob=false', [loose]],
    [`JobId=${jobId}`, [whole, short]],
    ['City=nelson', [whole, short]],
    ['City=nel', []],
    ['DueFrom=2000-01-01', [whole, short]],
    ['DueTo=2000-01-01', []],
    [`ClientId=${clientId}&IsLate=true`, [whole]],
  ]
  for (const [query, found] of cases) {
    assert.deepEqual(await idsOf(`Status=-1&Sort=number&${query}`), found, query)
    const { body } = await admin.get(`/v1/consignments/counts?By=Status&Status=-1&${query}`)
    assert.equal(body.total, found.length, query)
  }
})

test('the list is sorted by what is due first, by number, or by age, and the other way round', async () => {
  for (const [order, found] of [
    ['due', [whole, short, loose]],
    ['-due', [loose, short, whole]],
    ['number', [whole, short, loose]],
    ['-number', [loose, short, whole]],
  ] as const)
    assert.deepEqual(await idsOf(`Status=2&Sort=${order}`), found, order)
  assert.deepEqual(await idsOf('Sort=-entered'), (await idsOf('Sort=entered')).toReversed())
})

test('what only open consignments are sorted and filtered by is refused without open statuses', async () => {
  for (const query of ['Sort=due', 'IsLate=true', 'Status=6&City=Nelson', 'Status=-1&Status=-2&Priority=2']) {
    const { status, details } = await admin.get(`/v1/consignments?${query}`)
    assert.deepEqual([status, details?.[0]?.path], [400, 'Status'], query)
  }
  assert.equal((await admin.get('/v1/consignments/counts?HasJob=true')).status, 400)
})

test('counts name what they count: statuses, types and records', async () => {
  const { body } = await admin.get('/v1/consignments/counts?By=Status&Status=2')
  assert.deepEqual(body, { by: 'Status', total: 3, counts: [{ value: 2, name: 'ReadyToPick', n: 3 }] })
  const byClient = (await admin.get('/v1/consignments/counts?By=ClientId')).body
  assert.deepEqual(byClient.counts, [{ value: clientId, name: byClient.counts[0].name, n: 3 }])
  const ofNobody = (await admin.get('/v1/consignments/counts?By=CarrierId')).body.counts
  assert.deepEqual(ofNobody, [{ value: null, name: null, n: 3 }])
})

test('a client counts and lists only its own', async () => {
  const other = await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU2', relationship: 1 })
  const ofOther = as(admin, { partnerId: other.body.partnerId })
  assert.equal((await ofOther.get('/v1/consignments/counts')).body.total, 0)
  assert.deepEqual(await listed('Include=figures&Status=-1&IsLate=true', ofOther), [])
  assert.equal((await ofOther.get(`/v1/consignments/counts?ClientId=${clientId}`)).body.total, 0)
})
