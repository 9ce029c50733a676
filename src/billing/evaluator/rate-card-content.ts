// The schema of the content of a rate card version. content-faults.ts checks what a schema cannot express.
// Decision 7.

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
} from '../../vocabulary/billing.ts'
import {
  ConsignmentPriority,
  ConsignmentType,
  ContainerSize,
  ContainerType,
} from '../../vocabulary/consignments.ts'
import { MetricResolution, maxFreeStorageHours } from '../../vocabulary/partners.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import { contentFaults, maxCharges, maxRates } from './content-faults.ts'

/** Bodies with a content are checked by the thread for large requests if they have more bytes than this. */
export const largeContentBytes = 65_536

const nonEmpty = <S extends Parameters<typeof Type.Array>[0]>(schema: S) =>
  Type.Array(schema, { minItems: 1, maxItems: 1_000 })
const Amount = Decimal(2)
const AmountFromZero = Decimal(2, { minimum: 0 })
const Price = Decimal(6)

/** Selects the consignments, and the parts of them, that a rate charge applies to. */
export const Selectors = named(
  'RateChargeSelectors',
  Type.Object(
    allOptional({
      consignmentTypes: nonEmpty(IntegerEnum(ConsignmentType)),
      serviceTypeIds: nonEmpty(Uuid),
      carrierIds: nonEmpty(Uuid),
      warehouseIds: nonEmpty(Uuid),
      priorities: nonEmpty(IntegerEnum(ConsignmentPriority)),
      isContainerised: Type.Boolean(),
      containerSizes: nonEmpty(IntegerEnum(ContainerSize)),
      containerTypes: nonEmpty(IntegerEnum(ContainerType)),
      originLocalityIds: nonEmpty(Uuid),
      destinationLocalityIds: nonEmpty(Uuid),
      productIds: nonEmpty(Uuid),
      productGroupIds: nonEmpty(Uuid),
      productAttributes: nonEmpty(
        Type.Object({ productAttributeId: Uuid, descriptions: nonEmpty(ShortText) }),
      ),
      dgHazardClassIds: nonEmpty(Uuid),
      taskTypeIds: nonEmpty(Uuid),
      consumableTypeIds: nonEmpty(Uuid),
      packageTypeCodes: nonEmpty(Code),
      weekdays: nonEmpty(Type.Integer({ minimum: 1, maximum: 7 })),
      zoneIds: nonEmpty(Uuid),
      locationIds: nonEmpty(Uuid),
      locationTypes: nonEmpty(IntegerEnum(LocationType)),
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
      freeHours: Decimal(4, { minimum: 0, maximum: maxFreeStorageHours }),
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

/** A rate charge, which is one rule of a rate. */
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

/** A rate, which prices one thing. */
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

/** The content of a version, in requests and responses. */
export const RateCardContent = named(
  'RateCardContent',
  Type.Object(
    {
      fafProfileId: optional(Uuid),
      defaultTaxRateId: Uuid,
      minimumSpendPerPeriod: optional(AmountFromZero),
      minimumSpendRevenueAccountId: optional({
        ...Uuid,
        description:
          'Of the top-up to the minimum spend, which accounting programs take only with an account.',
      }),
      rates: Type.Array(RateContent, { maxItems: maxRates }),
    },
    { rule: contentFaults },
  ),
)
export type RateCardContent = Static<typeof RateCardContent>
