// The figures of a day.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/platform/database/db.ts'
import { ConsignmentStatus } from '../../src/vocabulary/consignments.ts'
import { openWaves } from '../support/given-waves.ts'
import type { Caller } from '../support/harness.ts'

const world = await openWaves()
const { admin, as, database, organisationId, clientId } = world

// One wave of two orders, of which the second lacks stock, an order that is late, and one that is Complete.
await world.stored(10)
const { jobId, ids } = await world.startedWave([[{ quantity: 4 }], [{ quantity: 100 }]])
const [late, complete] = (await world.readyAll([
  { lines: [{ quantity: 1 }], facts: { expectedDispatchDateTime: '2026-01-02T08:00:00' } },
  { lines: [{ quantity: 1 }] },
])) as [string, string]
await database.atomically(async tx => {
  await tx.run(sql`update consignment set date_entered = timezone('Pacific/Auckland', now())
    where organisation_id = ${organisationId}`)
  await tx.run(sql`update consignment set status = ${ConsignmentStatus.Complete},
      actual_dispatch_date_time = timezone('Pacific/Auckland', now()) - interval '1 day'
    where organisation_id = ${organisationId} and id = ${complete}`)
})

async function read(query = '', caller: Caller = admin) {
  const { status, body } = await caller.get(`/v1/dashboard?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  const figures = new Map<string, { n: number; amountExclTax: number | null }>(
    body.figures.map(({ key, ...figure }: { key: string }) => [key, figure]),
  )
  return { ...body, n: (key: string) => figures.get(key)?.n, keys: [...figures.keys()], figures }
}

test('the day begins with what is to be received, picked and dispatched, what is late, short and not billed', async () => {
  const day = await read()
  assert.deepEqual(
    ['toReceive', 'toPick', 'toDispatch', 'late', 'linesShort', 'notBilled'].map(day.n),
    [0, 3, 0, 1, 2, 1],
  )
  assert.equal(day.figures.get('notBilled')?.amountExclTax, 0, 'there is no rate card')
  const list = await admin.get('/v1/consignments?Status=-1&IsLate=true')
  assert.deepEqual(
    list.body.consignments.map(({ id }: { id: string }) => id),
    [late],
  )
})

test('series count what was entered and dispatched, day by day up to today', async () => {
  const { series } = await read('Days=7')
  const ofType = new Map<string, { date: string; value: number }[]>(
    series.map(({ key, points }: { key: string; points: [] }) => [key, points]),
  )
  assert.deepEqual(
    ofType.get('outwards')?.map(({ value }) => value),
    [0, 0, 0, 0, 0, 0, 4],
  )
  assert.deepEqual(
    ofType.get('dispatched')?.map(({ value }) => value),
    [0, 0, 0, 0, 0, 1, 0],
  )
  assert.equal(ofType.get('inwards')?.length, 7)
})

test('waves tell how many of their lines are picked', async () => {
  const { waves } = await read()
  assert.deepEqual(
    waves.map(({ clientName: _, jobNumber: __, ...wave }: { clientName: string; jobNumber: string }) => wave),
    [{ jobId, dueDateTime: null, lineCount: 2, pickedCount: 0 }],
  )
  assert.equal(ids.length, 2)
})

test('zones tell how many of their active locations hold stock, the fullest first', async () => {
  const places = await database.db.rows<{ id: string; warehouseId: string; isFull: boolean }>(sql`
    select l.id, l.warehouse_id, exists (select from warehouse_product p
      where p.organisation_id = l.organisation_id and p.warehouse_location_id = l.id
        and not p.is_depleted) as is_full
    from warehouse_location l where l.organisation_id = ${organisationId}`)
  const full = places.filter(({ isFull }) => isFull)
  const [warehouseId] = full.map(place => place.warehouseId) as [string]
  await database.atomically(async tx => {
    // One zone has the locations with stock, and both have an empty location and an inactive one.
    await tx.run(sql`insert into warehouse_zone (organisation_id, id, warehouse_id, name)
      select ${organisationId}, gen_random_uuid(), ${warehouseId}, name
      from (values ('Empty'), ('Full'), ('Without locations')) z (name)`)
    await tx.run(sql`update warehouse_location l set warehouse_zone_id = z.id from warehouse_zone z
      where z.organisation_id = l.organisation_id and z.name = 'Full' and l.organisation_id = ${organisationId}
        and l.id = any(${full.map(({ id }) => id)})`)
    await tx.run(sql`insert into warehouse_location (organisation_id, id, warehouse_id, warehouse_zone_id, name,
        type, status)
      select z.organisation_id, gen_random_uuid(), z.warehouse_id, z.id, z.name || ' ' || given, 1, given
      from warehouse_zone z, unnest(array[1, 2]) given
      where z.organisation_id = ${organisationId} and z.name <> 'Without locations'`)
  })
  const { zones } = await read(`WarehouseId=${warehouseId}`)
  assert.deepEqual(
    zones.map(({ warehouseName: _, ...zone }: { warehouseName: string }) => zone),
    [
      { name: 'Full', locationCount: full.length + 1, occupiedCount: full.length },
      { name: 'Empty', locationCount: 1, occupiedCount: 0 },
    ],
  )
})

test('parts that the scopes of a token do not include are left out', async () => {
  const day = await read('', as(admin, { scopes: ['inventory.read'] }))
  assert.deepEqual([day.keys, day.series, day.waves, day.zones], [['linesShort'], [], [], []])
})

test('a client sees only its own, and no zones; another client sees nothing', async () => {
  const other = await admin.post('/v1/partners', { name: 'Rimu', code: 'RIMU2', relationship: 1 })
  const mine = await read('', as(admin, { partnerId: clientId }))
  assert.deepEqual([mine.n('toPick'), mine.waves.length, mine.zones], [3, 1, []])
  const theirs = await read('', as(admin, { partnerId: other.body.partnerId }))
  assert.deepEqual([theirs.n('toPick'), theirs.n('linesShort'), theirs.waves], [0, 0, []])
})
