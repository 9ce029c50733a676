import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentFaults, relationshipFaults } from '../../../src/billing/evaluator/content-faults.ts'
import type { RateCardContent } from '../../../src/billing/evaluator/rate-card-content.ts'
import { contentWarnings } from '../../../src/billing/rate-cards/content-warnings.ts'
import { idOf } from '../../support/given-cards.ts'
import fc from '../../support/properties.ts'

const charge = (more: object = {}) => ({ metric: 2, application: 1, rateExclTax: 1, ...more })
const rate = (charges: object[], more: object = {}) => ({
  name: 'Handling',
  kind: 1,
  basis: 1,
  activityTypeId: idOf(12, 0),
  charges,
  ...more,
})
const content = (...rates: object[]) => ({ defaultTaxRateId: idOf(11, 0), rates }) as RateCardContent
/** The faults of a charge, by its fields. */
const faultsOf = (charge: object, rateFields: object = {}) =>
  contentFaults(content(rate([charge], rateFields))).map(({ path, problem }) => [
    path.replace('/rates/0/charges/0/', ''),
    problem,
  ])
const paths = (charge: object, rateFields: object = {}) => faultsOf(charge, rateFields).map(([path]) => path)

test('a content without faults has none', () => {
  assert.deepEqual(contentFaults(content(rate([charge()]))), [])
  assert.deepEqual(contentFaults(content()), [])
})

test('a version has at most 1,000 charges, however they are spread over its rates', () => {
  const of = (count: number) => rate(Array.from({ length: count }, () => charge()))
  assert.deepEqual(contentFaults(content(of(500), of(500))), [])
  assert.deepEqual(
    contentFaults(content(of(500), of(500), of(1))).map(({ path, problem }) => `${path} ${problem}`),
    ['/rates must have at most 1,000 charges in all'],
  )
})

test('every fault of every rate and charge is reported at once, with its path', () => {
  const faulty = content(
    rate([charge({ metric: 6 }), charge({ metric: 7, minExclTax: 1, rateExclTax: -1 })]),
    rate([charge({ storage: { count: 1, method: 1 } })], { activityTypeId: null }),
    rate([charge()], { kind: 2 }),
  )
  assert.deepEqual(
    contentFaults(faulty).map(({ path, problem }) => `${path} ${problem}`),
    [
      '/rates/0/charges/0/unitTypeId is required when metric is 6 (UnitType)',
      '/rates/0/charges/1/when/taskTypeIds is required when metric is 7 (TaskValue)',
      '/rates/0/charges/1/minExclTax must be left out for a rebate',
      '/rates/1/activityTypeId is required when kind is 1',
      '/rates/1/charges/0/storage must be left out unless kind is 4 (Storage)',
      '/rates/2/activityTypeId must be left out for freight',
    ],
  )
})

test('two rates or two charges cannot have the same id', () => {
  const same = { id: idOf(21, 1) }
  const faults = contentFaults(
    content(rate([charge(same)]), rate([charge({ id: idOf(21, 1).toUpperCase() })])),
  )
  assert.deepEqual(
    faults.map(({ path, code }) => [path, code]),
    [['/rates/1/charges/0/id', 'duplicate']],
  )
  assert.deepEqual(
    contentFaults(content(rate([charge()], same), rate([charge()], same))).map(({ path }) => path),
    ['/rates/1/id'],
  )
})

test('a charge needs the fields of its metric, and must not have fields that the metric does not use', () => {
  assert.deepEqual(paths(charge({ metric: 12 })), ['cubicKGPerM3'])
  assert.deepEqual(paths(charge({ cubicKGPerM3: 250 })), ['cubicKGPerM3'])
  assert.deepEqual(paths(charge({ unitTypeId: idOf(6, 0) })), ['unitTypeId'])
  assert.deepEqual(paths(charge({ metricResolution: 2 })), ['metricResolution'])
  assert.deepEqual(paths(charge({ metric: 5, metricResolution: 2 })), [])
  assert.deepEqual(paths(charge({ metric: 13 })), ['metric'])
  assert.deepEqual(paths(charge({ roundTo: 5 })), ['roundTo'])
  assert.deepEqual(paths(charge({ rounding: 1, roundTo: 5 })), [])
  assert.deepEqual(paths(charge({ isPerProduct: true })), ['isPerProduct'])
  assert.deepEqual(paths(charge({ isPerProduct: true }), { basis: 2 }), [])
  assert.deepEqual(paths(charge({ metric: 8 })), ['when/consumableTypeIds'])
  assert.deepEqual(paths(charge({ when: { taskTypeIds: [idOf(2, 1)] } })), ['when/taskTypeIds'])
})

test('product selectors need a rate by product, and location selectors need storage', () => {
  const when = { productIds: [idOf(1, 1)], zoneIds: [idOf(1, 1)] }
  assert.deepEqual(paths(charge({ when })), ['when/productIds', 'when/zoneIds'])
  assert.deepEqual(paths(charge({ when: { productIds: [idOf(1, 1)] } }), { basis: 2 }), [])
  const storage = { count: 1, method: 1 }
  assert.deepEqual(paths(charge({ when, storage }), { kind: 4, basis: 2 }), [])
})

test('selectors of consignments are refused for storage', () => {
  const id = [idOf(1, 1)]
  const when = {
    ...{ consignmentTypes: [1], serviceTypeIds: id, carrierIds: id, priorities: [1], isContainerised: false },
    ...{ containerSizes: [1], containerTypes: [1], originLocalityIds: id, destinationLocalityIds: id },
    ...{ packageTypeCodes: ['PLT'], weekdays: [1] },
  }
  const found = faultsOf(charge({ when, storage: { count: 1, method: 1 } }), { kind: 4, basis: 2 })
  assert.deepEqual(
    found,
    Object.keys(when).map(name => [
      ...[`when/${name}`, 'must be left out for storage: goods in store have none'],
    ]),
  )
  assert.deepEqual(paths(charge({ when }), { basis: 2 }), [])
  const ofGoods = {
    ...{ warehouseIds: id, productIds: id, productGroupIds: id, dgHazardClassIds: id, locationIds: id },
    ...{ productAttributes: [{ productAttributeId: idOf(1, 1), descriptions: ['Red'] }], locationTypes: [1] },
  }
  assert.deepEqual(
    paths(charge({ when: ofGoods, storage: { count: 1, method: 1 } }), { kind: 4, basis: 2 }),
    [],
  )
})

test('contradictory prices are reported', () => {
  assert.deepEqual(paths(charge({ rateExclTax: null })), ['rateExclTax'])
  assert.deepEqual(paths(charge({ minExclTax: 5, maxExclTax: 4 })), ['maxExclTax'])
  assert.deepEqual(paths(charge({ application: 2, baseExclTax: 4, maxExclTax: 9 })), [
    'baseExclTax',
    'maxExclTax',
  ])
  assert.deepEqual(paths(charge({ isFafExempt: true })), ['isFafExempt'])
  assert.deepEqual(faultsOf(charge({ particulars: 'To {destination} by {driver}' })), [
    ['particulars', 'has the placeholder {driver}, which there is not'],
  ])
})

const bands = [
  { upTo: 20, rateExclTax: 10 },
  { upTo: null, rateExclTax: 5 },
]
const banded = (breaks: object, more: object = {}) => paths(charge({ rateExclTax: null, breaks, ...more }))

test('bands must ascend, and the last must have no end', () => {
  assert.deepEqual(banded({ kind: 1, bands }), [])
  assert.deepEqual(banded({ kind: 2, bands }), [])
  assert.deepEqual(banded({ kind: 1, bands: [] }), ['breaks/bands'])
  assert.deepEqual(banded({ kind: 1, bands: [bands[0], bands[0], bands[1]] }), ['breaks/bands/1/upTo'])
  assert.deepEqual(banded({ kind: 1, bands: [bands[1], bands[0]] }), [
    'breaks/bands/0/upTo',
    'breaks/bands/1/upTo',
  ])
  assert.deepEqual(paths(charge({ breaks: { kind: 1, bands } })), ['rateExclTax'])
  assert.deepEqual(paths(charge({ breaks: { kind: 0, bands } })), ['breaks/bands'])
})

test('progressive bands allow neither limits nor their own bases nor fees', () => {
  const own = [{ ...bands[0], baseExclTax: 3 }, bands[1]]
  assert.deepEqual(banded({ kind: 2, bands: own }), ['breaks/bands/0/baseExclTax'])
  assert.deepEqual(banded({ kind: 1, bands: own }), [])
  assert.deepEqual(banded({ kind: 2, bands }, { minExclTax: 3 }), ['breaks/kind'])
  assert.deepEqual(banded({ kind: 2, bands }, { application: 2 }), ['breaks/kind'])
  const rebate = [{ upTo: null, rateExclTax: -5 }]
  assert.deepEqual(banded({ kind: 1, bands: rebate }, { minExclTax: 3 }), ['minExclTax'])
})

test('missing and superfluous fields of storage and periodic fees are reported', () => {
  assert.deepEqual(paths(charge(), { kind: 4, basis: 2 }), ['storage'])
  assert.deepEqual(
    paths(charge({ storage: { count: 1, method: 1, receiptsCharged: 1 } }), { kind: 4, basis: 2 }),
    ['storage/receiptsCharged'],
  )
  assert.deepEqual(paths(charge({ metric: 9, storage: { count: 1, method: 1 } }), { kind: 4, basis: 2 }), [
    'metric',
  ])
  const cascade = charge({ metric: 5, metricResolution: 2, storage: { count: 1, method: 1 } })
  assert.deepEqual(faultsOf(cascade, { kind: 4, basis: 2 }), [
    ['metricResolution', 'must not be 2 (Cascade) for storage: goods go to a charge wholly'],
  ])
  assert.deepEqual(paths(charge({ metric: 1, application: 2 }), { kind: 5 }), [])
  assert.deepEqual(paths(charge({ when: { weekdays: [1] } }), { kind: 5 }), [
    'metric',
    'application',
    'when/weekdays',
  ])
})

test("a carrier's card has only carrier freight, and a client's card everything else", () => {
  const freight = content(rate([charge()], { kind: 3 }))
  assert.deepEqual(relationshipFaults(freight, 2), [])
  assert.deepEqual(
    relationshipFaults(freight, 1).map(({ path }) => path),
    ['content.rates[0].kind'],
  )
  assert.equal(relationshipFaults(content(rate([charge()])), 2).length, 1)
})

test('too many charges in a version are reported', () => {
  const many = Array.from({ length: 11 }, () => rate(Array.from({ length: 500 }, () => charge())))
  assert.deepEqual(
    contentFaults(content(...many)).map(({ path, code }) => [path, code]),
    [['/rates', 'length']],
  )
})

test('the check for faults accepts any value as a content', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 5 }), fc.anything({ maxDepth: 3 }), (a, b) => {
      contentFaults(a)
      contentFaults({ rates: [a, { charges: [b, { when: a, breaks: b, storage: a }] }] })
    }),
    { numRuns: 500 },
  )
})

test('unreachable charges, and rates that leave some work uncharged, get a warning', () => {
  assert.deepEqual(
    contentWarnings(content(rate([charge({ when: { weekdays: [1] } }), charge(), charge()]))),
    ['content.rates[0].charges[2] is never reached: charges[1] leaves nothing for it.'],
  )
  assert.deepEqual(
    contentWarnings(
      content(rate([charge({ when: { weekdays: [1, 2] } }), charge({ when: { weekdays: [2] } })])),
    ),
    [
      'content.rates[0].charges[1] is never reached: charges[0] leaves nothing for it.',
      'content.rates[0] (Handling) has no charge at its end that takes the rest.',
    ],
  )
  assert.deepEqual(contentWarnings(content(rate([charge({ metric: 5, metricResolution: 2 }), charge()]))), [])
  assert.deepEqual(contentWarnings(content(rate([charge({ metric: 1 })]))), [])
})
