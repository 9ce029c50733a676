// Stock as it was, compared with the sum of the whole ledger: with late lines, before, between and after
// checkpoints, and during concurrent writes. Spec 2.14, 4.13.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { safeAsOf } from '../../../src/stock/as-of/as-of.ts'
import { writeCheckpoint, writeDueCheckpoints } from '../../../src/stock/as-of/checkpoints.ts'
import { post } from '../../../src/stock/ledger/post.ts'
import { lockStock } from '../../../src/stock/ledger/stock-lock.ts'
import { createUnits } from '../../../src/stock/logistic-units/unit-references.ts'
import { TransactionType } from '../../../src/vocabulary/stock.ts'
import { of, openStock } from '../../support/given-stock.ts'
import { until } from '../../support/service-process.ts'

const world = await openStock()
const { admin, database, products, locations, clientId, warehouseId, identity, source, posted, stored } =
  world
const { organisationId } = admin.actor
const { Adjustment, Transfer } = TransactionType

/** Waits until the clock shows a later millisecond, and another one, so that instants can lie between. */
async function untilLater(): Promise<void> {
  const now = Date.now()
  while (Date.now() < now + 3) await new Promise(resolve => setImmediate(resolve))
}

const iso = (at: number) => new Date(at).toISOString()
const day = 86_400_000

interface Line {
  id: string
  quantity: number
  weight: number
  volume: number
  effective: number
  recorded: number
  productId: string
}

/** Every line of the ledger. Times are in ms, rounded up, so that an instant of the API can be compared. */
const readLedger = async (): Promise<Line[]> =>
  database.db.rows(sql`
    select t.warehouse_product_id as id, t.quantity, t.weight_kg as weight, t.volume_m3 as volume, p.product_id,
      ceil(extract(epoch from t.effective_utc) * 1000)::float8 as effective,
      ceil(extract(epoch from t.recorded_utc) * 1000)::float8 as recorded
    from inventory_transaction t join warehouse_product p on p.id = t.warehouse_product_id`)

/** The balances of rows as the plain sum of all lines. Weight in 0.0001 kg, volume in 0.000001 m³. */
function sumLines(lines: Line[], asOf: number, knownAt: number, includeDepleted: boolean) {
  const rows = new Map<string, { onHand: number; weight: number; volume: number }>()
  for (const { id, quantity, weight, volume, effective, recorded } of lines) {
    if (effective > asOf || recorded > knownAt) continue
    const row = rows.get(id) ?? { onHand: 0, weight: 0, volume: 0 }
    rows.set(id, { onHand: row.onHand + quantity, weight: row.weight + weight, volume: row.volume + volume })
  }
  return [...rows]
    .filter(([, { onHand }]) => includeDepleted || onHand !== 0)
    .map(([id, { onHand, weight, volume }]) => [
      id,
      onHand,
      Math.round(weight * 1e4) + 0,
      Math.round(volume * 1e6) + 0,
    ])
    .toSorted()
}

type Product = Record<string, number> & { warehouseProductId: string }

/** The balances of rows in the list of stock, in the units of `sumLines`. */
async function readBalances(asOf: number, knownAt: number, filters = '') {
  const { status, body } = await admin.get(
    `/v1/inventory?PageSize=500&AsOfUtc=${iso(asOf)}&KnownAtUtc=${iso(knownAt)}${filters}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.inventory.length)
  return (body.inventory as { products: Product[] }[])
    .flatMap(({ products: rows }) => rows)
    .map(row => [
      row.warehouseProductId,
      row.onHandQuantity,
      Math.round((row.onHandWeightKG as number) * 1e4),
      Math.round((row.onHandVolumeM3 as number) * 1e6),
    ])
    .toSorted()
}

test('stock as of any instant, as known at any other, equals the sum of the ledger', async () => {
  const random = (n: number) => Math.floor(Math.random() * n)
  const rows: { id: string; onHand: number; productId: string }[] = []
  const unit = (
    await database.atomically(tx =>
      createUnits(tx, { organisationId }, [
        { unit: { isNew: true }, partnerId: clientId, warehouseId, warehouseLocationId: locations.A1 },
      ]),
    )
  )[0] as string
  const started = Date.now()
  const instants = [started - 31 * day]
  for (let n = 0; n < 120; n++) {
    const occurredUtc = random(3) === 0 ? null : iso(Date.now() - random(30 * day))
    const row = rows[random(rows.length)]
    if (row === undefined || rows.length < 8) {
      const productId = rows.length % 2 === 0 ? products.APPLE : products.PEAR
      const onUnit = rows.length < 3 ? { logisticUnitId: unit } : {}
      const id = await stored(
        10,
        { productId, batch: `B${n}`, ...onUnit },
        { occurredUtc, weightKG: 7, volumeM3: 0.3 },
      )
      rows.push({ id, onHand: 10, productId })
    } else if (random(2) === 0 && row.onHand > 0) {
      const quantity = random(3) === 0 ? row.onHand : 1 + random(row.onHand)
      const to = rows.find(other => other.productId === row.productId && other !== row)
      row.onHand -= quantity
      if (to !== undefined) to.onHand += quantity
      const move = { movementId: newId(), type: to ? Transfer : Adjustment, from: row.id, to: to?.id ?? null }
      await posted([{ ...move, quantity: of(quantity), occurredUtc }])
    } else {
      row.onHand += 2
      const move = { movementId: newId(), type: Adjustment, from: null, to: row.id }
      await posted([{ ...move, quantity: of(2), occurredUtc, weightKG: 1, volumeM3: 0.000001 }])
    }
    if (n % 30 === 20) instants.push(Math.ceil(Date.parse(await writeCheckpoint(database, organisationId))))
    if (n % 7 === 0) {
      await untilLater()
      instants.push(Date.now() - 1)
    }
  }
  await untilLater()
  const now = Date.now() - 1
  const lines = await readLedger()
  const times = [
    ...instants,
    ...lines.map(({ effective }) => effective),
    ...lines.map(({ recorded }) => recorded),
    now,
  ]
  const within = (at: number) => Math.min(now, at + random(3) - 1)
  for (let n = 0; n < 150; n++) {
    const asOf = within(times[random(times.length)] as number)
    const knownAt = n % 3 === 0 ? now : within(instants[random(instants.length)] as number)
    const moment = `as of ${iso(asOf)}, known at ${iso(knownAt)}`
    assert.deepEqual(await readBalances(asOf, knownAt), sumLines(lines, asOf, knownAt, false), moment)
    const depleted = await readBalances(asOf, knownAt, '&IncludeDepleted=true')
    assert.deepEqual(depleted, sumLines(lines, asOf, knownAt, true), moment)
    const pears = await readBalances(asOf, knownAt, `&PartnerProductId=${products.PEAR}`)
    const ofPears = lines.filter(({ productId }) => productId === products.PEAR)
    assert.deepEqual(pears, sumLines(ofPears, asOf, knownAt, false), moment)
  }
})

test('the nearest checkpoint serves, also one that is later, if all that is in it was known by then', async () => {
  const at = Date.parse(await writeCheckpoint(database, organisationId))
  await untilLater()
  const now = iso(Date.now())
  const isLater = async (asOf: string, knownAt: string) =>
    (await safeAsOf(database.db, organisationId, { asOf, knownAt })).checkpoint?.isLater
  assert.equal(await isLater(iso(at - 1), now), true)
  assert.equal(await isLater(iso(at + 1), now), false)
  assert.notEqual(await isLater(iso(at - 1), iso(at - 1)), true)
})

test('a past unit has the sums of everything that was on it, and its serials are counted', async () => {
  const [unit] = await database.atomically(tx =>
    createUnits(tx, { organisationId }, [
      { unit: { isNew: true }, partnerId: clientId, warehouseId, warehouseLocationId: locations.A2 },
    ]),
  )
  const place = { logisticUnitId: unit as string, warehouseLocationId: locations.A2 }
  const occurredUtc = iso(Date.now() - day)
  const scales = await stored(
    2,
    { ...place, productId: products.SCALE },
    { occurredUtc, newSerials: [{ serial: 'T1' }, { serial: 'T2' }] },
  )
  await stored(5, place, { occurredUtc })
  const before = Date.now()
  await untilLater()
  const [item] = await database.db.rows<{ id: string }>(sql`select id from warehouse_product_item
    where warehouse_product_id = ${scales} order by serial`)
  const removal = { movementId: newId(), type: Adjustment, from: scales, to: null, quantity: of(1) }
  await posted([{ ...removal, items: [item?.id as string] }])
  const query = `/v1/inventory?LogisticUnitId=${unit}&PartnerProductId=${products.SCALE}`
  const sums = async (more: string) => {
    const { body } = await admin.get(query + more)
    const [{ logisticUnit, products: rows }] = body.inventory
    return [body.total, logisticUnit.onHandQuantity, rows.length, rows[0].onHandQuantity, rows[0].itemCount]
  }
  assert.deepEqual(await sums(`&AsOfUtc=${iso(before)}`), [1, 7, 1, 2, 2])
  assert.deepEqual(await sums(''), [1, 6, 1, 1, 1])
})

test('what was available does not change when its location becomes one of quarantine later, or is one no more', async () => {
  const path = `/v1/warehouses/${warehouseId}/locations`
  const { warehouseLocationId } = (await admin.post(path, { name: 'TYPED', type: 1 })).body
  const id = await stored(7, { warehouseLocationId }, { occurredUtc: iso(Date.now() - day) })
  const retype = async (type: number) =>
    assert.equal((await admin.put(`${path}/${warehouseLocationId}`, { type })).status, 200)
  const pauseAt = async () => {
    await untilLater()
    const at = Date.now()
    await untilLater()
    return iso(at)
  }
  const racking = await pauseAt()
  await retype(3)
  const quarantine = await pauseAt()
  await retype(2)
  const filter = { warehouseLocationId }
  const listed = async (asOf?: string, knownAt?: string) => {
    const query = `${asOf ? `&AsOfUtc=${asOf}` : ''}${knownAt ? `&KnownAtUtc=${knownAt}` : ''}`
    const { body } = await admin.get(`/v1/inventory?WarehouseLocationId=${warehouseLocationId}${query}`)
    const [row] = body.inventory[0].products
    assert.equal(row.warehouseProductId, id)
    const times = { ...(asOf ? { asOfUtc: asOf } : {}), ...(knownAt ? { knownAtUtc: knownAt } : {}) }
    const report = await admin.post('/v1/reports/stock-position', { ...filter, ...times })
    assert.equal(report.body[0].availableQuantity, row.availableQuantity)
    return [row.availableQuantity, row.isQuarantined]
  }
  assert.deepEqual(await listed(racking, racking), [7, false])
  assert.deepEqual(await listed(racking), [7, false])
  assert.deepEqual(await listed(undefined, racking), [7, false])
  assert.deepEqual(await listed(quarantine, quarantine), [0, true])
  assert.deepEqual(await listed(), [7, false])
})

test('an instant in the future is refused', async () => {
  for (const name of ['AsOfUtc', 'KnownAtUtc']) {
    const { status, body } = await admin.get(`/v1/inventory?${name}=${iso(Date.now() + 60_000)}`)
    assert.equal(status, 400)
    assert.deepEqual(body.ErrorMessages, [`${name} must not be in the future.`])
  }
})

/** Waits until a query has looked twice whether a transaction is still writing. */
async function untilLookedTwice(): Promise<void> {
  const looks = new Set<string>()
  await until(async () => {
    const seen = await database.db.rows<{ at: string }>(sql`
      select query_start::text as at from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%as is_changing%'`)
    for (const { at } of seen) looks.add(at)
    return looks.size >= 2
  }, 'It does not wait.')
}

/** Adds to a row in a transaction that stays open until the returned function is called. */
async function addInOpenTransaction(id: string) {
  const commit = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const transaction = database.atomically(async tx => {
    const locked = await lockStock(tx, organisationId, [identity()])
    const move = { movementId: newId(), type: Adjustment, from: null, to: id, quantity: of(1) }
    await post(tx, locked, source, [move])
    written.resolve()
    await commit.promise
  })
  await written.promise
  return async () => {
    commit.resolve()
    await transaction
  }
}

test('a query waits for a transaction that wrote before the instant and commits after it', async () => {
  const id = await stored(1, { batch: 'WAIT' })
  const commit = await addInOpenTransaction(id)
  await untilLater()
  const now = Date.now() - 1
  const answer = readBalances(now, now, '&Batch=WAIT')
  await untilLookedTwice()
  await commit()
  assert.deepEqual((await answer)[0]?.[1], 2)
})

test('while a transaction stays open, the instant gets 503 and an earlier one a response', async () => {
  const id = await stored(1, { batch: 'STUCK' })
  await untilLater()
  const before = Date.now() - 1
  await untilLater()
  const commit = await addInOpenTransaction(id)
  await untilLater()
  const { status, headers } = await admin.get(`/v1/inventory?Batch=STUCK&AsOfUtc=${iso(Date.now() - 1)}`)
  assert.equal(status, 503)
  assert.ok(headers['retry-after'])
  assert.equal((await readBalances(before, before, '&Batch=STUCK'))[0]?.[1], 1)
  assert.equal(await writeDueCheckpoints(database, 1), 0, 'its checkpoint is left for the next time')
  await commit()
  assert.equal(await writeDueCheckpoints(database, 1), 1)
})

test('an organisation whose checkpoint fails does not keep the others from theirs', async () => {
  const to = await stored(1, { batch: 'FAILS' })
  const add = () => ({ movementId: newId(), type: Adjustment, from: null, to, quantity: of(1) })
  await posted(Array.from({ length: 100 }, add))
  const tooLong = new Error('canceling statement due to statement timeout')
  const failing = { ...database, atomically: () => Promise.reject(tooLong) }
  const failures: unknown[] = []
  const tell = (...failure: unknown[]) => void failures.push(failure)
  assert.equal(await writeDueCheckpoints(failing, 1, tell), 0)
  assert.deepEqual(failures, [[organisationId, tooLong]])
  assert.equal(await writeDueCheckpoints(database, 1), 1)
})

test('a query about one instant always gets the same response during concurrent writes', async () => {
  const ids = [
    await stored(1, { batch: 'W1' }),
    await stored(1, { batch: 'W2' }),
    await stored(1, { batch: 'W3' }),
  ]
  let isOver = false
  const writers = ids.map(async id => {
    while (!isOver)
      await posted([{ movementId: newId(), type: Adjustment, from: null, to: id, quantity: of(1) }])
  })
  const responses: [number, unknown][] = []
  for (let n = 0; n < 15; n++) {
    await untilLater()
    const now = Date.now() - 1
    responses.push([now, await readBalances(now, now)])
    if (n === 7) await writeCheckpoint(database, organisationId)
  }
  isOver = true
  await Promise.all(writers)
  for (const [at, first] of responses) assert.deepEqual(await readBalances(at, at), first)
})

test('a checkpoint is due after two lines for every three rows, and not before the minimum', async () => {
  await writeCheckpoint(database, organisationId)
  assert.equal(await writeDueCheckpoints(database, 3), 0)
  const { rows } = await database.db.row<{ rows: number }>(sql`
    select count(*) as rows from inventory_checkpoint_row where effective_utc = (
      select max(effective_utc) from inventory_checkpoint)`)
  const id = await stored(1, { batch: 'GROWTH' })
  for (let n = 2; n < Math.floor((rows * 2) / 3); n++)
    await posted([{ movementId: newId(), type: Adjustment, from: null, to: id, quantity: of(1) }])
  assert.equal(await writeDueCheckpoints(database, 3), 0)
  await posted([{ movementId: newId(), type: Adjustment, from: null, to: id, quantity: of(1) }])
  assert.equal(await writeDueCheckpoints(database, 1_000), 0)
  assert.equal(await writeDueCheckpoints(database, 3), 1)
})
