// What a partner product is: its enumerations, and the schemas of its rows, detail and bodies. Spec 2.12.

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
import type { Finding } from '../platform/http/validation.ts'
import { DgHazardCategory, DgHazardClass } from '../reference-data/dg-hazard-classes.ts'
import { DgStandard } from '../reference-data/enumerations.ts'
import {
  AttributeUsage,
  MetricType,
  PackagingGroup,
  ProductStatus,
  RotationMethod,
  SerialTrackingMode,
  StockDepletionMethod,
  Substitution,
} from './enumerations.ts'
import { maxSteps, unitConversionFaults } from './unit-conversion.ts'

const LengthMM = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Usage = IntegerEnum(AttributeUsage)
const Substitutable = IntegerEnum(Substitution)
const ThresholdDays = Type.Integer({ minimum: 0, maximum: 36_500 })
// A code as others write it on the goods or in papers; it may be empty.
const Mark = Type.String({ maxLength: 50 })

// Stored as they are given.
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
const dangers = {
  dgProperShippingName: Text,
  dgTechnicalName: Text,
  dgPackagingGroup: IntegerEnum(PackagingGroup),
  dgHazchemEac: Mark,
  dgUnNumber: Mark,
  dgFlashpointDegC: Mark,
  dgPhLevel: Decimal(2, { minimum: 0, maximum: 14 }),
}
const marks = { barcode: Name, gtin: Mark }
const instructions = { receiveInstructions: Text, pickInstructions: Text }
const usages = {
  batchUsage: Usage,
  bestBeforeDateUsage: Usage,
  expiryUsage: Usage,
  packagingDateUsage: Usage,
  productionDateUsage: Usage,
  sellByDateUsage: Usage,
}

// How stock of the product is chosen. Null, in answers too: as the client has it.
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

// Null: as the client has it.
const storage = { freeStorageHours: Decimal(4, { minimum: 0 }) }

/** The fields that say how stock of a product is chosen. */
export const rotationNames = Object.keys(rotation) as (keyof typeof rotation)[]

/**
 * The fields that say how stock of a product is described. Null in the table: the client's setting counts.
 */
export const usageNames = Object.keys(usages) as (keyof typeof usages)[]

/** A product as lists show it. */
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
    ...allNullable(dangers),
    ...allNullable(marks),
  }),
)

const UnitType = Type.Object({ id: Uuid, name: Type.String(), status: Integer })

/** A product with everything that belongs to it. */
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
    unitConversions: Type.Array(
      Type.Object({
        inputMetricType: IntegerEnum(MetricType),
        inputUnitType: nullable(UnitType),
        outputMetricType: IntegerEnum(MetricType),
        outputUnitType: nullable(UnitType),
        conversionRate: Type.Number(),
        itemConversionRate: Type.Number(),
        ...allNullable(marks),
      }),
    ),
  }),
)

const conversions = Type.Array(
  Type.Object({
    inputMetricType: IntegerEnum(MetricType),
    inputUnitTypeId: optional(Uuid),
    outputMetricType: IntegerEnum(MetricType),
    outputUnitTypeId: optional(Uuid),
    conversionRate: Decimal(6, { exclusiveMinimum: 0 }),
    ...allOptional(marks),
  }),
  { maxItems: maxSteps, rule: unitConversionFaults },
)

const hazards = Type.Array(Type.Object({ dgHazardClassId: Uuid, dgHazardCategoryId: optional(Uuid) }), {
  maxItems: 50,
  rule: repeatedClassFaults,
})

// A product has at most one category of a class.
function repeatedClassFaults(value: unknown): Finding[] {
  const seen = new Set<string>()
  const faults: Finding[] = []
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
 * How the serials of a product are tracked, where the fields of a request say so: isSerialRequired alone
 * means full capture, or none.
 */
export function serialTrackingModeOf({
  isSerialRequired,
  serialTrackingMode,
}: SerialFields): number | undefined {
  if (typeof serialTrackingMode === 'number') return serialTrackingMode
  if (typeof isSerialRequired !== 'boolean') return undefined
  return isSerialRequired ? SerialTrackingMode.FullCapture : SerialTrackingMode.None
}

/** Why isSerialRequired cannot be what a request says it is, given the mode; null when it can. */
export const serialFault = (isSerialRequired: unknown, mode: number): string | null =>
  typeof isSerialRequired === 'boolean' && isSerialRequired !== (mode !== SerialTrackingMode.None)
    ? `must be ${!isSerialRequired} when serialTrackingMode is ${mode}`
    : null

function serialFaults(value: unknown): Finding[] {
  const { isSerialRequired, serialTrackingMode: mode } = (value ?? {}) as SerialFields
  const problem = typeof mode === 'number' ? serialFault(isSerialRequired, mode) : null
  return problem === null ? [] : [{ path: '/isSerialRequired', problem }]
}

// The fields of a request that are columns of the table: what every product has, and what it may be without.
const requiredColumns = {
  code: Code,
  name: Name,
  status: IntegerEnum(ProductStatus),
  ...flags,
  serialTrackingMode: IntegerEnum(SerialTrackingMode),
}
const unrequiredColumns = {
  ...sizes,
  productGroupId: Uuid,
  unitTypeId: Uuid,
  productUnitTypeId: Uuid,
  ...dangers,
  ...marks,
  ...instructions,
  ...usages,
  ...rotation,
  ...storage,
}
const columns = { ...requiredColumns, ...unrequiredColumns }
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
      ...allClearable({ ...unrequiredColumns, ...sets }),
    },
    { rule: serialFaults },
  ),
)

/** The volume of a box from its sides in millimetres, in cubic metres, rounded once to six places. */
export function volumeM3(lengthMM: number, heightMM: number, widthMM: number): number {
  const cubicMillimetres = BigInt(lengthMM) * BigInt(heightMM) * BigInt(widthMM)
  return Number(divide(cubicMillimetres, 1_000n)) / 1_000_000
}
