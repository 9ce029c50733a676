// Finds the fields of a request that its schema does not know. They are ignored, and the response names them.
// Spec 1.

import type { TSchema } from 'typebox'

/** How many ignored fields a response names. */
export const maxIgnoredFields = 20
const maxNameLength = 100

/**
 * What a schema knows of a value: the fields of an object and the elements of a list; undefined: anything.
 */
interface KnownFields {
  fields: ReadonlyMap<string, KnownFields | undefined> | undefined
  items: KnownFields | undefined
}

interface SchemaParts {
  properties?: Record<string, SchemaParts>
  additionalProperties?: unknown
  items?: SchemaParts
  anyOf?: SchemaParts[]
}

/** Returns what a schema, or any alternative in it, knows. */
function knownFieldsOf(schema: SchemaParts): KnownFields | undefined {
  const parts = [schema, ...(schema.anyOf ?? [])]
  const fields = new Map<string, KnownFields | undefined>()
  let hasFields = false
  let items: KnownFields | undefined
  for (const { properties, additionalProperties, items: element } of parts) {
    if (additionalProperties === true) return undefined
    if (properties !== undefined) hasFields = true
    for (const [name, field] of Object.entries(properties ?? {})) fields.set(name, knownFieldsOf(field))
    if (element !== undefined) items = knownFieldsOf(element)
  }
  return hasFields || items !== undefined ? { fields: hasFields ? fields : undefined, items } : undefined
}

/** Returns the unknown fields of a value by their paths, such as `products[0].colour`. */
export type FindUnknownFields = (value: unknown) => string[]

/**
 * Makes the search for unknown fields. Of a field that several elements of a list have, only the first is
 * named, and of all together at most `maxIgnoredFields`. The schema is examined when it is first needed.
 */
export function unknownFieldsFinder(schema: TSchema): FindUnknownFields {
  let knownFields: { all: KnownFields | undefined } | undefined
  return value => {
    knownFields ??= { all: knownFieldsOf(schema as SchemaParts) }
    const found = new Map<string, string>()
    const path: (string | number)[] = []

    function visit(part: unknown, knownHere: KnownFields | undefined): void {
      if (knownHere === undefined || part === null || typeof part !== 'object') return
      if (Array.isArray(part)) {
        if (knownHere.items === undefined) return
        for (let i = 0; i < part.length && found.size < maxIgnoredFields; i++) {
          path.push(i)
          visit(part[i], knownHere.items)
          path.pop()
        }
        return
      }
      if (knownHere.fields === undefined) return
      for (const name in part) {
        if (found.size >= maxIgnoredFields) return
        path.push(name)
        const field = knownHere.fields.get(name)
        if (field !== undefined) visit((part as Record<string, unknown>)[name], field)
        else if (!knownHere.fields.has(name)) note()
        path.pop()
      }
    }
    function note(): void {
      const names = path.filter(step => typeof step === 'string').join('.')
      if (!found.has(names)) found.set(names, pathName(path))
    }

    visit(value, knownFields.all)
    return [...found.values()]
  }
}

const pathName = (path: readonly (string | number)[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step}`)).join('')

/** Formats names for a header: separated by commas, everything but plain characters escaped as in a URL. */
export const formatIgnoredFields = (names: readonly string[]): string =>
  names
    .slice(0, maxIgnoredFields)
    .map(name =>
      name
        .toWellFormed()
        .slice(0, maxNameLength)
        .toWellFormed()
        .replace(/[^\x21-\x7e]|[,%"]/gu, character => encodeURIComponent(character)),
    )
    .join(', ')
