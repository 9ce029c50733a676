// Random rate cards and consignments, in the format of the API and in that of the evaluator.

import {
  type ChargeHeader,
  type ChargeInput,
  type ChargePart,
  unitsOf,
} from '../../src/billing/evaluator/charge-input.ts'
import { evaluatorVersion } from '../../src/billing/evaluator/evaluator-version.ts'
import { type ExactInteger, wholeOf } from '../../src/billing/evaluator/exact.ts'
import type { RateCardContent } from '../../src/billing/evaluator/rate-card-content.ts'
import { buildChain } from '../../src/partners/convert-quantity.ts'
import { ChargePartKind } from '../../src/vocabulary/billing.ts'
import type { ConsignmentType } from '../../src/vocabulary/consignments.ts'
import type { ModelHeader, ModelPart } from './charge-model.ts'
import fc from './properties.ts'

/** An id that is recognisable when a test fails. */
export const idOf = (kind: number, n: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`

const [client, type, group, hazard, attribute, unit, place, carrier, service, warehouse] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
]
const ids = (kind: number, count: number) => Array.from({ length: count }, (_, n) => idOf(kind, n))
const someOf = <T>(values: readonly T[]) =>
  fc.subarray([...values], { minLength: 1, maxLength: Math.max(1, values.length - 1) })

/** A decimal with this many places: mostly small, sometimes the largest possible. */
const decimal = (places: number, { min = 0 } = {}) => {
  const digits = (max: bigint) =>
    fc.bigInt({ min: BigInt(min) * 10n ** BigInt(places), max }).map(n => Number(n) / 10 ** places)
  const scale = 10n ** BigInt(places)
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max: 30 }) },
    { weight: 3, arbitrary: digits(50n * scale) },
    { weight: 1, arbitrary: digits(9n * 10n ** 14n) },
  )
}
/** Steps and sizes, which are positive. */
const positive = (places: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 5_000_000 }).map(n => n / 10 ** Math.min(places, 6)),
  )
const cents = (min: number) => fc.integer({ min: min * 100, max: 5_000 }).map(n => n / 100)
const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 2) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const headerSelectors = {
  consignmentTypes: maybe(someOf([0, 1, 2]), 12),
  serviceTypeIds: maybe(someOf(ids(service, 3)), 12),
  carrierIds: maybe(someOf(ids(carrier, 2)), 12),
  warehouseIds: maybe(someOf(ids(warehouse, 2)), 12),
  priorities: maybe(someOf([2, 3, 4]), 12),
  isContainerised: maybe(fc.boolean(), 16),
  containerSizes: maybe(someOf([1, 2, 3]), 16),
  containerTypes: maybe(someOf([1, 2, 3]), 16),
  originLocalityIds: maybe(someOf(ids(place, 3)), 12),
  destinationLocalityIds: maybe(someOf(ids(place, 3)), 8),
  weekdays: maybe(someOf([1, 2, 3, 4, 5, 6, 7]), 12),
}
const descriptions = ['Red', 'Blue', 'blue green']
const productSelectors = {
  productIds: maybe(someOf(ids(client, 3)), 6),
  productGroupIds: maybe(someOf(ids(group, 2)), 6),
  dgHazardClassIds: maybe(someOf(ids(hazard, 2)), 6),
  packageTypeCodes: maybe(someOf(['PLT', 'ctn', 'BOX']), 6),
  productAttributes: maybe(
    fc.array(
      fc.record({
        productAttributeId: fc.constantFrom(...ids(attribute, 2)),
        descriptions: someOf(descriptions),
      }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
    6,
  ),
}

const band = fc.record({ size: positive(6), rateExclTax: decimal(6), baseExclTax: maybe(cents(0)) })
const lineMetrics = [2, 3, 4, 5, 6, 9, 10, 11, 12]

const drawn = fc.record({
  metric: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...lineMetrics) },
    { weight: 3, arbitrary: fc.constantFrom(1, 2, 5, 6, 7, 8) },
  ),
  header: fc.record(headerSelectors),
  products: fc.record(productSelectors),
  types: someOf(ids(type, 3)),
  unitTypeId: fc.constantFrom(...ids(unit, 2)),
  isCascade: fc.boolean(),
  cubic: positive(6),
  rounding: fc.constantFrom(0, 0, 1, 2),
  roundTo: maybe(positive(6)),
  isPerProduct: fc.boolean(),
  application: fc.constantFrom(1, 1, 1, 2),
  rate: fc.oneof({ weight: 8, arbitrary: decimal(6) }, { weight: 1, arbitrary: fc.constant(0) }),
  isRebate: fc.constantFrom(false, false, false, true),
  base: maybe(cents(0)),
  min: maybe(cents(0)),
  more: maybe(cents(0)),
  breaks: fc.constantFrom(0, 0, 1, 2),
  bands: fc.array(band, { minLength: 1, maxLength: 4 }),
  isFafExempt: fc.constantFrom(undefined, false, true),
})

/** A valid charge for a rate of this kind and basis. */
function chargeOf(
  draft: typeof drawn extends fc.Arbitrary<infer T> ? T : never,
  id: string,
  kind: number,
  basis: number,
) {
  const { metric, application, breaks } = draft
  const isOfLines = lineMetrics.includes(metric)
  const isFee = application === 2
  const isProgressive = breaks === 2 && !isFee
  const hasBands = breaks === 1 || isProgressive
  const sign = draft.isRebate ? -1 : 1
  const hasLimits = !isFee && !isProgressive
  const min = hasLimits && !draft.isRebate ? draft.min : undefined
  let end = 0
  const bands = draft.bands.map((band, i) => {
    end = Math.round((end + band.size) * 1e6) / 1e6
    return {
      upTo: i === draft.bands.length - 1 ? null : end,
      rateExclTax: sign * band.rateExclTax + 0,
      ...(isProgressive || isFee ? {} : { baseExclTax: band.baseExclTax }),
    }
  })
  return {
    id,
    when: {
      ...draft.header,
      ...(basis === 2 && (isOfLines || metric === 1) ? draft.products : {}),
      ...(metric === 7 ? { taskTypeIds: draft.types } : {}),
      ...(metric === 8 ? { consumableTypeIds: draft.types } : {}),
    },
    metric,
    ...(metric === 6 ? { unitTypeId: draft.unitTypeId } : {}),
    ...((metric === 5 || metric === 6) && draft.isCascade ? { metricResolution: 2 } : {}),
    ...(metric === 12 ? { cubicKGPerM3: draft.cubic } : {}),
    ...(draft.rounding > 0 ? { rounding: draft.rounding, roundTo: draft.roundTo } : {}),
    ...(basis === 2 && isOfLines ? { isPerProduct: draft.isPerProduct } : {}),
    application,
    ...(hasBands ? { breaks: { kind: breaks, bands } } : { rateExclTax: sign * draft.rate + 0 }),
    ...(isFee ? {} : { baseExclTax: draft.base }),
    minExclTax: min,
    maxExclTax:
      hasLimits && draft.more !== undefined ? Math.round(((min ?? 0) + draft.more) * 100) / 100 : undefined,
    ...(kind === 1 ? {} : { isFafExempt: draft.isFafExempt }),
  }
}

/** Valid contents of a client's or a carrier's card. */
export const contents = (side: 'client' | 'carrier') =>
  fc
    .array(
      fc.record({
        kind: side === 'client' ? fc.constantFrom(1, 1, 2) : fc.constant(3),
        basis: fc.constantFrom(1, 2),
        charges: fc.array(drawn, { minLength: 1, maxLength: 5 }),
      }),
      { maxLength: 6 },
    )
    .map(rates => ({
      defaultTaxRateId: idOf(11, 0),
      rates: rates.map(({ kind, basis, charges }, r) => ({
        id: idOf(20, r),
        name: `Rate ${r}`,
        kind,
        basis,
        ...(kind === 1 ? { activityTypeId: idOf(12, r) } : {}),
        charges: charges.map((charge, c) => chargeOf(charge, idOf(21, r * 10 + c), kind, basis)),
      })),
    })) as fc.Arbitrary<RateCardContent>

const upToTwo = (values: readonly string[]) => fc.subarray([...values], { maxLength: 2 })

export const headers: fc.Arbitrary<ModelHeader> = fc.record({
  consignmentType: fc.constantFrom(0, 1, 2),
  serviceTypeIds: upToTwo(ids(service, 3)),
  carrierId: fc.constantFrom(null, ...ids(carrier, 2)),
  warehouseId: fc.constantFrom(null, ...ids(warehouse, 2)),
  priority: fc.constantFrom(2, 3, 4),
  isContainerised: fc.boolean(),
  containerSize: fc.constantFrom(null, 1, 2, 3),
  containerType: fc.constantFrom(null, 1, 2, 3),
  originLocalityIds: upToTwo(ids(place, 3)),
  destinationLocalityIds: upToTwo(ids(place, 3)),
  weekday: fc.integer({ min: 1, max: 7 }),
})

const units = fc
  .record({ pallet: maybe(positive(6), 1), first: maybe(positive(6), 1), second: maybe(positive(6), 1) })
  .map(({ pallet, first, second }) =>
    [
      { unitTypeId: null, items: pallet },
      { unitTypeId: idOf(unit, 0), items: first },
      { unitTypeId: idOf(unit, 1), items: second },
    ].filter((unit): unit is { unitTypeId: string | null; items: number } => unit.items !== undefined),
  )

/** The properties of products; they are the same for all lines of a product. */
const products = fc.tuple(
  ...ids(client, 3).map(productId =>
    fc.record({
      productId: fc.constant(productId as string | null),
      productGroupId: fc.constantFrom(null, ...ids(group, 2)),
      dgHazardClassIds: upToTwo(ids(hazard, 2)),
      units,
    }),
  ),
)

const line = fc.record({
  product: fc.integer({ min: 0, max: 3 }),
  attributes: fc.array(
    fc.record({
      productAttributeId: fc.constantFrom(...ids(attribute, 2)),
      description: fc.constantFrom('red', 'Blue', 'Blue Green'),
    }),
    { maxLength: 2 },
  ),
  packageTypeCode: fc.constantFrom(null, 'PLT', 'CTN'),
  quantity: decimal(4),
  weight: fc.option(decimal(4), { freq: 5 }),
  volume: fc.option(decimal(6), { freq: 5 }),
  logisticUnits: fc.option(fc.integer({ min: 0, max: 3 })),
  serials: fc.integer({ min: 0, max: 3 }),
})

const valued = (kind: 'task' | 'consumable') =>
  fc.subarray(ids(type, 3), { maxLength: 3 }).chain(types =>
    fc.tuple(
      ...types.map(typeId =>
        fc.record({
          kind: fc.constant(kind),
          typeId: fc.constant(typeId),
          quantity: fc.oneof(decimal(4), fc.constantFrom(0, -2.5)),
        }),
      ),
    ),
  )

/** The parts of a consignment: lines, tasks, consumables. */
export const parts: fc.Arbitrary<ModelPart[]> = fc
  .tuple(products, fc.array(line, { maxLength: 5 }), valued('task'), valued('consumable'))
  .map(([known, lines, tasks, consumables]) => [
    ...lines.map(({ product, ...rest }) => ({
      kind: 'line' as const,
      ...(known[product] ?? { productId: null, productGroupId: null, dgHazardClassIds: [], units: [] }),
      ...rest,
    })),
    ...tasks,
    ...consumables,
  ])

/** A chain of units of measure, each as a number of items. */
const chain = (of: NonNullable<ModelPart['units']>) =>
  buildChain(
    of.map(({ unitTypeId, items }) => ({
      inputMetricType: unitTypeId === null ? 2 : 3,
      inputUnitTypeId: unitTypeId,
      inputUnitTypeName: null,
      outputMetricType: 1,
      outputUnitTypeId: null,
      conversionRate: items.toFixed(6),
    })),
  )

/** A part in the format of the evaluator. */
export function partOf(part: ModelPart): ChargePart {
  const figure = (places: number, value: number | null | undefined): ExactInteger | null =>
    value === null || value === undefined ? null : wholeOf(places, value)
  const quantity = wholeOf(4, part.quantity)
  if (part.kind !== 'line') {
    const kind = part.kind === 'task' ? ChargePartKind.Task : ChargePartKind.Consumable
    return { kind, typeId: part.typeId as string, quantity }
  }
  return {
    kind: ChargePartKind.Line,
    productId: part.productId ?? null,
    facts:
      part.productId === null
        ? null
        : {
            productGroupId: part.productGroupId ?? null,
            dgHazardClassIds: part.dgHazardClassIds ?? [],
            units: unitsOf(chain(part.units ?? [])),
          },
    attributes: part.attributes ?? [],
    packageTypeCode: part.packageTypeCode ?? null,
    quantity,
    weight: figure(4, part.weight),
    volume: figure(6, part.volume),
    logisticUnits: part.logisticUnits ?? null,
    serials: part.serials ?? 0,
  }
}

/** A header that no selector matches, with the given changes. */
export const headerOf = (more: Partial<ChargeHeader> = {}): ChargeHeader => ({
  consignmentType: 2 as ConsignmentType,
  serviceTypeIds: [],
  carrierId: null,
  warehouseId: null,
  priority: 2,
  isContainerised: false,
  containerSize: null,
  containerType: null,
  originLocalityIds: [],
  destinationLocalityIds: [],
  weekday: 1,
  ...more,
})

/** A consignment in the format of the evaluator, to be charged by its current rules or earlier ones. */
export const inputOf = (
  header: ModelHeader,
  given: readonly ModelPart[],
  version: number = evaluatorVersion,
): ChargeInput => ({
  evaluatorVersion: version,
  header: headerOf(header as Partial<ChargeHeader>),
  parts: given.map(partOf),
})
