// The functions of TypeBox that schemas are made with, and what they make: JSON Schema. The types are those
// of the package; its functions are in some 370 files, and every process would spend a sixth of its start on
// them.

import type TypeBox from 'typebox'
import type { TLiteralValue, TProperties, TSchema } from 'typebox'

/** Schemas of properties that may be left out. */
const optional = new WeakSet<TSchema>()

const ofType =
  (type: string) =>
  (options?: object): object => ({ type, ...options })

const builders = {
  Any: (options?: object): object => ({ ...options }),
  Array: (items: TSchema, options?: object): object => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options?: object): object => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: TLiteralValue, options?: object): object => ({
    ...{ type: typeof value, const: value, ...options },
  }),
  Number: ofType('number'),
  Object(properties: TProperties, options?: object): object {
    const required = Object.keys(properties).filter(name => !optional.has(properties[name] as TSchema))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  Optional(schema: TSchema): object {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  String: ofType('string'),
  Union: (anyOf: TSchema[], options?: object): object => ({ anyOf, ...options }),
  Unknown: (options?: object): object => ({ ...options }),
  Unsafe: (schema: TSchema): object => ({ ...schema }),
}

/** What schemas are made with: the `Type` of TypeBox, as far as it is needed. */
export const Type = builders as Pick<typeof TypeBox, keyof typeof builders>
