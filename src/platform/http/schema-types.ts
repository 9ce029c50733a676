// A replacement for the TypeBox functions that build JSON Schema. The types come from the package, but its
// functions are spread over some 370 files, and loading those would take a sixth of the start of a process.

import type TypeBox from 'typebox'
import type { TLiteralValue, TProperties, TSchema } from 'typebox'

/** Schemas of properties that may be absent. */
const optionalSchemas = new WeakSet<TSchema>()

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
    const required = Object.keys(properties).filter(name => !optionalSchemas.has(properties[name] as TSchema))
    return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options }
  },
  Optional(schema: TSchema): object {
    const copy = { ...schema }
    optionalSchemas.add(copy)
    return copy
  },
  String: ofType('string'),
  Union: (anyOf: TSchema[], options?: object): object => ({ anyOf, ...options }),
  Unknown: (options?: object): object => ({ ...options }),
  Unsafe: (schema: TSchema): object => ({ ...schema }),
}

/** Builds schemas: the part of TypeBox's `Type` that this project uses. */
export const Type = builders as Pick<typeof TypeBox, keyof typeof builders>
