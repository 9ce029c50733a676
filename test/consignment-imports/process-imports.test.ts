import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newRoundRobin,
  processDueImports,
  startImports,
} from '../../src/consignment-imports/process-imports.ts'
import { raw, sql } from '../../src/platform/database/db.ts'
import { isDatabaseUnavailable } from '../../src/platform/database/errors.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { contextIn, line, openImports, setUp } from '../support/given-imports.ts'
import { until } from '../support/service-process.ts'

const given = await openImports()
const { world, context, drain, post, read, imported, row, events } = given
const { admin, database } = world
const make = async (path: string, body: object) => assert.equal((await admin.post(path, body)).status, 201)
const product = (body: object) =>
  make(`/v1/partners/${given.clientId}/products`, { name: 'Product', ...body })

/** The reasons of a waiting import, as kind, code and path. */
async function importAndReadReasons(more: object) {
  const { status, reasons } = await read(await imported(more))
  assert.equal(status, 2)
  return reasons as { kind: string; code: string | null; message: string; path: string | null }[]
}

test('every kind of wrong code is a reason, all of them together, each once with its first path', async () => {
  const reasons = await importAndReadReasons({
    ...{
      carrierCode: 'NOCA',
      warehouseCode: 'NOWA',
      loadShippingPortCode: 'XXXXX',
      dischargeShippingPortCode: 'xxxxx',
    },
    ...{ serviceTypeCodes: ['EXP', 'NOSE'], tasks: [{ taskTypeCode: 'NOTA', value: 1 }] },
    products: [line(), line({ productCode: 'NOPR', packageTypeCode: 'NOPA' }), line({ productCode: 'NOPR' })],
  })
  assert.deepEqual(
    reasons.map(({ kind, code, path }) => [kind, code, path]),
    [
      ['carrier', 'NOCA', 'carrierCode'],
      ['warehouse', 'NOWA', 'warehouseCode'],
      ['product', 'NOPR', 'products[1].productCode'],
      ['packageType', 'NOPA', 'products[1].packageTypeCode'],
      ['serviceType', 'NOSE', 'serviceTypeCodes[1]'],
      ['taskType', 'NOTA', 'tasks[0].taskTypeCode'],
      ['shippingPort', 'XXXXX', 'loadShippingPortCode'],
      ['shippingPort', 'xxxxx', 'dischargeShippingPortCode'],
    ],
  )
  assert.equal(reasons[0]?.message, 'There is no carrier with the code NOCA.')
})

test("a carrier code that is longer than any carrier's waits like any other unknown code", async () => {
  for (const carrierCode of ['SW', 'SWIFT']) {
    assert.deepEqual(await importAndReadReasons({ carrierCode }), [
      {
        kind: 'carrier',
        code: carrierCode,
        message: `There is no carrier with the code ${carrierCode}.`,
        path: 'carrierCode',
      },
    ])
  }
})

test('an import for an unknown client has no reasons about its products', async () => {
  assert.deepEqual(
    await importAndReadReasons({ clientCode: 'NOCL', products: [line({ productCode: 'NOPR' })] }),
    [{ kind: 'client', code: 'NOCL', message: 'There is no client with the code NOCL.', path: 'clientCode' }],
  )
})

test('a partner of the wrong relationship and an inactive record are reasons', async () => {
  await make('/v1/partners', { name: 'Gone', code: 'GONE', relationship: 1, status: 1 })
  await product({ code: 'OLD', status: 2 })
  const messages = async (more: object) => (await importAndReadReasons(more)).map(({ message }) => message)
  assert.deepEqual(await messages({ clientCode: 'SWF' }), ['The partner SWF is a carrier, not a client.'])
  assert.deepEqual(await messages({ clientCode: 'GONE' }), ['The client GONE is inactive.'])
  assert.deepEqual(await messages({ products: [line({ productCode: 'old' })] }), [
    'The product old is inactive.',
  ])
  await make('/v1/partners', { name: 'Short', code: 'SHRT', relationship: 1 })
  assert.deepEqual(await messages({ carrierCode: 'SHRT' }), ['The partner SHRT is a client, not a carrier.'])
})

test('codes match without regard to case', async () => {
  const id = await imported({
    clientCode: 'kauri',
    carrierCode: 'swf',
    warehouseCode: 'akl',
    products: [line({ productCode: 'apple', packageTypeCode: 'box' })],
  })
  const { clientId, carrierId, warehouseId } = await row(id)
  assert.deepEqual([clientId, carrierId, warehouseId], [given.clientId, given.carrierId, given.warehouseId])
})

test('an import with serials waits if the product takes none or captures them at picking', async () => {
  await product({ code: 'PHONE', serialTrackingMode: 2 })
  await product({ code: 'CABLE', serialTrackingMode: 3 })
  const serials = [
    { serial: 'S1', quantity: 1 },
    { serial: 'S2', quantity: 1 },
  ]
  assert.equal(
    (await read(await imported({ products: [line({ productCode: 'PHONE', items: serials })] }))).status,
    3,
  )
  const reasons = await importAndReadReasons({
    products: [line({ items: serials }), line({ productCode: 'CABLE', items: serials })],
  })
  assert.deepEqual(
    reasons.map(({ kind, code, path }) => [kind, code, path]),
    [
      ['serial', 'APPLE', 'products[0].items'],
      ['serial', 'CABLE', 'products[1].items'],
    ],
  )
})

test('batch and dates are required by the product, or by its client if the product leaves it open', async () => {
  await make('/v1/partners', {
    name: 'Strict',
    code: 'STRICT',
    relationship: 1,
    productBatchUsage: 3,
    productSellByDateUsage: 3,
  })
  const { partners } = (await admin.get('/v1/partners?SearchText=strict')).body
  const path = `/v1/partners/${partners[0].id}/products`
  await make(path, { code: 'CAKE', name: 'Cake', expiryUsage: 3, sellByDateUsage: 2 })
  const cake = (more: object = {}) => ({
    clientCode: 'STRICT',
    products: [line({ productCode: 'CAKE', ...more })],
  })
  assert.deepEqual(
    (await importAndReadReasons(cake())).map(({ kind, path, message }) => [kind, path, message]),
    [
      ['attribute', 'products[0].batch', 'The product CAKE needs a batch.'],
      ['attribute', 'products[0].expiryDate', 'The product CAKE needs an expiry date.'],
    ],
  )
  assert.equal((await read(await imported(cake({ batch: 'B', expiryDate: '2027-01-01' })))).status, 3)
  assert.equal(
    (await read(await imported({ ...cake(), consignmentType: 2 }))).status,
    3,
    'outwards, rotation chooses',
  )
})

test('without a warehouse code the only active warehouse is used', async () => {
  const other = await world.stranger()
  const { warehouseId } = await setUp(other)
  const id = await post({ warehouseCode: null }, other)
  await drain()
  assert.equal((await row(id)).warehouseId, warehouseId)
  assert.equal(
    (await other.post('/v1/warehouses', { name: 'Two', code: 'TWO', timezoneId: 'UTC' })).status,
    201,
  )
  const second = await post({ warehouseCode: null }, other)
  await drain()
  const [reason] = (await read(second, other)).reasons
  assert.deepEqual([reason.kind, reason.code], ['warehouse', null])
  assert.equal(
    reason.message,
    'The import does not name a warehouse, and the organisation has more than one active warehouse.',
  )
})

test('point-to-point goods need neither a warehouse nor a catalogue', async () => {
  const id = await imported({
    consignmentType: 0,
    warehouseCode: null,
    products: [line({ productCode: 'PIANO' }), line({ items: [{ serial: 'S', quantity: 1 }] })],
  })
  const consignment = await row(id)
  assert.match(consignment.consignmentNumber, /^T[A-Z]{2}-\d{6}-P2P$/)
  assert.equal(consignment.warehouseId, null)
  const lines = await database.db.rows<{ productId: string | null; productCode: string }>(sql`
    select product_id, product_code from consignment_product where consignment_id = ${id} order by ordinal`)
  assert.deepEqual(
    lines.map(({ productId, productCode }) => [productId !== null, productCode]),
    [
      [false, 'PIANO'],
      [true, 'APPLE'],
    ],
  )
})

test('times are wall-clock times of the warehouse, across its change of clocks', async () => {
  await make('/v1/warehouses', { name: 'Sydney', code: 'SYD', timezoneId: 'Australia/Sydney' })
  const id = await imported({
    warehouseCode: 'SYD',
    enteredDate: '2026-04-04T15:30:00Z',
    expectedArrivalDateTime: '2026-04-04T15:30:00+00:00',
    expectedDispatchDateTime: '2026-04-04T16:30:00+00:00',
    expectedDeliveryDateTime: '2026-04-05',
    products: [
      line({ expiryDate: '2027-01-01T00:00:00+11:00', bestBeforeDate: '2027-01-01T00:00:00-01:00' }),
    ],
  })
  const { dateEntered, expectedArrivalDateTime, expectedDispatchDateTime, expectedDeliveryDateTime } =
    await row(id)
  assert.deepEqual(
    [dateEntered, expectedArrivalDateTime, expectedDispatchDateTime, expectedDeliveryDateTime],
    // Clocks go back at 16:00 UTC, so the hour from two to three occurs twice.
    ['2026-04-04T15:30:00Z', '2026-04-05T02:30:00Z', '2026-04-05T02:30:00Z', '2026-04-05T00:00:00Z'],
  )
  const [stored] = await database.db.rows<{ expiryDate: string; bestBeforeDate: string }>(sql`
    select expiry_date, best_before_date from consignment_product where consignment_id = ${id}`)
  assert.deepEqual(stored, { expiryDate: '2027-01-01T00:00:00Z', bestBeforeDate: '2027-01-01T12:00:00Z' })
})

test('the entry date is the current time in the warehouse, or else in the organisation', async () => {
  const now = (zone: string) => sql`select (now() at time zone ${zone})::timestamp(0) as at`
  const near = async (text: string, zone: string) => {
    const { at } = await database.db.row<{ at: string }>(now(zone))
    assert.ok(Math.abs(Date.parse(at) - Date.parse(text)) < 60_000, `${text} is not ${at}`)
  }
  await near((await row(await imported({ warehouseCode: 'SYD' }))).dateEntered, 'Australia/Sydney')
  await near(
    (await row(await imported({ consignmentType: 0, warehouseCode: null }))).dateEntered,
    'Pacific/Auckland',
  )
})

test('an import that fails repeatedly waits for a user, long after the rest of its batch became consignments', async () => {
  await database.atomically(tx =>
    tx.run(sql`create function refuse_poison() returns trigger language plpgsql as
      $$begin if new.reference_number = 'POISON' then raise exception 'no'; end if; return new; end$$`),
  )
  await database.atomically(tx =>
    tx.run(
      sql`create trigger poison before insert on consignment for each row execute function refuse_poison()`,
    ),
  )
  const before = await Promise.all(Array.from({ length: 20 }, () => post()))
  const poison = await post({ referenceNumber: 'POISON' })
  const after = await Promise.all(Array.from({ length: 20 }, () => post()))
  await drain()
  for (const id of [...before, ...after]) assert.equal(await given.exists(id), 201)
  assert.equal((await read(poison)).status, 1, 'it will be retried')
  for (let attempt = 2; attempt <= 3; attempt++) {
    await database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = now() where id = ${poison}`),
    )
    await drain()
  }
  const { status, reasons } = await read(poison)
  assert.equal(status, 2)
  assert.deepEqual(
    reasons.map(({ kind, message }: { kind: string; message: string }) => [kind, message]),
    [
      [
        'processing',
        'The import could not be processed: an unexpected error (P0001), which the log of the service describes.',
      ],
    ],
  )
  assert.deepEqual(await events(poison), [110])
  const again = await admin.put(`/v1/consignment-imports/${poison}/reconcile`)
  assert.equal(again.status, 400, 'a user gets the same message')
  await database.atomically(tx => tx.run(sql`drop trigger poison on consignment`))
  assert.equal((await admin.put(`/v1/consignment-imports/${poison}/reconcile`)).status, 200)
  assert.deepEqual(await events(poison), [110, 101, 111])
})

test('a weight that is too large for its column leaves the import waiting', async () => {
  await product({ code: 'MOON', weightKG: 99_999_999_999 })
  const id = await imported({
    products: [line({ productCode: 'MOON', items: [{ quantity: 99_999_999_999 }] })],
  })
  for (let attempt = 2; attempt <= 3; attempt++) {
    await database.atomically(tx =>
      tx.run(sql`update consignment_import set due_utc = now() where id = ${id}`),
    )
    await drain()
  }
  assert.equal(
    (await read(id)).reasons[0].message,
    'The import could not be processed: a quantity, weight or volume is too large.',
  )
})

test('a database outage does not count as an attempt', async () => {
  await database.atomically(tx =>
    tx.run(sql`create function go_away() returns trigger language plpgsql as
      $$begin perform pg_terminate_backend(pg_backend_pid()); return new; end$$`),
  )
  await database.atomically(tx =>
    tx.run(sql`create trigger away before insert on consignment for each row execute function go_away()`),
  )
  const id = await post()
  await assert.rejects(processDueImports(context), isDatabaseUnavailable)
  await database.atomically(tx => tx.run(sql`drop trigger away on consignment`))
  const { attempts, status } = await database.db.row<{ attempts: number; status: number }>(sql`
    select attempts, status from consignment_import where id = ${id}`)
  assert.deepEqual([attempts, status], [0, 1])
  await drain()
  assert.equal(await given.exists(id), 201)
})

test('if a worker dies in the middle of a batch, another creates each consignment once', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, () => post()))
  const dying = openDatabase({ connection: { connectionString: world.databaseUrl }, poolSize: 2 })
  await assert.rejects(
    dying.atomically(async tx => {
      await tx.rows(sql`select id from consignment_import where due_utc is not null for update`)
      assert.equal(await processDueImports(context), false, 'locked imports are skipped')
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
    }),
  )
  await dying.close()
  await drain()
  const { n } = await database.db.row<{ n: number }>(
    sql`select count(*) as n from consignment where id = any (${ids}::uuid[])`,
  )
  assert.equal(n, 30)
})

test('two workers process one queue together, and nothing is done twice', async () => {
  const ids = await Promise.all(
    Array.from({ length: 240 }, (_, i) => post(i % 30 === 0 ? { carrierCode: 'NONE' } : {})),
  )
  const others = [1, 2].map(() =>
    openDatabase({ connection: { connectionString: world.databaseUrl }, poolSize: 4 }),
  )
  const done = await Promise.all(
    others.map(async other => {
      let batches = 0
      while (await processDueImports(contextIn(world, other))) batches++
      await other.close()
      return batches
    }),
  )
  assert.ok(
    done.every(batches => batches > 0),
    `batches: ${done}`,
  )
  await drain()
  const found = await database.db.row<{
    consignments: number
    waiting: number
    created: number
    started: number
    numbers: number
  }>(sql`select
    (select count(*) from consignment where id = any (${ids}::uuid[])) as consignments,
    (select count(*) from consignment_import where id = any (${ids}::uuid[]) and status = 2) as waiting,
    (select count(*) from event where subject_id = any (${ids}::uuid[]) and type = 101) as created,
    (select count(*) from event where subject_id = any (${ids}::uuid[]) and type = 110) as started,
    (select count(distinct number) from consignment where id = any (${ids}::uuid[])) as numbers`)
  assert.deepEqual(found, { consignments: 232, waiting: 8, created: 232, started: 8, numbers: 232 })
})

test('a few large imports do not make one large batch', async () => {
  const large = { notes: Array.from({ length: 700 }, () => ({ note: 'x'.repeat(4_000) })) }
  const ids = [await post(large), await post(large), await post(large)]
  assert.ok(await processDueImports(context))
  const { n } = await database.db.row<{ n: number }>(
    sql`select count(*) as n from consignment where id = any (${ids}::uuid[])`,
  )
  assert.ok(n > 0 && n < ids.length, `${n} of ${ids.length} in the first batch`)
  await drain()
})

/** Another organisation, with imports that are processed after those of the first. */
async function openOtherOrganisation() {
  const other = await world.stranger()
  await setUp(other)
  assert.ok(other.actor.organisationId > admin.actor.organisationId)
  return other
}

test('an organisation with locked records does not take the turn of the next', async () => {
  const other = await openOtherOrganisation()
  const held = await post()
  const quick = await post({}, other)
  await database.atomically(async tx => {
    await tx.run(sql`select from organisation where id = ${admin.actor.organisationId} for update`)
    await assert.rejects(processDueImports(context), { code: '55P03' })
    assert.deepEqual([await given.exists(held), await given.exists(quick, other)], [202, 201])
  })
  await drain()
  assert.equal(await given.exists(held), 201)
})

test('an organisation with slow imports does not hold up the others', {
  timeout: 300_000,
}, async () => {
  const other = await openOtherOrganisation()
  await database.atomically(tx => tx.run(sql`create table go_on (at timestamptz)`))
  await database.atomically(tx =>
    tx.run(sql`create function take_long() returns trigger language plpgsql as
      $$begin while not exists (select from go_on) loop perform pg_sleep(0.01); end loop; return new; end$$`),
  )
  await database.atomically(tx =>
    tx.run(
      raw(`create trigger take_long before insert on consignment for each row
      when (new.organisation_id = '${admin.actor.organisationId}') execute function take_long()`),
    ),
  )
  const slow = await post()
  const quick = await post({}, other)
  const imports = startImports(context, 10)
  try {
    await until(async () => (await given.exists(quick, other)) === 201, 'The neighbour was held up.')
    assert.equal(await given.exists(slow), 202)
    await database.atomically(tx => tx.run(sql`insert into go_on values (now())`))
    await until(async () => (await given.exists(slow)) === 201, 'The slow import was not processed.')
  } finally {
    await imports.stop()
    await database.atomically(tx => tx.run(sql`drop trigger take_long on consignment`))
  }
})

test('an organisation has one batch in progress at a time, because a second would only wait for the first', async () => {
  const id = await post()
  const rounds = newRoundRobin()
  rounds.busyOrganisations.add(admin.actor.organisationId)
  assert.equal(await processDueImports(context, undefined, rounds), false)
  assert.equal(await given.exists(id), 202)
  rounds.busyOrganisations.clear()
  assert.equal(await processDueImports(context, undefined, rounds), true)
  assert.equal(await given.exists(id), 201)
  assert.equal(rounds.busyOrganisations.size, 0)
})

test('with many organisations due, each call serves some and the next one continues after them', async () => {
  const id = await post()
  await database.atomically(tx =>
    tx.run(sql`
      insert into consignment_import (organisation_id, id, identity_connection_id, user_id, request, due_utc)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(),
        gen_random_uuid(), gen_random_uuid(), '{}', now() + interval '1 hour'
      from generate_series(1, 250) n`),
  )
  const rounds = newRoundRobin()
  const places: string[] = []
  for (let look = 0; look < 3; look++) {
    assert.equal(await given.exists(id), 202)
    assert.equal(await processDueImports(context, undefined, rounds), true)
    places.push(rounds.after.slice(-3))
  }
  assert.deepEqual(places, ['100', '200', '000'])
  assert.equal(await given.exists(id), 201)
  await database.atomically(tx =>
    tx.run(
      sql`delete from consignment_import where organisation_id < '00000000-0000-7000-8000-000000000999'`,
    ),
  )
})
