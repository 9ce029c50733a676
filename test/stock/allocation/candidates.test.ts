// Finding candidates in the database: those that the rules allow, in rotation order and in whole groups. Spec
// 2.11.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/platform/database/db.ts'
import { newId } from '../../../src/platform/new-id.ts'
import { compareGroups } from '../../../src/stock/allocation/allocation.ts'
import { findCandidates } from '../../../src/stock/allocation/candidates.ts'
import { type OutboundLine, readOutboundLines } from '../../../src/stock/allocation/outbound-lines.ts'
import { countMetPreferences, unsuitableReason } from '../../../src/stock/allocation/substitution.ts'
import type { StockIdentity } from '../../../src/stock/ledger/stock-identity.ts'
import { openAllocation } from '../../support/given-allocation.ts'
import fc from '../../support/properties.ts'

const world = await openAllocation()
const { admin, database, organisationId, stored, ready, allocated, made, fresh, unit, identity } = world
const db = database.db

const attributes = await Promise.all(['Colour', 'Size'].map(name => made('/v1/product-attributes', { name })))
const units = [await unit('P-1'), await unit('P-2')]
const of = await fresh()

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })
// Days around today.
const day = fc.constantFrom(-40, -1, 0, 1, 5, 40).map(days => {
  const at = new Date(Date.now() + days * 86_400_000 + 12 * 3_600_000)
  return at.toISOString().slice(0, 10)
})
const batch = fc.constantFrom('a1', 'A1', 'B2', '\u{1F34E}', '\uFF21')
const dates = {
  bestBeforeDate: maybe(day),
  expiryDate: maybe(day),
  packagingDate: maybe(day),
  productionDate: maybe(day),
  sellByDate: maybe(day),
}
const described = fc.record({
  ...dates,
  batch: maybe(batch),
  receivedDate: fc.constantFrom('2026-01-01', '2026-01-02'),
  logisticUnitId: maybe(fc.constantFrom(...units)),
  attributes: fc
    .subarray(attributes.toSorted())
    .chain(ids =>
      fc.tuple(
        ...ids.map(productAttributeId =>
          fc.constantFrom('Red', 'L', null).map(description => ({ productAttributeId, description })),
        ),
      ),
    ),
})
const substitution = fc.constantFrom(1 as const, 2 as const)
const days = maybe(fc.constantFrom(0, 5, 30))
const method = fc.integer({ min: 0, max: 13 })
const criteria = fc.record({
  ...dates,
  batch: maybe(batch),
  criticalStockStatus: maybe(fc.constantFrom(1, 2)),
  unit: maybe(fc.constantFrom(0, 1, 2)),
  attributes: maybe(
    fc.record({
      name: fc.constantFrom('Colour', 'size', 'Weight'),
      description: fc.constantFrom('red', 'L', null),
    }),
  ),
  rotationMethod: method,
  rotationMethodSecondary: method,
  stockDepletionMethod: substitution,
  substitutions: fc.record({
    batch: substitution,
    bestBeforeDate: substitution,
    expiryDate: substitution,
    packagingDate: substitution,
    productionDate: substitution,
    sellByDate: substitution,
  }),
  criticalDays: fc.record({
    bestBeforeDate: days,
    expiryDate: days,
    packagingDate: days,
    productionDate: days,
    sellByDate: days,
  }),
})

// Most lines have no criteria; the database finds their stock by an index.
const noCriteria = criteria.map(asking => ({
  ...asking,
  ...{ batch: null, bestBeforeDate: null, expiryDate: null, packagingDate: null, productionDate: null },
  ...{ sellByDate: null, criticalStockStatus: null, unit: null, attributes: null },
}))

const rows = new Map<string, StockIdentity>()
for (const more of fc.sample(described, 150)) {
  const what = { ...more, attributes: [...more.attributes], productId: of.productId }
  rows.set(await stored(1, what), identity(what))
}

/** Creates a line with criteria and reads it. */
async function lineWithCriteria({
  unit,
  attributes: wished,
  ...more
}: typeof criteria extends fc.Arbitrary<infer T> ? T : never): Promise<OutboundLine> {
  const [line] = await readOutboundLines(db, organisationId, [plain])
  return {
    ...(line as OutboundLine),
    ...more,
    rotationMethod: more.rotationMethod as OutboundLine['rotationMethod'],
    rotationMethodSecondary: more.rotationMethodSecondary as OutboundLine['rotationMethod'],
    unitName: unit === null ? null : `P-${unit}`,
    logisticUnitId: unit === null ? null : (units[unit] ?? null),
    attributes:
      wished === null
        ? []
        : [
            {
              ...wished,
              productAttributeId:
                { Colour: attributes[0], size: attributes[1], Weight: null }[wished.name] ?? null,
            },
          ],
  }
}
const plain = await ready([{ ...of, quantity: 1 }])

test('the database finds what the rules allow, in order, and cuts off only behind whole groups', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(criteria, noCriteria),
      fc.integer({ min: 1, max: 12 }),
      async (asking, quantity) => {
        const line = await lineWithCriteria(asking)
        const wanted = [{ line, quantity: BigInt(quantity) * 10_000n }]
        const { classes } = await findCandidates(db, organisationId, wanted, { minCandidates: 1 })
        const found = classes[0]?.candidates ?? []
        const allowed = [...rows]
          .filter(
            ([, stock]) =>
              unsuitableReason(line, { ...stock, isQuarantined: false, isLocationActive: true }) === null,
          )
          .map(([id, stock]) => ({
            ...{ ...stock, id, preferencesMet: countMetPreferences(line, stock) },
            ...{ available: 10_000n, isWholeUnit: false, placeRank: 1, walkingOrder: null },
          }))
          .sort((a, b) => compareGroups(line, a, b))
        const ids = new Set(found.map(({ id }) => id))
        for (const candidate of found)
          assert.equal(
            candidate.preferencesMet,
            countMetPreferences(line, rows.get(candidate.id) as StockIdentity),
          )
        // Everything found is allowed, and no row that ranks before or equal to a found one is missing.
        const first = allowed.slice(0, found.length)
        assert.deepEqual(new Set(first.map(({ id }) => id)), ids, JSON.stringify(asking))
        assert.ok(found.length >= Math.min(quantity, allowed.length))
        const [last, next] = [first.at(-1), allowed[found.length]]
        if (last && next) assert.ok(compareGroups(line, last, next) < 0, 'a group was split')
      },
    ),
    { numRuns: Number(process.env.CANDIDATE_RUNS ?? 400) },
  )
})

test('a few rows are read of a product in many rows, and more if they are not enough', async () => {
  const many = await fresh({ rotationMethod: 2 })
  for (let i = 0; i < 20; i++) await stored(1, { ...many, expiryDate: `2030-01-${10 + i}` })
  const [line] = await readOutboundLines(db, organisationId, [await ready([{ ...many, quantity: 20 }])])
  const found = async (quantity: bigint) => {
    const { classes } = await findCandidates(db, organisationId, [{ line: line as OutboundLine, quantity }])
    return classes[0]?.candidates.length
  }
  assert.equal(await found(80_000n), 8)
  assert.equal(await found(90_000n), 20)
})

test('a whole unit is one that holds nothing else and of which nothing is allocated', async () => {
  const [product, otherProduct] = [await fresh(), await fresh()]
  const [whole, mixed] = [await unit('WHOLE'), await unit('MIXED')]
  const ids = [
    await stored(5, { ...product, logisticUnitId: whole }),
    await stored(5, { ...product, logisticUnitId: mixed }),
    await stored(5, { ...product, receivedDate: '2026-01-02' }),
  ]
  await stored(5, { ...otherProduct, logisticUnitId: mixed })
  const [line] = await readOutboundLines(db, organisationId, [await ready([{ ...product, quantity: 15 }])])
  const { classes } = await findCandidates(db, organisationId, [
    { line: line as OutboundLine, quantity: 150_000n },
  ])
  const isWhole = new Map(classes[0]?.candidates.map(({ id, isWholeUnit }) => [id, isWholeUnit]))
  assert.deepEqual(
    ids.map(id => isWhole.get(id)),
    [true, false, false],
  )
})

test('a unit is not whole while some of it is allocated, and whole again once other goods have left it', async () => {
  const [of, other] = [await fresh(), await fresh()]
  const on = await unit('PROMISED')
  await stored(5, { ...of, logisticUnitId: on })
  const further = await stored(1, { ...other, logisticUnitId: on })
  const isWhole = async () => {
    const [line] = await readOutboundLines(db, organisationId, [await ready([{ ...of, quantity: 5 }])])
    const { classes } = await findCandidates(db, organisationId, [
      { line: line as OutboundLine, quantity: 50_000n },
    ])
    return classes[0]?.candidates.map(({ isWholeUnit }) => isWholeUnit)
  }
  assert.deepEqual(await isWhole(), [false])
  const gone = { reason: 'Broken', adjustments: [{ warehouseProductId: further, quantity: -1 }] }
  assert.equal((await admin.post('/v1/inventory/adjust', gone)).status, 200)
  assert.deepEqual(await isWhole(), [true])
  await allocated(await ready([{ ...of, quantity: 1 }]))
  assert.deepEqual(await isWhole(), [false])
})

test('the pickface of the product comes first, then racking, bulk and transitional', async () => {
  const ranks = await fresh()
  const locations = await db.rows<{ id: string; name: string }>(
    sql`select id, name from warehouse_location where organisation_id = ${organisationId}`,
  )
  const at = async (name: string) =>
    stored(1, {
      ...ranks,
      warehouseLocationId: locations.find(location => location.name === name)?.id as string,
    })
  const pickface = newId()
  await database.atomically(tx =>
    tx.run(sql`insert into warehouse_location (organisation_id, id, warehouse_id,
    name, type, is_pickface, product_id)
    select organisation_id, ${pickface}, warehouse_id, 'PF-1', 2, true, ${ranks.productId} from warehouse_location
    where organisation_id = ${organisationId} and name = 'A-01'`),
  )
  const wanted = [
    await stored(1, { ...ranks, warehouseLocationId: pickface }),
    await at('A-01'),
    await at('B-01'),
    await at('DOCK'),
  ]
  const [line] = await readOutboundLines(db, organisationId, [await ready([{ ...ranks, quantity: 4 }])])
  const { classes } = await findCandidates(db, organisationId, [
    { line: line as OutboundLine, quantity: 40_000n },
  ])
  const rank = new Map(classes[0]?.candidates.map(({ id, placeRank }) => [id, placeRank]))
  assert.deepEqual(
    wanted.map(id => rank.get(id)),
    [0, 1, 2, 3],
  )
})
