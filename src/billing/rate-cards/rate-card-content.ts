// What a version of a rate card says: its schema. Open-points 7. What a schema cannot say is in
// content-faults.ts.

import {
  ConsignmentPriority,
  ConsignmentType,
  ContainerSize,
  ContainerType,
} from '../../consignments/enumerations.ts'
import { MetricResolution } from '../../partners/enumerations.ts'
import {
  allOptional,
  Code,
  Decimal,
  IntegerEnum,
  Name,
  named,
  optional,
  ShortText,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/http/schema.ts'
import { LocationType } from '../../warehouses/enumerations.ts'
import {
  BillingPeriod,
  ChargeApplication,
  MetricRounding,
  RateBasis,
  RateBreaks,
  RateKind,
  RateMetric,
  ReceiptsCharged,
  StorageCount,
  StorageMethod,
} from '../enumerations.ts'
import { contentFaults, maxCharges, maxRates } from './content-faults.ts'

const some = <S extends Parameters<typeof Type.Array>[0]>(schema: S) =>
  Type.Array(schema, { minItems: 1, maxItems: 1_000 })
const Amount = Decimal(2)
const AmountFromZero = Decimal(2, { minimum: 0 })
const Price = Decimal(6)

/** Which consignments and which of their parts a rate charge is for. */
export const Selectors = named(
  'RateChargeSelectors',
  Type.Object(
    allOptional({
      consignmentTypes: some(IntegerEnum(ConsignmentType)),
      serviceTypeIds: some(Uuid),
      carrierIds: some(Uuid),
      warehouseIds: some(Uuid),
      priorities: some(IntegerEnum(ConsignmentPriority)),
      isContainerised: Type.Boolean(),
      containerSizes: some(IntegerEnum(ContainerSize)),
      containerTypes: some(IntegerEnum(ContainerType)),
      originLocalityIds: some(Uuid),
      destinationLocalityIds: some(Uuid),
      productIds: some(Uuid),
      productGroupIds: some(Uuid),
      productAttributes: some(Type.Object({ productAttributeId: Uuid, descriptions: some(ShortText) })),
      dgHazardClassIds: some(Uuid),
      taskTypeIds: some(Uuid),
      consumableTypeIds: some(Uuid),
      packageTypeCodes: some(Code),
      weekdays: some(Type.Integer({ minimum: 1, maximum: 7 })),
      zoneIds: some(Uuid),
      locationIds: some(Uuid),
      locationTypes: some(IntegerEnum(LocationType)),
    }),
  ),
)
export type Selectors = Static<typeof Selectors>

const Breaks = named(
  'RateBands',
  Type.Object({
    kind: IntegerEnum(RateBreaks),
    bands: Type.Array(
      Type.Object({
        upTo: optional(Decimal(6, { exclusiveMinimum: 0 })),
        rateExclTax: Price,
        baseExclTax: optional(Amount),
      }),
      { maxItems: 100 },
    ),
  }),
)

const Storage = named(
  'RateStorage',
  Type.Object({
    count: IntegerEnum(StorageCount),
    method: IntegerEnum(StorageMethod),
    ...allOptional({
      period: IntegerEnum(BillingPeriod),
      isInAdvance: Type.Boolean(),
      receiptsCharged: IntegerEnum(ReceiptsCharged),
      freeHours: Decimal(4, { minimum: 0, maximum: 87_600 }),
      groupBy: Type.Array(
        Type.Enum([
          'warehouse',
          'zone',
          'location',
          'product',
          'productGroup',
          'hazardClass',
          'logisticUnit',
        ]),
        { maxItems: 7, uniqueItems: true },
      ),
    }),
  }),
)

/** One rule of a rate. */
export const RateChargeContent = named(
  'RateCharge',
  Type.Object({
    ...allOptional({ id: Uuid, note: Text, when: Selectors }),
    metric: IntegerEnum(RateMetric),
    ...allOptional({
      unitTypeId: Uuid,
      metricResolution: IntegerEnum(MetricResolution),
      cubicKGPerM3: Decimal(6, { exclusiveMinimum: 0 }),
      rounding: IntegerEnum(MetricRounding),
      roundTo: Decimal(6, { exclusiveMinimum: 0 }),
      isPerProduct: Type.Boolean(),
    }),
    application: IntegerEnum(ChargeApplication),
    ...allOptional({
      rateExclTax: Price,
      baseExclTax: Amount,
      minExclTax: AmountFromZero,
      maxExclTax: Amount,
      breaks: Breaks,
      isFafExempt: Type.Boolean(),
      storage: Storage,
      taxRateId: Uuid,
      revenueAccountId: Uuid,
      costCentreId: Uuid,
      particulars: Text,
    }),
  }),
)
export type RateChargeContent = Static<typeof RateChargeContent>

/** One thing that is priced. */
export const RateContent = named(
  'Rate',
  Type.Object({
    id: optional(Uuid),
    name: Name,
    kind: IntegerEnum(RateKind),
    basis: IntegerEnum(RateBasis),
    activityTypeId: optional(Uuid),
    charges: Type.Array(RateChargeContent, { minItems: 1, maxItems: maxCharges }),
  }),
)
export type RateContent = Static<typeof RateContent>

/** The content of a version, as requests give it and answers show it. */
export const RateCardContent = named(
  'RateCardContent',
  Type.Object(
    {
      fafProfileId: optional(Uuid),
      defaultTaxRateId: Uuid,
      minimumSpendPerPeriod: optional(AmountFromZero),
      rates: Type.Array(RateContent, { maxItems: maxRates }),
    },
    { rule: contentFaults },
  ),
)
export type RateCardContent = Static<typeof RateCardContent>
