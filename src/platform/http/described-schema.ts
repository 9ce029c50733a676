// Schemas as the API document has them: named ones become components, enumerations too, and keywords of ours
// are left out.

import type { EnumerationValues, TSchema } from './schema.ts'

export type Json = Record<string, unknown>

/** What the document says about an enumeration. */
export interface Enumeration {
  values: EnumerationValues
  /** what it is about, in a sentence */
  description: string
  /** what its values mean, by name, where the names do not say everything */
  meanings: Readonly<Record<string, string | undefined>>
}

/** What the document says about schemas: the components that were met so far, and what things mean. */
export interface Described {
  readonly components: Map<string, Json>
  /** what a field or parameter of this name means */
  termOf(name: string): string | undefined
  /** the name of an enumeration by its values, which are the very object that its schemas were made from */
  readonly enumerationNames: ReadonlyMap<EnumerationValues, string>
  readonly enumerations: Readonly<Record<string, Enumeration>>
}

/** Begins a document: no component was met yet. */
export const beginDescribing = (
  termOf: Described['termOf'],
  enumerations: Described['enumerations'],
): Described => {
  const enumerationNames = new Map<EnumerationValues, string>()
  for (const [name, { values }] of Object.entries(enumerations)) {
    const other = enumerationNames.get(values)
    if (other !== undefined) throw new Error(`The enumeration ${name} is called ${other} too.`)
    enumerationNames.set(values, name)
  }
  return { components: new Map(), termOf, enumerationNames, enumerations }
}

// Keywords of ours that mean nothing to a reader of the document.
const ownKeywords = new Set([
  'rule',
  'fault',
  'decimals',
  'trimmed',
  'commas',
  '~kind',
  '~optional',
  '~unsafe',
])

/** A schema as the document has it: named ones and enumerations as references to components. */
export function describe(schema: unknown, described: Described): unknown {
  if (Array.isArray(schema)) return schema.map(part => describe(part, described))
  if (schema === null || typeof schema !== 'object') return schema
  if ('enumeration' in schema) return describeEnumeration(schema as EnumerationSchema, described)
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') copy[key] = describeFields(value as Record<string, TSchema>, described)
    else if (!ownKeywords.has(key)) copy[key] = describe(value, described)
  }
  if (copy.format === 'http-url') copy.format = 'uri'
  if (copy.format === 'local-date-time') {
    copy.format = 'date-time'
    copy.description ??= 'Wall clock of the warehouse concerned, although it ends in Z.'
  }
  return typeof copy.title === 'string' ? describeNamed(copy.title, copy, described) : copy
}

/** The reference to a schema with a title, which becomes a component when it is first met. */
function describeNamed(title: string, copy: Json, { components }: Described): Json {
  const known = components.get(title)
  const isNullable = Array.isArray(copy.type)
  const plain = isNullable ? { ...copy, type: (copy.type as string[])[0] } : copy
  if (known === undefined) components.set(title, plain)
  else if (JSON.stringify(known) !== JSON.stringify(plain)) {
    throw new Error(`Two different schemas are called ${title}.`)
  }
  return reference(title, isNullable)
}

/** The record itself, or null where it may be: told apart by the type. */
const reference = (name: string, isNullable: boolean): Json => {
  const $ref = `#/components/schemas/${name}`
  return isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref }
}

interface EnumerationSchema extends Json {
  enumeration: EnumerationValues
  type: string | string[]
}

/** The reference to an enumeration. What its place says about it, such as a default, stands beside that. */
function describeEnumeration(schema: EnumerationSchema, described: Described): Json {
  const { enumeration, type, enum: _, ...rest } = schema
  const name = described.enumerationNames.get(enumeration)
  if (name === undefined) {
    const values = JSON.stringify(enumeration)
    throw new Error(`The enumeration ${values} has no name; src/api/enumeration-names.ts gives them.`)
  }
  described.components.set(name, enumerationComponent(described.enumerations[name] as Enumeration))
  const beside = Object.entries(rest).filter(([key]) => !ownKeywords.has(key))
  return { ...reference(name, Array.isArray(type)), ...Object.fromEntries(beside) }
}

/** `ReadyToPick` as `Ready to pick.` */
const inWords = (name: string) =>
  `${name[0]}${name.slice(1).replace(/(?<=[a-z])[A-Z]/g, capital => ` ${capital.toLowerCase()}`)}.`

const enumerationComponent = ({ values, description, meanings }: Enumeration): Json => {
  const names = Object.keys(values)
  const lines = names.map(name => {
    const meaning = meanings[name]
    return `- \`${values[name]}\` ${name}${meaning === undefined ? '' : `: ${meaning}`}`
  })
  return {
    type: 'integer',
    enum: Object.values(values),
    description: [description, '', ...lines].join('\n'),
    'x-enum-varnames': names,
    'x-enum-descriptions': names.map(name => meanings[name] ?? inWords(name)),
  }
}

/** Fields by name, each with what its name means unless its schema says something itself. */
export const describeFields = (fields: Record<string, TSchema>, described: Described): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const field = describe(schema, described) as Json
      const description = described.termOf(name)
      const isSilent =
        description !== undefined &&
        field.description === undefined &&
        field.$ref === undefined &&
        field.anyOf === undefined
      return [name, isSilent ? { ...field, description } : field]
    }),
  )
