// The pieces that request and response schemas are made of. Open-points 1 (sizes, quantities, bodies).

import type { Static, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
import { Type } from './schema-types.ts'

export type { Static, TSchema } from 'typebox'
export { Type } from './schema-types.ts'

/** A field of a new record, which may be left out or null: both mean that there is none. */
export const optional = <S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> =>
  Type.Optional(nullable(schema))

/** A value or null: in responses, every field that may be unset. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  if (type === undefined) return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

/**
 * A field of an update that can be emptied: it may be left out, which keeps it, and null empties it. So does
 * the empty text, except where the text is an id or a date.
 */
export function clearable<S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> {
  const { minLength, pattern, format, ...rest } = schema as Record<string, unknown>
  const form = Object.entries({ minLength, pattern, format }).filter(([, value]) => value !== undefined)
  // What is said of a value without that form stands beside it.
  const said = rest.fault === undefined ? {} : { fault: rest.fault }
  const isText = rest.type === 'string' && [undefined, 'email', 'http-url'].includes(format as string)
  if (!isText || form.length === 0) return optional(schema)
  const text = {
    ...rest,
    type: ['string', 'null'],
    if: { const: '' },
    else: { ...Object.fromEntries(form), ...said },
  }
  return Type.Optional(Type.Unsafe<Static<S> | null>(text))
}

/** Gives an object schema the name under which the API reference lists it. */
export const named = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title })

export const Uuid = Type.String({ format: 'uuid' })
/** Free text, 4,000 characters. */
export const Text = Type.String({ maxLength: 4000 })
/** A line of text, 200 characters. */
export const ShortText = Type.String({ maxLength: 200 })
/** A name: something must be in it, 200 characters. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
/** A code: something must be in it, 50 characters. */
export const Code = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' })
/** An email address. */
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Integer = Type.Integer({ minimum: -2147483648, maximum: 2147483647 })
/** A whole number of something, 0 or more. */
export const Count = Type.Integer({ minimum: 0, maximum: 2147483647 })
/** A plain date, YYYY-MM-DD. */
export const PlainDate = Type.String({ format: 'date' })
/** A date/time in the wall clock of the warehouse concerned; see local-time.ts for the forms accepted. */
export const LocalTime = Type.String({
  format: 'local-date-time',
  maxLength: 40,
  examples: ['2026-03-01T09:30:00Z'],
})
/** An http or https address. It is stored as `toStoredUrl` makes it. */
export const HttpUrl = Type.String({
  format: 'http-url',
  maxLength: 2000,
  examples: ['https://example.com/track/42'],
})
/** An address as it is stored: as URL parses it. null where there is none. */
export const toStoredUrl = (text: string | null | undefined): string | null =>
  text ? new URL(text).href : null
/** An instant. */
export const UtcTime = Type.String({ format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] })
/** An IANA time zone name. */
export const TimeZone = Type.String({ format: 'time-zone', maxLength: 64, examples: ['Pacific/Auckland'] })

/** A decimal held exactly: at most `places` decimals, and as many whole digits as its column has. */
export const Decimal = (
  places: number,
  options: { minimum?: number; maximum?: number; exclusiveMinimum?: number } = {},
) =>
  Type.Number({
    ...(options.exclusiveMinimum === undefined ? { minimum: -99_999_999_999 } : {}),
    maximum: 99_999_999_999,
    ...options,
    decimals: places,
  })
export const Quantity = Decimal(4, { minimum: 0 })
export const WeightKG = Decimal(4, { minimum: 0 })
export const VolumeM3 = Decimal(6, { minimum: 0 })

/** The values of an enumeration by their names. */
export type EnumerationValues = Readonly<Record<string, number>>

/**
 * An enumeration of integers, from an `as const` object with the specification's names. The API document
 * knows the object again, and lists it under the one name that src/api/enumeration-names.ts gives it.
 */
export function IntegerEnum<const T extends EnumerationValues>(values: T): TUnsafe<T[keyof T]> {
  return Type.Unsafe<T[keyof T]>({ type: 'integer', enum: Object.values(values), enumeration: values })
}

/** Every property becomes one that may be left out or null: what a new record need not have. */
export const allOptional = <const P extends TProperties>(properties: P) => mapProperties(properties, optional)

/** Every property becomes one that an update may leave out, which keeps it, but cannot empty. */
export const allOmittable = <const P extends TProperties>(
  properties: P,
): { [K in keyof P]: TOptional<P[K]> } =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: TOptional<P[K]>
  }

/** Every property becomes one that an update may leave out, which keeps it, or empty. */
export const allClearable = <const P extends TProperties>(properties: P) =>
  mapProperties(properties, clearable)

/** Every property becomes one that may be null: a response whose fields may be unset. */
export const allNullable = <const P extends TProperties>(properties: P) => mapProperties(properties, nullable)

type Mapped<P extends TProperties, Optional extends boolean> = {
  [K in keyof P]: Optional extends true
    ? TOptional<TUnsafe<Static<P[K]> | null>>
    : TUnsafe<Static<P[K]> | null>
}

function mapProperties<P extends TProperties>(properties: P, map: typeof optional): Mapped<P, true>
function mapProperties<P extends TProperties>(properties: P, map: typeof nullable): Mapped<P, false>
function mapProperties(properties: TProperties, map: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, map(schema)]))
}
