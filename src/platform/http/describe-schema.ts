// Converts schemas for the API document: named schemas and enumerations become components, and the keywords
// that only this project understands are left out.

import type { EnumerationValues, TSchema } from './schema.ts'

export type Json = Record<string, unknown>

/** An enumeration as the document describes it. */
export interface Enumeration {
  values: EnumerationValues
  /** a sentence about what it stands for */
  description: string
  /** what its values mean, by name, unless the name says it all */
  meanings?: Readonly<Record<string, string | undefined>>
}

/** The state of a document while it is built: its components so far, and the texts for its fields. */
export interface DocumentState {
  readonly components: Map<string, Json>
  /** what a field or parameter with this name means */
  termOf(name: string): string | undefined
  /** the names of enumerations by their values: the same object that their schemas were made from */
  readonly enumerationNames: ReadonlyMap<EnumerationValues, string>
  readonly enumerations: Readonly<Record<string, Enumeration>>
}

/** Starts a document without components. */
export const startDocument = (
  termOf: DocumentState['termOf'],
  enumerations: DocumentState['enumerations'],
): DocumentState => {
  const enumerationNames = new Map<EnumerationValues, string>()
  for (const [name, { values }] of Object.entries(enumerations)) {
    const otherName = enumerationNames.get(values)
    if (otherName !== undefined) throw new Error(`The enumeration ${name} is called ${otherName} too.`)
    enumerationNames.set(values, name)
  }
  return { components: new Map(), termOf, enumerationNames, enumerations }
}

// Keywords of this project that mean nothing to readers of the document.
const internalKeywords = new Set([
  'rule',
  'fault',
  'decimals',
  'lowerCase',
  'trimmed',
  'commas',
  'orOne',
  '~kind',
  '~optional',
  '~unsafe',
])

/** Converts a schema for the document. Named schemas and enumerations become references to components. */
export function describeSchema(schema: unknown, state: DocumentState): unknown {
  if (Array.isArray(schema)) return schema.map(part => describeSchema(part, state))
  if (schema === null || typeof schema !== 'object') return schema
  if ('enumeration' in schema) return describeEnumeration(schema as EnumerationSchema, state)
  const copy: Json = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') copy[key] = describeFields(value as Record<string, TSchema>, state)
    else if (!internalKeywords.has(key)) copy[key] = describeSchema(value, state)
  }
  if (copy.format === 'http-url') copy.format = 'uri'
  if (copy.format === 'local-date-time') {
    copy.format = 'date-time'
    copy.description ??= 'Wall clock of the warehouse concerned, although it ends in Z.'
  }
  if ('orOne' in schema) return describeListOrOne(copy)
  return typeof copy.title === 'string' ? describeNamed(copy.title, copy, state) : copy
}

/** A list of which a single value is one too, as it always is in a query. */
const describeListOrOne = ({ description, ...list }: Json): Json => ({
  anyOf: [list.items, list],
  description,
})

/** Returns the reference to a schema with a title, and adds it to the components the first time. */
function describeNamed(title: string, copy: Json, { components }: DocumentState): Json {
  const knownComponent = components.get(title)
  const isNullable = Array.isArray(copy.type)
  const plain = isNullable ? { ...copy, type: (copy.type as string[])[0] } : copy
  if (knownComponent === undefined) components.set(title, plain)
  else if (JSON.stringify(knownComponent) !== JSON.stringify(plain)) {
    throw new Error(`Two different schemas are called ${title}.`)
  }
  return referenceTo(title, isNullable)
}

/** Returns a reference to a component, which may also be null if `isNullable`. */
const referenceTo = (name: string, isNullable: boolean): Json => {
  const $ref = `#/components/schemas/${name}`
  return isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref }
}

interface EnumerationSchema extends Json {
  enumeration: EnumerationValues
  type: string | string[]
}

/** Returns the reference to an enumeration, with what its own schema adds, such as a default, beside it. */
function describeEnumeration(schema: EnumerationSchema, state: DocumentState): Json {
  const { enumeration, type, enum: _, ...rest } = schema
  const name = state.enumerationNames.get(enumeration)
  if (name === undefined) {
    const values = JSON.stringify(enumeration)
    throw new Error(`The enumeration ${values} has no name; src/api/enumerations.ts lists them.`)
  }
  state.components.set(name, enumerationComponent(state.enumerations[name] as Enumeration))
  const additions = Object.entries(rest).filter(([key]) => !internalKeywords.has(key))
  return { ...referenceTo(name, Array.isArray(type)), ...Object.fromEntries(additions) }
}

/** Converts `ReadyToPick` to `Ready to pick.` */
const inWords = (name: string) =>
  `${name[0]}${name.slice(1).replace(/(?<=[a-z])[A-Z]/g, capital => ` ${capital.toLowerCase()}`)}.`

const enumerationComponent = ({ values, description, meanings = {} }: Enumeration): Json => {
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

/** Converts fields by name. A field without a description gets the one for its name. */
export const describeFields = (fields: Record<string, TSchema>, state: DocumentState): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const field = describeSchema(schema, state) as Json
      const description = state.termOf(name)
      const needsDescription =
        description !== undefined &&
        field.description === undefined &&
        field.$ref === undefined &&
        field.anyOf === undefined
      return [name, needsDescription ? { ...field, description } : field]
    }),
  )
