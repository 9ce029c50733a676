// Storage charges compared with a simple model in SQL: every count, method and grouping, across both changes
// of daylight saving and month ends.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCard } from '../../../src/billing/evaluator/compiled-card.ts'
import { textOf } from '../../../src/billing/evaluator/exact.ts'
import type { RateCardContent } from '../../../src/billing/evaluator/rate-card-content.ts'
import type { VersionDays } from '../../../src/billing/storage/charged-periods.ts'
import { evaluateStorage, storageEvaluatorVersion } from '../../../src/billing/storage/evaluate-storage.ts'
import { dayOf } from '../../../src/billing/storage/local-days.ts'
import { readCurrentFacts } from '../../../src/billing/storage/storage-facts.ts'
import { readStorageInputs, termsOf } from '../../../src/billing/storage/storage-terms.ts'
import { sql } from '../../../src/platform/database/db.ts'
import { localTimeAt } from '../../../src/platform/local-time.ts'
import type { StockIdentity } from '../../../src/stock/ledger/stock-identity.ts'
import { createUnits } from '../../../src/stock/logistic-units/unit-references.ts'
import { RateCardBecause } from '../../../src/vocabulary/billing.ts'
import { idOf } from '../../support/given-cards.ts'
import { openStorage, type StockChange } from '../../support/given-storage.ts'
import fc from '../../support/properties.ts'
import { type ModelRule, storageModel } from '../../support/storage-model.ts'

const { database, organisationId, made, admin, charge, postChanges } = await openStorage()
const groupId = await made('/v1/product-groups', { name: 'Chilled' })
const hazards = (await admin.get('/v1/dg-hazard-classes')).body.dgHazardClasses as { id: string }[]

const spans = [
  { from: '2025-03-25', to: '2025-04-12' },
  { from: '2025-09-25', to: '2025-10-10' },
]
const zones = ['Pacific/Auckland', 'Australia/Lord_Howe', 'UTC', 'America/Havana']

/** Creates a warehouse in a time zone with four locations and two pallets, and a client with two products. */
async function createStockroom(timeZone: string, code: string) {
  const warehouseId = await made('/v1/warehouses', { name: code, code, timezoneId: timeZone })
  const zoneIds = [
    await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Cold' }),
    await made(`/v1/warehouses/${warehouseId}/zones`, { name: 'Dry' }),
  ]
  const location = (name: string, warehouseZoneId?: string) =>
    made(`/v1/warehouses/${warehouseId}/locations`, { name, type: 1, warehouseZoneId })
  const locations = [
    await location('A', zoneIds[0]),
    await location('B', zoneIds[0]),
    await location('C', zoneIds[1]),
    await location('D'),
  ]
  const clientId = await made('/v1/partners', {
    name: code,
    code: `K${code}`,
    relationship: 1,
    freeStorageHours: 6,
  })
  const product = (name: string, pallet: number, more: object) =>
    made(`/v1/partners/${clientId}/products`, {
      ...{ code: name, name },
      unitConversions: [{ inputMetricType: 2, outputMetricType: 1, conversionRate: pallet }],
      ...more,
    })
  const productIds = [
    await product('BOX', 48, {
      productGroupId: groupId,
      dgHazardClasses: hazards.slice(0, 2).map(({ id }) => ({ dgHazardClassId: id })),
    }),
    await product('JAR', 7, { freeStorageHours: 30.5 }),
  ]
  const unit = (at: number) => ({
    unit: { isNew: true },
    partnerId: clientId,
    warehouseId,
    warehouseLocationId: locations[at] as string,
  })
  const units = await database.atomically(tx => createUnits(tx, { organisationId }, [unit(0), unit(2)]))
  const places: Partial<StockIdentity>[] = [
    ...locations.map(warehouseLocationId => ({ warehouseLocationId })),
    { warehouseLocationId: locations[0] as string, logisticUnitId: units[0] as string },
    { warehouseLocationId: locations[2] as string, logisticUnitId: units[1] as string },
  ]
  return { timeZone, warehouseId, clientId, productIds, places }
}
type Stockroom = Awaited<ReturnType<typeof createStockroom>>

/** A random event, at a half hour of the span or some seconds after it. */
const event = fc.record({
  halfHours: fc.integer({ min: 0, max: 48 * 26 }),
  seconds: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1799, noNaN: true })),
  kind: fc.constantFrom('in', 'in', 'out', 'move', 'move', 'adjust'),
  product: fc.integer({ min: 0, max: 1 }),
  place: fc.integer({ min: 0, max: 5 }),
  to: fc.integer({ min: 0, max: 5 }),
  quantity: fc.integer({ min: 1, max: 900 }).map(n => n / 4),
  isLate: fc.constantFrom(false, false, false, true),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

/**
 * Selects the random events that are possibleChanges, in the order in which they are recorded; some are
 * recorded late.
 */
function possibleChanges(events: readonly Event[], room: Stockroom, begins: number) {
  const recorded: StockChange[] = []
  const late: StockChange[] = []
  const stock = new Map<string, { identity: Partial<StockIdentity>; quantity: number }>()
  const ordered = events
    .map(event => ({
      ...event,
      at: begins + event.halfHours * 1_800_000 + Math.floor(event.seconds * 1_000),
    }))
    .toSorted((a, b) => a.at - b.at)
  for (const { at, kind, product, place, to, quantity, isLate } of ordered) {
    const instant = new Date(at).toISOString()
    const productId = room.productIds[product] as string
    const receivedDate = localTimeAt(new Date(at), room.timeZone).slice(0, 10)
    if (kind === 'in' || kind === 'adjust') {
      const identity = { ...room.places[place], productId, receivedDate }
      const figures = { weightKG: quantity * 2, volumeM3: quantity / 128 }
      const change = { at: instant, quantity, to: identity, type: kind === 'in' ? 3 : 1, ...figures }
      if (isLate) late.push(change)
      else {
        recorded.push(change)
        const key = JSON.stringify(identity)
        stock.set(key, { identity, quantity: (stock.get(key)?.quantity ?? 0) + quantity })
      }
      continue
    }
    const source = [...stock.values()].find(
      ({ identity, quantity }) => quantity > 0 && identity.productId === productId,
    )
    if (source === undefined) continue
    const taken = Math.min(quantity, source.quantity)
    source.quantity -= taken
    if (kind === 'out') recorded.push({ at: instant, quantity: taken, from: source.identity })
    else {
      const { receivedDate: received = '' } = source.identity
      const identity = { ...room.places[to], productId, receivedDate: received }
      const key = JSON.stringify(identity)
      if (stock.get(key) === source) source.quantity += taken
      else {
        recorded.push({ at: instant, quantity: taken, from: source.identity, to: identity })
        stock.set(key, { identity, quantity: (stock.get(key)?.quantity ?? 0) + taken })
      }
    }
  }
  return [...recorded, ...late]
}

const groupings = [
  [],
  ['zone'],
  ['location'],
  ['product'],
  ['productGroup'],
  ['hazardClass'],
  ['logisticUnit'],
  ['zone', 'product'],
]
const methods: Pick<ModelRule, 'method' | 'receiptsCharged' | 'isInAdvance' | 'period'>[] = [
  { method: 1 },
  { method: 2 },
  { method: 3 },
  ...[0, 1, 2, 3].map(receiptsCharged => ({ method: 4, receiptsCharged })),
  { method: 4, receiptsCharged: 1, isInAdvance: true },
  ...[1, 2, 3, 4, 5].map(period => ({ method: 5, period })),
]
const metrics = [2, 3, 4, 5, 10, 13]
const roundings = [{}, { rounding: 1 }, { rounding: 2, roundTo: 2.5 }, { rounding: 1, roundTo: 0.5 }]

/**
 * Every count, method and grouping, each combined with a metric, rounding and free hours that depend on
 * `start`.
 */
function rulesFrom(start: number): ModelRule[] {
  let n = start
  const pick = <T>(values: readonly T[], by: number) => values[Math.floor(n / by) % values.length] as T
  const counted = methods.flatMap(method =>
    // Only the first three methods use the count.
    (method.method < 4 ? [1, 2, 3, 4, 5] : [(n % 5) + 1]).map(count => ({ count, ...method })),
  )
  return counted.flatMap(rule =>
    groupings.map(groupBy => {
      n += 7
      return {
        ...{ ...rule, groupBy, metric: pick(metrics, 1), ...pick(roundings, 3) },
        ...pick([{}, { freeHours: 0 }, { freeHours: 0 }, { freeHours: 36.5 }], 5),
      }
    }),
  )
}

const contentOf = (rules: readonly ModelRule[]) =>
  ({
    defaultTaxRateId: idOf(11, 0),
    rates: rules.map(({ metric, rounding, roundTo, ...storage }, n) => ({
      ...{ id: idOf(20, n), name: `Rate ${n}`, kind: 4, basis: 2, activityTypeId: idOf(12, 0) },
      charges: [
        {
          id: idOf(21, n),
          ...charge(storage, { metric, rounding, roundTo, unitTypeId: undefined }),
        },
      ],
    })),
  }) as RateCardContent

/** The metrics that the service computes for some rules, by rule and group. */
async function evaluateRules(
  room: Stockroom,
  rules: readonly ModelRule[],
  span: (typeof spans)[number],
  isFirst: boolean,
  evaluatorVersion: number,
) {
  const at = { organisationId, clientId: room.clientId, warehouseId: room.warehouseId }
  const content = contentOf(rules)
  const version = { id: idOf(30, 0), content, card: compileCard(content) } as VersionDays['version']
  const period = { from: dayOf(span.from), to: dayOf(span.to), billingPeriod: 4 as const }
  // Rules other than Anniversary use the billed period.
  const billing = {
    ...{ number: 2, evaluatorVersion, period, timeZone: room.timeZone },
    previous: isFirst
      ? null
      : { period: { from: period.from - 20, to: period.from - 1 }, billingPeriod: 4 as const },
    versions: [{ version, because: RateCardBecause.Own, from: dayOf('2020-01-01'), to: period.to }],
  }
  const { now } = await database.db.row<{ now: string }>(sql`select clock_timestamp()::text as now`)
  const inputs = await readStorageInputs(database.db, at, [billing], [], now)
  const facts = await readCurrentFacts(database.db, organisationId, inputs.history)
  const found = rules.map(() => ({}) as Record<string, string>)
  for (const { measured, groupKey } of evaluateStorage(inputs.history, termsOf(at, billing, inputs, facts)))
    (found[Number(measured.rate.content.id.slice(-6))] as Record<string, string>)[groupKey] = textOf(
      6,
      measured.metric,
    )
  return found
}

let rooms = 0
for (const timeZone of zones)
  for (const span of spans)
    test(`storage agrees with the model, in ${timeZone} from ${span.from}`, async () => {
      const begins = Date.parse(`${span.from}T00:00:00Z`) - 5 * 86_400_000
      await fc.assert(
        fc.asyncProperty(fc.array(event, { minLength: 25, maxLength: 45 }), async events => {
          const room = await createStockroom(timeZone, `W${++rooms}`)
          const goods = { warehouseId: room.warehouseId, partnerId: room.clientId }
          await postChanges(database, possibleChanges(events, room, begins), goods)
          // Each of the two spans tests half of the rules, so that every time zone tests all of them.
          const rules = rulesFrom(rooms).filter((_, n) => n % 2 === spans.indexOf(span))
          const isFirst = rooms % 2 === 0
          const evaluatorVersion = 1 + (Math.floor(rooms / 2) % storageEvaluatorVersion)
          const found = await evaluateRules(room, rules, span, isFirst, evaluatorVersion)
          for (const [n, rule] of rules.entries()) {
            const rows = await database.db.rows<{ grp: string; metric: string }>(
              storageModel(rule, { ...room, ...span, isFirst, evaluatorVersion }),
            )
            const expected = Object.fromEntries(
              rows.map(({ grp, metric }) => [grp, Number(metric).toFixed(6)]),
            )
            const actual = Object.fromEntries(
              Object.entries(found[n] ?? {}).map(([grp, metric]) => [grp, Number(metric).toFixed(6)]),
            )
            assert.deepEqual(actual, expected, JSON.stringify(rule))
          }
        }),
        { numRuns: 1, endOnFailure: true },
      )
    })
