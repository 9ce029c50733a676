// No partner's token sees the prices, costs or margins of others: unique amounts are searched for in the
// responses of every endpoint.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import { openRates } from '../support/given-rates.ts'
import { type Caller, endpoints } from '../support/harness.ts'

const { world, clientId, carrierId, ...given } = await openRates()
const { admin, as, database } = world
const { card, charge, content, createApprovedVersion, rate, freight, goods, close, made, charges, enter } =
  given

/** Unique amounts by the party that may see them. Those of `inside` are for the organisation only. */
const marks = {
  client: { activity: 1717.17, freight: 5353.53, entered: 1919.19 },
  other: { activity: 2323.23, freight: 6464.64 },
  carrier: { freight: 4242.42 },
  inside: { margin: 1111.11, otherMargin: 2222.22, never: 7878.78 },
}
const fee = (rateExclTax: number) => charge({ metric: 1, application: 2, rateExclTax })
const never = charge({
  metric: 1,
  application: 2,
  rateExclTax: marks.inside.never,
  when: { priorities: [4] },
})

const otherId = await made('/v1/partners', { name: 'Rimu', code: 'RIMU', relationship: 1 })
const otherCarrierId = await made('/v1/partners', { name: 'Fast', code: 'FST', relationship: 2 })
for (const [partnerId, of] of [
  [clientId, marks.client],
  [otherId, marks.other],
] as const)
  await createApprovedVersion(
    await card(partnerId),
    content(rate([never, fee(of.activity)]), freight([never, fee(of.freight)])),
  )
await createApprovedVersion(
  await card(carrierId, 2),
  content(freight([never, fee(marks.carrier.freight)], 3)),
)

/** A Closed and an open consignment of each client. */
const consignments = []
for (const partnerId of [clientId, otherId])
  for (const isClosed of [true, false]) {
    const id = await goods([], { type: 0, status: 0, tasks: 2 })
    if (partnerId === otherId)
      await database.atomically(tx =>
        tx.run(sql`update consignment set client_id = ${otherId} where id = ${id}`),
      )
    else await enter(id, 'client-activity', { chargeApplication: 2, chargeRateExclTax: marks.client.entered })
    if (isClosed) assert.equal((await close(id, '2026-03-31')).status, 200)
    consignments.push(id)
  }
const scheduleIds: string[] = []
for (const partnerId of [clientId, otherId, carrierId])
  scheduleIds.push(await made('/v1/schedules', { partnerId, date: '2026-03-31' }))
const ids = async (query: ReturnType<typeof sql>) =>
  (await database.db.rows<{ id: string }>(query)).map(({ id }) => id)
const cardIds = await ids(sql`select id from rate_card`)
const known: Record<string, string[]> = {
  consignmentId: consignments,
  partnerScheduleId: scheduleIds,
  scheduleTransactionId: await ids(sql`select id from schedule_transaction`),
  partnerId: [clientId, otherId, carrierId],
  rateCardId: cardIds,
  rateCardVersionId: await ids(sql`select id from rate_card_version`),
  consignmentChargeId: (
    await Promise.all(
      consignments.map(async id => {
        const { clientActivityCharges, clientFreightCharges, carrierFreightCharges } = await charges(id)
        return [clientActivityCharges, clientFreightCharges, carrierFreightCharges]
          .flat()
          .map((one: { id: string }) => one.id)
      }),
    )
  ).flat(),
}

/** Returns the paths of an endpoint, with every known id filled in. */
const pathsOf = (path: string): string[] => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return names.reduce<string[]>(
    (paths, name) => paths.flatMap(one => (known[name] ?? [uuidv7()]).map(id => one.replace(`:${name}`, id))),
    [path],
  )
}
/** Every request that reads, with a body if needed. */
const reads: { method: 'GET' | 'POST'; path: string; body?: object }[] = [
  ...endpoints
    .filter(({ method, path }) => method === 'GET' && path !== '/v1/events' && !path.endsWith('-pdf'))
    .flatMap(({ path }) => pathsOf(path).map(one => ({ method: 'GET' as const, path: one }))),
  ...endpoints
    .filter(
      ({ method, path }) => method === 'POST' && path.startsWith('/v1/reports/') && !path.endsWith('/xlsx'),
    )
    .map(({ path }) => ({ method: 'POST' as const, path, body: {} })),
  ...consignments.map(consignmentId => ({
    ...{ method: 'POST' as const, path: '/v1/rate-cards/test' },
    body: { consignmentId, rateCardVersionId: known.rateCardVersionId?.[0] },
  })),
]

/** Returns the amounts that a caller sees in any response. */
async function seen(caller: Caller): Promise<number[]> {
  const wanted = Object.values(marks).flatMap(of => Object.values(of))
  const found = new Set<number>()
  for (const { method, path, body } of reads) {
    const answer = method === 'GET' ? await caller.get(path) : await caller.post(path, body)
    const text = answer.bytes.toString('latin1')
    for (const mark of wanted) if (text.includes(String(mark))) found.add(mark)
  }
  return [...found].toSorted((a, b) => a - b)
}
const all = (...of: Record<string, number>[]) =>
  of.flatMap(one => Object.values(one)).toSorted((a, b) => a - b)

test('the organisation sees every price, cost and margin', async () => {
  assert.deepEqual(await seen(admin), all(...Object.values(marks)))
})

test('a client sees its own prices, and no costs, margins or prices of others', async () => {
  assert.deepEqual(await seen(as(admin, { partnerId: clientId })), all(marks.client))
  assert.deepEqual(await seen(as(admin, { partnerId: otherId })), all(marks.other))
})

test('a carrier sees its own charges, and no prices of clients', async () => {
  assert.deepEqual(await seen(as(admin, { partnerId: carrierId })), all(marks.carrier))
  assert.deepEqual(await seen(as(admin, { partnerId: otherCarrierId })), [])
})
