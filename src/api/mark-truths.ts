// Names in the API document which truth each field of an answer tells: `x-truth` of the field, or else of the
// schema that has it.

import {
  schemasOfNoTruth,
  type Truth,
  truthOfFields,
  truthOfFieldsInSchemas,
  truthOfSchemas,
  truths,
} from './truths.ts'

type Json = Record<string, unknown>
type Schemas = Record<string, Json>

/** The truths of names that are listed by truth. */
const byName = (lists: Readonly<Partial<Record<Truth, string>>>): Map<string, string> =>
  new Map(
    Object.entries(lists).flatMap(([truth, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map(name => [name, truths[truth as Truth]] as const),
    ),
  )

const ofSchemas = byName(truthOfSchemas)
const ofNames = byName(truthOfFields)
const ofFields = new Map(
  Object.entries(truthOfFieldsInSchemas).map(([schema, lists]) => [schema, byName(lists)]),
)

/** Marks the fields of all answers and webhooks in an API document. Returns those that have no truth. */
export function markTruths({ paths, webhooks, components }: Json): string[] {
  const { schemas } = components as { schemas: Schemas }
  const operations = Object.values(paths as Record<string, Json>).flatMap(
    path => Object.values(path) as Json[],
  )
  const answers = operations.flatMap(({ responses }) =>
    Object.entries((responses ?? {}) as Json).filter(([status]) => status.startsWith('2')),
  )
  return [...reachedFrom([answers, webhooks], schemas)].flatMap(name =>
    markSchema(name, schemas[name] as Json),
  )

  function markSchema(name: string, schema: Json): string[] {
    if (schema.properties === undefined || schemasOfNoTruth.includes(name)) return []
    const own = ofSchemas.get(name)
    if (own !== undefined) schema['x-truth'] = own
    const missing: string[] = []
    markFields(schema.properties as Schemas, '')
    return missing

    function markFields(fields: Schemas, path: string): void {
      for (const [field, value] of Object.entries(fields)) {
        const inner = fieldsOf(value)
        if (inner !== undefined) markFields(inner, `${path}${field}.`)
        if (inner !== undefined || hasOwnTruths(value, schemas)) continue
        const told =
          ofFields.get(name)?.get(`${path}${field}`) ?? (own === undefined ? ofNames.get(field) : own)
        if (told === undefined) missing.push(`${name}.${path}${field}`)
        else if (told !== own) value['x-truth'] = told
      }
    }
  }
}

/** The parts of a schema that a value of it is made of. */
const partsOf = ({ items, anyOf, oneOf }: Json): Json[] =>
  [items ?? [], anyOf ?? [], oneOf ?? []].flat() as Json[]

/** The fields of a field, if it is an object or a list of objects without a name. */
function fieldsOf(schema: Json): Schemas | undefined {
  if (schema.properties !== undefined) return schema.properties as Schemas
  return partsOf(schema)
    .map(fieldsOf)
    .find(fields => fields !== undefined)
}

/** Whether a field has a named schema, whose fields have their own truths. */
function hasOwnTruths(schema: Json, schemas: Schemas): boolean {
  const name = nameIn(schema)
  if (name === undefined) return partsOf(schema).some(part => hasOwnTruths(part, schemas))
  const named = schemas[name] as Json
  return !schemasOfNoTruth.includes(name) && (named.properties !== undefined || partsOf(named).length > 0)
}

const nameIn = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined

/** The names of all schemas that values are of or refer to. */
function reachedFrom(value: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') return found
  const name = nameIn(value as Json)
  if (name !== undefined && !found.has(name)) reachedFrom(schemas[name], schemas, found.add(name))
  for (const [key, part] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') reachedFrom(part, schemas, found)
  return found
}

/** What is listed here and is no field or schema of an answer, so that no list outlives what it is about. */
export function staleTruths({ components }: Json): string[] {
  const { schemas } = components as { schemas: Schemas }
  const names = new Set<string>()
  const collect = (fields: Schemas, path: string, into: Set<string>): void => {
    for (const [field, value] of Object.entries(fields)) {
      into.add(`${path}${field}`)
      names.add(field)
      collect(fieldsOf(value) ?? {}, `${path}${field}.`, into)
    }
  }
  const paths = new Map<string, Set<string>>()
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    const own = new Set<string>()
    collect(properties as Schemas, '', own)
    paths.set(name, own)
  }
  return [
    ...[...ofSchemas.keys(), ...schemasOfNoTruth].filter(name => !paths.has(name)),
    ...[...ofNames.keys()].filter(name => !names.has(name)),
    ...[...ofFields].flatMap(([schema, fields]) =>
      [...fields.keys()].filter(path => !paths.get(schema)?.has(path)).map(path => `${schema}.${path}`),
    ),
  ]
}
