// The building blocks of request and response schemas. Decision 1.

import type { Static, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
import { Type } from './schema-types.ts'

export type { Static, TSchema } from 'typebox'
export { Type } from './schema-types.ts'

/** A field of a new record that may be absent or null; both mean that it is unset. */
export const optional = <S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> =>
  Type.Optional(nullable(schema))

/** A value or null. In responses, every field that may be unset is nullable. */
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
 * A field of an update that can be cleared: absent leaves it unchanged and null clears it. The empty string
 * clears it too, unless the field is an id or a date.
 */
export function clearable<S extends TSchema>(schema: S): TOptional<TUnsafe<Static<S> | null>> {
  const { minLength, pattern, format, ...rest } = schema as Record<string, unknown>
  const constraints = Object.entries({ minLength, pattern, format }).filter(
    ([, value]) => value !== undefined,
  )
  // The schema's own message has to stand beside the constraints that it explains.
  const message = rest.fault === undefined ? {} : { fault: rest.fault }
  const isText = rest.type === 'string' && [undefined, 'email', 'http-url'].includes(format as string)
  if (!isText || constraints.length === 0) return optional(schema)
  const text = {
    ...rest,
    type: ['string', 'null'],
    if: { const: '' },
    else: { ...Object.fromEntries(constraints), ...message },
  }
  return Type.Optional(Type.Unsafe<Static<S> | null>(text))
}

/** Gives an object schema the name under which the API reference lists it. */
export const named = <S extends TSchema>(title: string, schema: S): S => ({ ...schema, title })

/** An id. The check of a request converts it to lower case, as the database has it. */
export const Uuid = Type.String({ format: 'uuid', lowerCase: true })
/** Free text of at most 4,000 characters. */
export const Text = Type.String({ maxLength: 4000 })
/** A line of text of at most 200 characters. */
export const ShortText = Type.String({ maxLength: 200 })
/** A name of at most 200 characters that is not blank. */
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
/** A code of at most 50 characters that is not blank. */
export const Code = Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Integer = Type.Integer({ minimum: -2147483648, maximum: 2147483647 })
/** A whole number, 0 or more. */
export const Count = Type.Integer({ minimum: 0, maximum: 2147483647 })
/** A date without a time, YYYY-MM-DD. */
export const PlainDate = Type.String({ format: 'date' })
/** A date and time on the wall clock of the warehouse concerned; local-time.ts lists the accepted forms. */
export const LocalTime = Type.String({
  format: 'local-date-time',
  maxLength: 40,
  examples: ['2026-03-01T09:30:00Z'],
})
/** An http or https URL. It is stored as `toStoredUrl` returns it. */
export const HttpUrl = Type.String({
  format: 'http-url',
  maxLength: 2000,
  examples: ['https://example.com/track/42'],
})
/** Normalises a URL for storage, the way `URL` parses it. Returns null if there is none. */
export const toStoredUrl = (text: string | null | undefined): string | null =>
  text ? new URL(text).href : null
/** An instant. */
export const UtcTime = Type.String({ format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] })
/** An IANA time zone name. */
export const TimeZone = Type.String({ format: 'time-zone', maxLength: 64, examples: ['Pacific/Auckland'] })

/** The greatest decimal, of either sign: 11 digits before the point. */
export const maxDecimal = 99_999_999_999

/** A decimal that is stored exactly: at most `places` decimal places and 11 digits before the point. */
export const Decimal = (
  places: number,
  options: { minimum?: number; maximum?: number; exclusiveMinimum?: number; fault?: string } = {},
) =>
  Type.Number({
    ...(options.exclusiveMinimum === undefined ? { minimum: -maxDecimal } : {}),
    maximum: maxDecimal,
    ...options,
    decimals: places,
  })
export const Quantity = Decimal(4, { minimum: 0 })
export const WeightKG = Decimal(4, { minimum: 0 })
export const VolumeM3 = Decimal(6, { minimum: 0 })

/** The values of an enumeration, by name. */
export type EnumerationValues = Readonly<Record<string, number>>

/**
 * An enumeration of integers, from an `as const` object with the specification's names. The API document
 * recognises the object and lists it under the name that src/api/enumerations.ts has for it.
 */
export function IntegerEnum<const T extends EnumerationValues>(values: T): TUnsafe<T[keyof T]> {
  return Type.Unsafe<T[keyof T]>({ type: 'integer', enum: Object.values(values), enumeration: values })
}

/** Makes every property one that a new record may leave out or set to null. */
export const allOptional = <const P extends TProperties>(properties: P) => mapProperties(properties, optional)

/** Makes every property one that an update may leave out, which keeps its value, but not clear. */
export const allOmittable = <const P extends TProperties>(
  properties: P,
): { [K in keyof P]: TOptional<P[K]> } =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: TOptional<P[K]>
  }

/** Makes every property one that an update may leave out, which keeps its value, or clear. */
export const allClearable = <const P extends TProperties>(properties: P) =>
  mapProperties(properties, clearable)

/** Makes every property one that may be null, for responses whose fields may be unset. */
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
