import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { ConsignmentFilters } from '../../src/consignments/list/filters.ts'
import { foldConsignmentCounts } from '../../src/consignments/list/fold-counts.ts'
import { raw, sql } from '../../src/platform/database/db.ts'
import { type ListedConsignment, openConsignments } from '../support/given-consignments.ts'
import { type Caller, openWorld } from '../support/harness.ts'
import fc from '../support/properties.ts'

const { admin, as, database, stranger } = await openWorld()

const statuses = [-2, 0, 1, 2, 4, 6, 8]
const texts = ['', 'PO-77', 'po-778', 'Foods', '50%']

const arbitraryConsignment: fc.Arbitrary<ListedConsignment> = fc.record({
  type: fc.constantFrom(0, 1, 2),
  status: fc.constantFrom(...statuses),
  client: fc.integer({ min: 0, max: 2 }),
  carrier: fc.constantFrom(null, 0, 1),
  warehouse: fc.constantFrom(null, 0, 1),
  // Equal dates test ties in the order, and the others lie in different weeks.
  day: fc.constantFrom(0, 1, 2, 4, 6, 10, 20, 60),
  text: fc.constantFrom(...texts),
})

const write = fc.oneof(
  fc.record({ add: fc.array(arbitraryConsignment, { minLength: 1, maxLength: 15 }) }),
  fc.record({
    change: fc.nat(),
    to: fc.oneof(
      fc.record({ status: fc.constantFrom(...statuses) }),
      fc.record({ carrier: fc.constantFrom(null, 0, 1) }),
      fc.record({ client: fc.nat(2) }),
    ),
  }),
  fc.record({ mark: fc.nat(), ediStatus: fc.constantFrom(null, 1, 2, 10) }),
  fc.record({ remove: fc.nat() }),
  fc.constant({ fold: true }),
)

/** Numbers of consignments that were listed newest first, in another order. */
function inOrder(newestFirst: readonly string[], order: string): string[] {
  const ascending = order.endsWith('number') ? newestFirst.toSorted() : newestFirst.toReversed()
  return order === 'entered' || order === '-number' ? ascending.toReversed() : ascending
}

/** Two counts of the same moment: one of the rows, and one from the counts of cells and weeks. */
async function recount(organisationId: string) {
  const differing = (counted: ReturnType<typeof sql>, plain: ReturnType<typeof sql>) =>
    database.db.rows(
      sql`with counted as (${counted}), plain as (${plain}) (table counted except table plain)
        union all (table plain except table counted)`,
    )
  const cells = await differing(
    sql`select level, identity_connection_id, edi_status, client_id, carrier_id, warehouse_id, type, status,
      sum(n) as n from consignment_count
      where organisation_id = ${organisationId} group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(n) <> 0`,
    sql`select l.level, identity_connection_id, edi_status, l.client_id, l.carrier_id, warehouse_id, type,
      status, count(*)::numeric
      from consignment_listing r, levels_of(r) l where organisation_id = ${organisationId} group by 1, 2, 3,
        4, 5, 6, 7, 8`,
  )
  const weeks = await differing(
    sql`select filter, identity_connection_id, week, sum(n) as n from consignment_week_count
      where organisation_id = ${organisationId}
      group by 1, 2, 3 having sum(n) <> 0`,
    sql`select filter, identity_connection_id, date_trunc('week', date_entered)::date, count(*)::numeric
      from consignment_listing l, unnest(filters_of(l)) as filter where organisation_id = ${organisationId}
        group by 1, 2, 3`,
  )
  return [...cells, ...weeks]
}

test('after any writes, every combination of filters has the right total, and its pages contain each row once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 3, maxLength: 20 }),
      fc.infiniteStream(fc.nat(9)),
      fc.integer({ min: 1, max: 7 }),
      async (writes, picks, pageSize) => {
        const caller = await stranger()
        const world = await openConsignments(database, caller)
        const known = await world.add(fc.sample(arbitraryConsignment, { numRuns: 12, seed: 1 }))
        const one = (n: number) => known[n % known.length] as string
        const pending: Promise<unknown>[] = []
        for (const write of writes) {
          if ('add' in write) known.push(...(await world.add(write.add)))
          else if ('change' in write) pending.push(world.change(one(write.change), write.to))
          else if ('mark' in write) pending.push(world.mark(one(write.mark), write.ediStatus))
          else if ('remove' in write) {
            await Promise.all(pending)
            await world.remove(one(write.remove))
            known.splice(write.remove % known.length, 1)
            if (known.length === 0) known.push(...(await world.add(fc.sample(arbitraryConsignment, 1))))
          } else pending.push(foldConsignmentCounts(database), foldConsignmentCounts(database))
        }
        await Promise.all(pending)
        assert.deepEqual(await recount(caller.actor.organisationId), [])
        const choose = <T>(values: T[]) => values[(picks.next().value as number) % values.length] as T
        const { clients, carriers, warehouses } = world
        for (let i = 0; i < 12; i++) {
          // Most filters are absent most of the time, so that every pair of filters occurs.
          const filters: ConsignmentFilters = {
            clientId: choose([undefined, undefined, clients[0], clients[1], clients.slice(0, 2)]),
            carrierId: choose([undefined, undefined, carriers[0], carriers[1], carriers]),
            warehouseId: choose([undefined, undefined, undefined, warehouses[0], warehouses]),
            type: choose<ConsignmentFilters['type']>([undefined, undefined, undefined, 0, 1, 2, [0, 2]]),
            status: choose<ConsignmentFilters['status']>([undefined, undefined, -1, 6, 1, [6, 1], [-1, 6]]),
            ediStatus: choose([undefined, undefined, [null], [1], [null, 10], [1, 2]]),
            dateFrom: choose([undefined, undefined, undefined, undefined, '2026-01-02', '2026-01-05']),
            dateTo: choose([
              undefined,
              undefined,
              undefined,
              undefined,
              '2026-01-21',
              '2026-01-11',
              '2026-01-06',
            ]),
            externalId: choose([undefined, undefined, undefined, undefined, undefined, 'PO-77']),
            searchText: choose([undefined, undefined, undefined, 'foods', 'po-77', '0%', 'tst-00000']),
          }
          const order = choose(['entered', 'entered', '-entered', 'number', '-number'])
          const { numbers, totals } = await world.readAllPages(filters, pageSize, order)
          const expected = await world.expected(filters)
          assert.deepEqual(numbers, inOrder(expected, order), JSON.stringify({ order, filters }))
          assert.deepEqual([...totals], [expected.length], JSON.stringify({ order, filters }))
          const by = choose(['Status', 'Type', 'ClientId', 'CarrierId', 'WarehouseId'])
          const counted = await world.count(by, filters)
          assert.deepEqual(counted.total, expected.length, JSON.stringify({ by, filters }))
          assert.deepEqual(
            counted.counts.toSorted(),
            await world.expectedCounts(by, expected),
            JSON.stringify({ by, filters }),
          )
        }
      },
    ),
    { numRuns: 12 },
  )
})

const numbersOf = async (caller: Caller, query: string) =>
  (await caller.get(`/v1/consignments?${query}`)).body.consignments.map(
    ({ consignmentNumber }: { consignmentNumber: string }) => consignmentNumber,
  )

const plainConsignment: ListedConsignment = {
  type: 2,
  status: 1,
  client: 0,
  carrier: 0,
  warehouse: 0,
  day: 0,
  text: 'R-1',
}

test('a row contains the names and codes of its client, carrier and warehouse', async () => {
  const world = await openConsignments(database, admin)
  const [id] = await world.add([
    plainConsignment,
    { ...plainConsignment, type: 0, carrier: null, warehouse: null, client: 1, day: 1 },
  ])
  const { body } = await admin.get('/v1/consignments')
  assert.deepEqual([body.index, body.total], [1, 2])
  const [without, whole] = body.consignments
  assert.deepEqual(whole, {
    id,
    consignmentNumber: 'TST-000001-X',
    referenceNumber: 'R-1',
    clientId: world.clients[0],
    clientName: 'Kauri Foods',
    clientCode: 'KAURI',
    dateEntered: '2026-01-01T00:00:00Z',
    type: 2,
    status: 1,
    warehouseId: world.warehouses[0],
    warehouseCode: 'AKL',
    warehouseName: 'Auckland',
    carrierId: world.carriers[0],
    carrierName: 'Swift',
    carrierCode: 'SWF',
    carrierReferenceNumber: null,
    carrierRunNumber: null,
    carrierRunOrdinal: null,
    ediStatus: null,
  })
  assert.deepEqual(
    [without.carrierId, without.carrierName, without.warehouseId, without.warehouseCode],
    [null, null, null, null],
  )

  assert.deepEqual(await numbersOf(admin, 'ConsignmentNumbers=tst-000002-x,%20none'), ['TST-000002-X'])
  assert.deepEqual(await numbersOf(admin, 'ConsignmentNumbers=TST-000002-X,'), ['TST-000002-X'])
  for (const nothing of [
    'ConsignmentNumbers=',
    'ConsignmentNumbers=%20,%20',
    'ConsignmentNumbers=&ExternalId=&SearchText=',
  ])
    assert.equal((await numbersOf(admin, nothing)).length, 2, nothing)
  assert.deepEqual((await admin.get('/v1/consignments?PageIndex=3')).body, {
    index: 3,
    total: 2,
    consignments: [],
  })

  const ofClient = as(admin, { partnerId: world.clients[0] as string })
  assert.deepEqual(await numbersOf(ofClient, ''), ['TST-000001-X'])
  assert.deepEqual(await numbersOf(ofClient, `ClientId=${world.clients[1]}`), [])
  assert.deepEqual(await numbersOf(ofClient, 'SearchText=tst'), ['TST-000001-X'])
  const ofCarrier = as(admin, { partnerId: world.carriers[0] as string })
  assert.deepEqual(await numbersOf(ofCarrier, `ClientId=${world.clients[0]?.toUpperCase()}`), [
    'TST-000001-X',
  ])
  assert.equal((await (await stranger()).get('/v1/consignments')).body.total, 0)
})

test('a filter of the wrong type is refused by name', async () => {
  const { status, body } = await admin.get(
    '/v1/consignments?ClientId=x&Status=9&Type=3&EdiStatus=1&EdiStatus=x&DateFrom=yesterday',
  )
  assert.equal(status, 400)
  assert.deepEqual(body.ErrorMessages.toSorted(), [
    'ClientId must be a uuid.',
    'DateFrom must be a date in the form YYYY-MM-DD.',
    'EdiStatus[1] must be a whole number or null.',
    'Status must be one of -2 (Void), 0 (Complete), 1 (Pending), 2 (ReadyToPick), 3 (ReadyToDispatch), 4 (ReadyToReceive), 5 (InProgress), 6 (Closed), 7 (InTransit), 8 (Draft), -1 (Open).',
    'Type must be one of 0 (PointToPoint), 1 (Inwards), 2 (Outwards).',
  ])
})

test('a period that ends before it begins is refused in lists and counts, by the names of both filters', async () => {
  const refused = async (path: string, caller = admin) => {
    const { status, body } = await caller.get(path)
    return [status, body.ErrorMessages]
  }
  const entered = 'DateFrom=2026-03-02&DateTo=2026-03-01'
  const ends = [400, ['DateTo must not be before DateFrom.']]
  assert.deepEqual(await refused(`/v1/consignments?${entered}`), ends)
  assert.deepEqual(await refused(`/v1/consignments/counts?${entered}`), ends)
  assert.deepEqual(await refused(`/v1/schedule-transactions?${entered}`), ends)
  assert.deepEqual(
    await refused(
      '/v1/consignment-imports?ReceivedFrom=2026-03-01T10:00:00Z&ReceivedTo=2026-03-01T11:30:00%2B02:00',
    ),
    [400, ['ReceivedTo must not be before ReceivedFrom.']],
  )
  const day = 'DateFrom=2026-03-01&DateTo=2026-03-01'
  assert.equal((await admin.get(`/v1/consignments?${day}`)).status, 200, 'a period of one day')
})

test('a page far down the list has the same rows as in a full read, with any filters', async () => {
  const world = await openConsignments(database, await stranger())
  for (let seed = 1; seed <= 3; seed++)
    await world.add(fc.sample(arbitraryConsignment, { numRuns: 400, seed }))
  while (await foldConsignmentCounts(database)) {}
  // Rows that have not been folded yet count too.
  await world.add(fc.sample(arbitraryConsignment, { numRuns: 40, seed: 4 }))
  const { clients, carriers, warehouses } = world
  const lists: ConsignmentFilters[] = [
    {},
    { clientId: clients[0] },
    { carrierId: carriers[1] },
    { warehouseId: warehouses[0] },
    { type: 2 },
    { status: -1 },
    { clientId: clients[1], type: 1 },
    { clientId: clients.slice(0, 2) },
    { status: [1, 6] },
    { status: -1, type: [1, 2] },
    { clientId: clients[0], status: -1 },
    { clientId: clients.slice(0, 2), warehouseId: warehouses, type: [1, 2] },
  ]
  for (const filters of lists) {
    const { numbers, totals } = await world.readAllPages(filters, 37)
    const expected = await world.expected(filters)
    assert.deepEqual(numbers, expected, JSON.stringify(filters))
    assert.deepEqual([...totals], [expected.length], JSON.stringify(filters))
  }
})

test('a count of a period has each of its days, whatever days of the week it begins and ends on', async () => {
  const caller = await stranger()
  const world = await openConsignments(database, caller)
  await world.add(Array.from({ length: 31 }, (_, day) => ({ ...plainConsignment, day })))
  const counted = async (query: string) => (await caller.get(`/v1/consignments/counts?${query}`)).body.total
  const date = (day: number) => `2026-01-${String(day).padStart(2, '0')}`
  for (let first = 1; first <= 8; first++)
    for (const last of [first, first + 5, first + 6, first + 7, first + 20]) {
      const period = `DateFrom=${date(first)}&DateTo=${date(last)}`
      assert.equal(await counted(period), last - first + 1, period)
      assert.equal(await counted(`DateFrom=${date(last)}`), 32 - last, date(last))
      assert.equal(await counted(`DateTo=${date(last)}&ClientId=${world.clients[0]}`), last, date(last))
    }
})

test('a migration counts the weeks of the consignments that are there already', async () => {
  const caller = await stranger()
  const world = await openConsignments(database, caller)
  await world.add(fc.sample(arbitraryConsignment, { numRuns: 60, seed: 5 }))
  const migration = await readFile(
    new URL('../../migrations/041-weeks-of-cells.sql', import.meta.url),
    'utf8',
  )
  await database.atomically(async tx => {
    await tx.run(sql`delete from consignment_week_count where filter like 'cell %'`)
    for (const statement of migration.split(/(?<=;)\n/)) await tx.run(raw(statement))
  })
  assert.deepEqual(await recount(caller.actor.organisationId), [])
})

test('a decrement of a sum that another folder has locked is not lost', async () => {
  const caller = await stranger()
  const { organisationId } = caller.actor
  const world = await openConsignments(database, caller)
  const [first] = await world.add([plainConsignment, plainConsignment, plainConsignment])
  while (await foldConsignmentCounts(database)) {}
  await database.atomically(async tx => {
    await tx.rows(sql`
      select from consignment_count where organisation_id = ${organisationId} and is_folded for update`)
    await world.change(first as string, { status: 6 })
    await foldConsignmentCounts(database)
  })
  assert.deepEqual(await recount(organisationId), [])
  assert.equal((await caller.get('/v1/consignments?Status=1')).body.total, 2)
  while (await foldConsignmentCounts(database)) {}
  assert.equal((await caller.get('/v1/consignments?Status=1')).body.total, 2)
})

test('folding leaves one row for each combination, with the same sums', async () => {
  const caller = await stranger()
  const { organisationId } = caller.actor
  const world = await openConsignments(database, caller)
  const ids = (await Promise.all([1, 2, 3].map(() => world.add([plainConsignment, plainConsignment])))).flat()
  await Promise.all(ids.slice(0, 2).map(id => world.change(id, { status: 2 })))
  while (await foldConsignmentCounts(database)) {}
  const cells = await database.db.rows(sql`
    select status, n, is_folded from consignment_count where organisation_id = ${organisationId} and level = 0
      order by status`)
  assert.deepEqual(cells, [
    { status: 1, n: 4, isFolded: true },
    { status: 2, n: 2, isFolded: true },
  ])
  await Promise.all(ids.map(id => world.change(id, { status: 6 })))
  while (await foldConsignmentCounts(database)) {}
  assert.deepEqual(
    await database.db.rows(
      sql`select status, n from consignment_count where organisation_id = ${organisationId} and level = 2`,
    ),
    [{ status: 6, n: 6 }],
  )
  assert.equal((await caller.get('/v1/consignments?Status=-1')).body.total, 0)
})
