// Checks requests against their schemas and says what is wrong: the field, a code, and a sentence that names
// the field. Open-points 1 (bodies, query names).

import {
  Ajv,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type SchemaValidateFunction,
} from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isDateTime, isTimeZone } from '../local-time.ts'
import { type ErrorCode, type Fault, faultAt } from './fault.ts'
import { textFault } from './request-body.ts'

/**
 * What a `rule` found: where below the value (as `[2].items`), what, to follow the name of the field, and its
 * code: `invalid` where it is left out.
 */
export interface Finding {
  path: string
  problem: string
  code?: ErrorCode
}

/**
 * A check that JSON Schema cannot express, hung on a schema as `rule`. It runs beside the other checks, so
 * the value may be of any shape.
 */
export type Rule = (value: unknown) => Finding[]

/** All faults of a value, or none. */
export type Check = (value: unknown) => Fault[]

const decimals: FuncKeywordDefinition = {
  keyword: 'decimals',
  type: 'number',
  schemaType: 'number',
  validate: (places: number, value: number) =>
    Number.isInteger(value) || Number(value.toFixed(places)) === value,
  error: { message: 'decimals' },
}

/** What a rule finds. One that cannot even look at a value, such as an object that is no text, finds that. */
function findingsBy(find: Rule, value: unknown): Finding[] {
  try {
    return find(value)
  } catch {
    return [{ path: '', problem: 'is not in an allowed form' }]
  }
}

const rule: FuncKeywordDefinition = {
  keyword: 'rule',
  errors: 'full',
  validate: function check(
    this: unknown,
    find: Rule,
    value: unknown,
    _schema?: AnySchemaObject,
    at?: { instancePath: string },
  ) {
    const findings = findingsBy(find, value)
    const self: SchemaValidateFunction = check
    self.errors = findings.map(({ path, problem, code }) => ({
      keyword: 'rule',
      instancePath: `${at?.instancePath ?? ''}${path}`,
      message: problem,
      params: { code },
    }))
    return findings.length === 0
  },
}

/** No more faults than this are looked for. */
const maxErrors = 1_000

/**
 * A body of a million faults must not cost the memory of a million errors: the compiled check stops when it
 * has found enough.
 */
const stopping = (code: string): string =>
  code.replaceAll(/(vErrors)\.push\(/g, `if ($1.length === ${maxErrors}) throw $1;$&`)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a uuid, in either case. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

const isHttpUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

function openAjv(useDefaults: boolean, formats: Record<string, (text: string) => boolean>): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    // Infinity is no number here; it stands for every number that cannot be held.
    strictNumbers: true,
    verbose: true,
    useDefaults,
    validateSchema: false,
    addUsedSchema: false,
    code: { process: stopping },
  })
  addFormats.default(ajv, ['email', 'uri'])
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date', text => text.length === 'YYYY-MM-DD'.length && isDateTime(text))
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('local-date-time', isDateTime)
  ajv.addFormat('time-zone', isTimeZone)
  ajv.addFormat('http-url', isHttpUrl)
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
  ajv.addKeyword(decimals)
  ajv.addKeyword(rule)
  return ajv
}

const formatWords: Record<string, string> = {
  uuid: 'a uuid',
  email: 'an email address',
  date: 'a date in the form YYYY-MM-DD',
  uri: 'an absolute URL',
  'http-url': 'an address that begins with http:// or https://',
  'date-time': 'an ISO 8601 date and time',
  'local-date-time': 'an ISO 8601 date and time',
  'time-zone': 'an IANA time zone name',
}

const articles: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`

/** `/products/2/items/0` to `products[2].items[0]`. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('')
}

/** A schema that lists the values that it allows; `enumeration` has their names. */
interface Enumeration {
  enum?: unknown[]
  enumeration?: Readonly<Record<string, unknown>>
}

/** `1 (Client), 2 (Carrier)`. */
function allowedValues({ enum: values = [], enumeration = {} }: Enumeration): string {
  const names = new Map(Object.entries(enumeration).map(([name, value]) => [value, name]))
  return values
    .filter(value => value !== null)
    .map(value => (names.has(value) ? `${value} (${names.get(value)})` : String(value)))
    .join(', ')
}

const isNumeric = (type: string | string[]) => type.includes('number') || type.includes('integer')

/** Whether a value is a number that cannot be held, where one is wanted. */
const isUnheld = (value: unknown, type: string | string[]) =>
  typeof value === 'number' && !Number.isFinite(value) && isNumeric(type)

const notBlank = '\\S'

function problem(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error
  const said = (parentSchema as { fault?: string } | undefined)?.fault
  if (said !== undefined && keyword !== 'type') return said
  switch (keyword) {
    case 'type': {
      if (isUnheld(error.data, params.type))
        return 'must be a number that can be held exactly, of 15 digits or fewer'
      if ((parentSchema as Enumeration).enum !== undefined)
        return `must be one of ${allowedValues(parentSchema as Enumeration)}`
      const names = [params.type].flat().filter((name: string) => name !== 'null') as string[]
      return `must be ${names.map(name => articles[name] ?? name).join(' or ')}`
    }
    case 'enum':
      return `must be one of ${allowedValues(parentSchema as Enumeration)}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'format':
      return `must be ${formatWords[params.format as string] ?? params.format}`
    case 'pattern':
      return params.pattern === notBlank ? 'must not be blank' : 'has a form that is not allowed'
    case 'minLength':
      return params.limit === 1
        ? 'must not be empty'
        : `must have at least ${plural(params.limit as number, 'character')}`
    case 'maxLength':
      return `must have at most ${plural(params.limit as number, 'character')}`
    case 'minItems':
      return `must have at least ${plural(params.limit as number, 'entry', 'entries')}`
    case 'maxItems':
      return `must have at most ${plural(params.limit as number, 'entry', 'entries')}`
    case 'uniqueItems':
      return 'must not name the same entry twice'
    case 'minimum':
      return `must be ${params.limit} or more`
    case 'maximum':
      return `must be ${params.limit} or less`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'decimals':
      return `must have at most ${plural(error.schema as number, 'decimal place')}`
    case 'rule':
      return error.message ?? 'is not allowed'
    default:
      return 'is not allowed'
  }
}

const codes: Readonly<Record<string, ErrorCode>> = {
  required: 'required',
  type: 'type',
  enum: 'enum',
  const: 'enum',
  format: 'format',
  pattern: 'pattern',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
  uniqueItems: 'duplicate',
  minimum: 'range',
  maximum: 'range',
  exclusiveMinimum: 'range',
  exclusiveMaximum: 'range',
  decimals: 'range',
}

function codeOf({ keyword, params, parentSchema, data }: ErrorObject): ErrorCode {
  if (keyword === 'rule') return params.code ?? 'invalid'
  if (keyword === 'type' && isUnheld(data, params.type)) return 'range'
  if (keyword === 'type' && (parentSchema as Enumeration).enum !== undefined) return 'enum'
  // A text of nothing but spaces is as good as empty.
  if (keyword === 'pattern' && params.pattern === notBlank) return 'length'
  return codes[keyword] ?? 'invalid'
}

function faultOf(error: ErrorObject, whole: string): Fault {
  if (error.keyword === 'required')
    return faultAt(
      fieldName(`${error.instancePath}/${error.params.missingProperty}`),
      'is required',
      'required',
    )
  const path = fieldName(error.instancePath) || null
  return { path, code: codeOf(error), message: `${path ?? whole} ${problem(error)}.` }
}

// Of these only the reasons inside them are worth telling.
const wrappers = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'not'])

const isWorthTelling = ({ keyword, params }: ErrorObject) =>
  !wrappers.has(keyword) && !(keyword === 'type' && params.type === 'null')

// Of a value that breaks the first of two, the second says nothing more.
const implied: Record<string, string> = {
  enum: 'type',
  const: 'type',
  pattern: 'minLength',
  format: 'minLength',
}

function faultsFrom(errors: ErrorObject[], whole: string): Fault[] {
  const worth = errors.filter(isWorthTelling)
  const found = new Set(worth.map(({ instancePath, keyword }) => `${keyword} ${instancePath}`))
  const own = worth.filter(({ instancePath, keyword }) => !found.has(`${implied[keyword]} ${instancePath}`))
  if (own.length === 0)
    return [{ path: null, code: 'invalid', message: `${whole} is not in an allowed form.` }]
  const faults = own.map(error => faultOf(error, whole))
  return [...new Map(faults.map(fault => [fault.message, fault])).values()]
}

/** Runs a compiled check. */
function faultsOf(check: ReturnType<Ajv['compile']>, value: unknown, whole: string): Fault[] {
  try {
    return check(value) ? [] : faultsFrom(check.errors ?? [], whole)
  } catch (error) {
    if (Array.isArray(error)) return faultsFrom(error, whole)
    throw error
  }
}

/** Makes checks, compiled when they are first used so that the start does not pay for them. */
export interface Validation {
  /** A JSON body: types are taken as they are. */
  body(schema: TSchema): Check
  /** A query string: numbers, booleans and lists are read from text; names match without regard to case. */
  query(
    schema: TSchema,
  ): (query: Record<string, string | string[]>) => { query: Record<string, unknown>; faults: Fault[] }
}

interface ParameterSchema {
  type?: string | string[]
  trimmed?: boolean
  /** a list may be given in one text, its entries separated by commas */
  commas?: boolean
  items?: ParameterSchema
}

/**
 * A parameter's text as the type that its schema wants. What has no such form stays text, for the check to
 * refuse.
 */
function readParameter(text: string, { type, trimmed }: ParameterSchema): unknown {
  const types = [type].flat()
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return trimmed ? text.trim() : text
}

/** `formats` are the application's own string formats, by name. */
export function openValidation(formats: Record<string, (text: string) => boolean> = {}): Validation {
  const bodies = openAjv(false, formats)
  const queries = openAjv(true, formats)

  return {
    body(schema) {
      let check: ReturnType<Ajv['compile']> | undefined
      return value => {
        check ??= bodies.compile(schema)
        return faultsOf(check, value, 'The body')
      }
    },
    query(schema) {
      const properties = (schema as { properties?: Record<string, ParameterSchema> }).properties ?? {}
      const names = new Map(Object.keys(properties).map(name => [name.toLowerCase(), name]))
      let check: ReturnType<Ajv['compile']> | undefined
      return given => {
        check ??= queries.compile(schema)
        const texts = new Map<string, string[]>()
        for (const [key, value] of Object.entries(given)) {
          const name = names.get(key.toLowerCase())
          if (name !== undefined) texts.set(name, [...(texts.get(name) ?? []), ...[value].flat()])
        }
        const query: Record<string, unknown> = {}
        const repeated: Fault[] = []
        for (const [name, given] of texts) {
          const problem = given.map(textFault).find(fault => fault !== null)
          if (problem !== undefined) return { query, faults: [faultAt(name, problem, 'pattern')] }
          const { items, ...one } = properties[name] as ParameterSchema
          const all = one.commas ? given.flatMap(text => text.split(',')) : given
          if (items === undefined && all.length > 1)
            repeated.push(faultAt(name, 'must be given once', 'duplicate'))
          const values = all.map(text => readParameter(text, items ?? one))
          query[name] = items === undefined ? values[0] : values
        }
        return { query, faults: [...repeated, ...faultsOf(check, query, 'The query')] }
      }
    },
  }
}
