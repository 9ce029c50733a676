// What a product of a partner is: the schemas of its list row, its detail and its request bodies. Spec 2.12.

import { divide } from '../platform/decimal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  allOptional,
  Code,
  Decimal,
  Integer,
  IntegerEnum,
  Name,
  named,
  nullable,
  optional,
  Text,
  Type,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { DgHazardCategory, DgHazardClass } from '../reference-data/dg-hazard-classes.ts'
import {
  AttributeUsage,
  MetricType,
  maxFreeStorageHours,
  PackagingGroup,
  ProductStatus,
  RotationMethod,
  SerialTrackingMode,
  StockDepletionMethod,
  Substitution,
} from '../vocabulary/partners.ts'
import { DgStandard } from '../vocabulary/reference-data.ts'
import { productStockFields } from './product-figures.ts'
import { maxSteps, unitConversionFaults } from './unit-conversion.ts'

const LengthMM = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Usage = IntegerEnum(AttributeUsage)
const Substitutable = IntegerEnum(Substitution)
const ThresholdDays = Type.Integer({ minimum: 0, maximum: 36_500 })
// A code on the goods or in their papers, such as a GTIN or UN number. It may be empty.
const ShortCode = Type.String({ maxLength: 50 })

const flags = {
  isVolumeAutoCalculated: Type.Boolean(),
  isDangerousGood: Type.Boolean(),
  dgMarinePollutant: Type.Boolean(),
}
const sizes = {
  lengthMM: LengthMM,
  heightMM: LengthMM,
  widthMM: LengthMM,
  volumeM3: VolumeM3,
  weightKG: WeightKG,
}
const dangerousGoods = {
  dgProperShippingName: Text,
  dgTechnicalName: Text,
  dgPackagingGroup: IntegerEnum(PackagingGroup),
  dgHazchemEac: ShortCode,
  dgUnNumber: ShortCode,
  dgFlashpointDegC: ShortCode,
  dgPhLevel: Decimal(2, { minimum: 0, maximum: 14 }),
}
const barcodes = { barcode: Name, gtin: ShortCode }
const instructions = { receiveInstructions: Text, pickInstructions: Text }
const usages = {
  batchUsage: Usage,
  bestBeforeDateUsage: Usage,
  expiryUsage: Usage,
  packagingDateUsage: Usage,
  productionDateUsage: Usage,
  sellByDateUsage: Usage,
}

// How stock of the product is selected. Null stands for the setting of the client, in responses too.
const rotation = {
  rotationMethod: IntegerEnum(RotationMethod),
  rotationMethodSecondary: IntegerEnum(RotationMethod),
  stockDepletionMethod: IntegerEnum(StockDepletionMethod),
  batchSubstitution: Substitutable,
  bestBeforeDateSubstitution: Substitutable,
  expirySubstitution: Substitutable,
  packagingDateSubstitution: Substitutable,
  productionDateSubstitution: Substitutable,
  sellByDateSubstitution: Substitutable,
  serialSubstitution: Substitutable,
  bestBeforeDateCriticalThresholdDays: ThresholdDays,
  expiryCriticalThresholdDays: ThresholdDays,
  packagingDateCriticalThresholdDays: ThresholdDays,
  productionDateCriticalThresholdDays: ThresholdDays,
  sellByDateCriticalThresholdDays: ThresholdDays,
}

// Null stands for the setting of the client.
const storage = { freeStorageHours: Decimal(4, { minimum: 0, maximum: maxFreeStorageHours }) }

/** The fields that define how stock of a product is selected. */
export const rotationNames = Object.keys(rotation) as (keyof typeof rotation)[]

/**
 * The fields that define which batch and dates stock of a product has. Null in the table stands for the
 * setting of the client.
 */
export const usageNames = Object.keys(usages) as (keyof typeof usages)[]

export const Product = named(
  'Product',
  Type.Object({
    id: Uuid,
    code: Type.String(),
    name: Type.String(),
    ...allNullable(sizes),
    ...flags,
    isSerialRequired: Type.Boolean(),
    serialTrackingMode: IntegerEnum(SerialTrackingMode),
    productGroupId: nullable(Uuid),
    productGroupName: nullable(Type.String()),
    productUnitTypeId: nullable(Uuid),
    productUnitTypeName: nullable(Type.String()),
    ...allNullable(dangerousGoods),
    ...allNullable(barcodes),
  }),
)

const UnitType = Type.Object({ id: Uuid, name: Type.String(), status: Integer })
const StoredConversions = Type.Array(
  Type.Object({
    inputMetricType: IntegerEnum(MetricType),
    inputUnitType: nullable(UnitType),
    outputMetricType: IntegerEnum(MetricType),
    outputUnitType: nullable(UnitType),
    conversionRate: Type.Number(),
    itemConversionRate: Type.Number(),
    ...allNullable(barcodes),
  }),
)

/** A product in a list, with its stock and its units where these were asked for. */
export const ListedProduct = named(
  'ListedProduct',
  Type.Object({
    ...Product.properties,
    ...allOmittable({ ...productStockFields, unitConversions: StoredConversions }),
  }),
)

/** A product with its settings, hazard classes and unit conversions. */
export const ProductDetail = named(
  'ProductDetail',
  Type.Object({
    ...Product.properties,
    status: IntegerEnum(ProductStatus),
    unitType: nullable(UnitType),
    productGroup: nullable(Type.Object({ id: Uuid, name: Type.String() })),
    productUnitType: nullable(UnitType),
    ...allNullable(instructions),
    ...usages,
    ...allNullable({ ...rotation, ...storage }),
    dgHazardClasses: Type.Array(
      Type.Object({
        dgStandard: IntegerEnum(DgStandard),
        dgHazardClass: DgHazardClass,
        dgHazardCategory: nullable(DgHazardCategory),
      }),
    ),
    unitConversions: StoredConversions,
  }),
)

const conversions = Type.Array(
  Type.Object({
    inputMetricType: IntegerEnum(MetricType),
    inputUnitTypeId: optional(Uuid),
    outputMetricType: IntegerEnum(MetricType),
    outputUnitTypeId: optional(Uuid),
    conversionRate: Decimal(6, { exclusiveMinimum: 0 }),
    ...allOptional(barcodes),
  }),
  { maxItems: maxSteps, rule: unitConversionFaults },
)

const hazards = Type.Array(Type.Object({ dgHazardClassId: Uuid, dgHazardCategoryId: optional(Uuid) }), {
  maxItems: 50,
  rule: repeatedClassFaults,
})

// A product has each hazard class at most once, with at most one category.
function repeatedClassFaults(value: unknown): ValidationError[] {
  const seen = new Set<string>()
  const faults: ValidationError[] = []
  for (const [i, entry] of Array.isArray(value) ? value.entries() : []) {
    const id: unknown = entry?.dgHazardClassId
    if (typeof id !== 'string') continue
    if (seen.has(id.toLowerCase()))
      faults.push({
        path: `[${i}].dgHazardClassId`,
        problem: 'must not name a class twice',
        code: 'duplicate',
      })
    seen.add(id.toLowerCase())
  }
  return faults
}

interface SerialFields {
  isSerialRequired?: boolean | null
  serialTrackingMode?: number | null
}

/**
 * The serial tracking mode that a request sets; undefined if it sets none. isSerialRequired alone means full
 * capture, or no serials.
 */
export function requestedSerialTrackingMode({
  isSerialRequired,
  serialTrackingMode,
}: SerialFields): number | undefined {
  if (typeof serialTrackingMode === 'number') return serialTrackingMode
  if (typeof isSerialRequired !== 'boolean') return undefined
  return isSerialRequired ? SerialTrackingMode.FullCapture : SerialTrackingMode.None
}

/** Why isSerialRequired contradicts the serial tracking mode; null if it does not. */
export const serialFault = (isSerialRequired: unknown, mode: number): string | null =>
  typeof isSerialRequired === 'boolean' && isSerialRequired !== (mode !== SerialTrackingMode.None)
    ? `must be ${!isSerialRequired} when serialTrackingMode is ${mode}`
    : null

function serialFaults(value: unknown): ValidationError[] {
  const { isSerialRequired, serialTrackingMode: mode } = (value ?? {}) as SerialFields
  const problem = typeof mode === 'number' ? serialFault(isSerialRequired, mode) : null
  return problem === null ? [] : [{ path: '/isSerialRequired', problem }]
}

// The fields of a request that are columns of the table: those that are never null, and those that may be.
const requiredColumns = {
  code: Code,
  name: Name,
  status: IntegerEnum(ProductStatus),
  ...flags,
  serialTrackingMode: IntegerEnum(SerialTrackingMode),
}
const nullableColumns = {
  ...sizes,
  productGroupId: Uuid,
  unitTypeId: Uuid,
  productUnitTypeId: Uuid,
  ...dangerousGoods,
  ...barcodes,
  ...instructions,
  ...usages,
  ...rotation,
  ...storage,
}
const columns = { ...requiredColumns, ...nullableColumns }
export const columnNames = Object.keys(columns) as (keyof typeof columns)[]

const isSerialRequired = Type.Boolean()
const sets = { dgHazardClasses: hazards, unitConversions: conversions }

export const NewProduct = named(
  'NewProduct',
  Type.Object(
    { ...allOptional({ ...columns, isSerialRequired, ...sets }), code: columns.code, name: columns.name },
    { rule: serialFaults },
  ),
)
export const ProductChange = named(
  'ProductChange',
  Type.Object(
    {
      ...allOmittable({ ...requiredColumns, isSerialRequired }),
      ...allClearable({ ...nullableColumns, ...sets }),
    },
    { rule: serialFaults },
  ),
)

/** The volume of a box in cubic metres, from its sides in millimetres, rounded to six decimal places. */
export function volumeM3(lengthMM: number, heightMM: number, widthMM: number): number {
  const cubicMillimetres = BigInt(lengthMM) * BigInt(heightMM) * BigInt(widthMM)
  return Number(divide(cubicMillimetres, 1_000n)) / 1_000_000
}
