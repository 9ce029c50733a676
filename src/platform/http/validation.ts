// Checks requests against their schemas and reports each fault as a field, a code, and a sentence that names
// the field. Decision 1.

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
import { type ErrorCode, type Fault, faultAt, withoutOnlyIndex } from './fault.ts'
import { decimals, lowerCase } from './keywords.ts'
import { textFault } from './request-body.ts'

/**
 * A fault that a `rule` found. `path` is relative to the checked value, such as `[2].items`. `problem`
 * continues a sentence that begins with the name of the field. `code` defaults to `invalid`.
 */
export interface ValidationError {
  path: string
  problem: string
  code?: ErrorCode
}

/**
 * A check that JSON Schema cannot express, attached to a schema as `rule`. It runs alongside the other
 * checks, so the value may have any shape.
 */
export type ValidationRule = (value: unknown) => ValidationError[]

/** Returns all faults of a value, an empty list if there are none. */
export type Check = (value: unknown) => Fault[]

/**
 * Runs a rule. A rule that throws, because the value does not have the shape it expects, counts as a finding.
 */
function runRule(find: ValidationRule, value: unknown): ValidationError[] {
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
    find: ValidationRule,
    value: unknown,
    _schema?: AnySchemaObject,
    context?: { instancePath: string },
  ) {
    const findings = runRule(find, value)
    const self: SchemaValidateFunction = check
    self.errors = findings.map(({ path, problem, code }) => ({
      keyword: 'rule',
      instancePath: `${context?.instancePath ?? ''}${path}`,
      message: problem,
      params: { code },
    }))
    return findings.length === 0
  },
}

/** The number of errors after which a check stops. */
const maxErrors = 1_000

/**
 * Changes the compiled code of a check so that it stops after `maxErrors`: a body with a million faults must
 * not take the memory of a million errors.
 */
const stopAtMaxErrors = (code: string): string =>
  code.replaceAll(/(vErrors)\.push\(/g, `if ($1.length === ${maxErrors}) throw $1;$&`)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a uuid, in upper or lower case. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

const isHttpUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '')

function openAjv(useDefaults: boolean, formats: Record<string, (text: string) => boolean>): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    // Rejects Infinity, which stands for every number that a double cannot represent exactly.
    strictNumbers: true,
    verbose: true,
    useDefaults,
    validateSchema: false,
    addUsedSchema: false,
    code: { process: stopAtMaxErrors },
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
  ajv.addKeyword(lowerCase)
  ajv.addKeyword(rule)
  return ajv
}

const formatWords: Record<string, string> = {
  uuid: 'a uuid',
  email: 'an email address',
  date: 'a date in the form YYYY-MM-DD',
  uri: 'an absolute URL',
  'http-url': 'an address that begins with http:// or https://',
  'date-time': 'an ISO 8601 date and time, such as 2026-03-31T09:30:00',
  'local-date-time': 'an ISO 8601 date and time, such as 2026-03-31T09:30:00',
  'time-zone': 'an IANA time zone name, such as Pacific/Auckland',
}

const typeWords: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const plural = (count: number, singular: string, pluralForm = `${singular}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? singular : pluralForm}`

/** Converts `/products/2/items/0` to `products[2].items[0]`. */
function fieldName(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('')
}

/** A schema that lists its allowed values; `enumeration` has their names. */
interface Enumeration {
  enum?: unknown[]
  enumeration?: Readonly<Record<string, unknown>>
}

/** Formats the allowed values as `1 (Client), 2 (Carrier)`. */
function allowedValues({ enum: values = [], enumeration = {} }: Enumeration): string {
  const names = new Map(Object.entries(enumeration).map(([name, value]) => [value, name]))
  return values
    .filter(value => value !== null)
    .map(value => (names.has(value) ? `${value} (${names.get(value)})` : String(value)))
    .join(', ')
}

const isNumeric = (type: string | string[]) => type.includes('number') || type.includes('integer')

/** Whether a number is required and the value is one that cannot be represented exactly. */
const isInexactNumber = (value: unknown, type: string | string[]) =>
  typeof value === 'number' && !Number.isFinite(value) && isNumeric(type)

const notBlank = '\\S'

/** Describes an error as the end of a sentence that begins with the name of the field. */
function problemOf(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error
  const ownMessage = (parentSchema as { fault?: string } | undefined)?.fault
  if (ownMessage !== undefined && keyword !== 'type') return ownMessage
  switch (keyword) {
    case 'type': {
      if (isInexactNumber(error.data, params.type))
        return 'must be a number that can be held exactly, of 15 digits or fewer'
      if ((parentSchema as Enumeration).enum !== undefined)
        return `must be one of ${allowedValues(parentSchema as Enumeration)}`
      const names = [params.type].flat().filter((name: string) => name !== 'null') as string[]
      return `must be ${names.map(name => typeWords[name] ?? name).join(' or ')}`
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
  if (keyword === 'type' && isInexactNumber(data, params.type)) return 'range'
  if (keyword === 'type' && (parentSchema as Enumeration).enum !== undefined) return 'enum'
  // A blank text counts as empty.
  if (keyword === 'pattern' && params.pattern === notBlank) return 'length'
  return codes[keyword] ?? 'invalid'
}

function faultOf(error: ErrorObject, subject: string): Fault {
  if (error.keyword === 'required')
    return faultAt(
      fieldName(`${error.instancePath}/${error.params.missingProperty}`),
      'is required',
      'required',
    )
  const path = fieldName(error.instancePath) || null
  return { path, code: codeOf(error), message: `${path ?? subject} ${problemOf(error)}.` }
}

// Only the errors inside these are worth reporting.
const compositeKeywords = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'not'])

const isWorthReporting = ({ keyword, params }: ErrorObject) =>
  !compositeKeywords.has(keyword) && !(keyword === 'type' && params.type === 'null')

// An error for the keyword on the left adds nothing if there is one for the keyword on the right.
const redundantBeside: Record<string, string> = {
  enum: 'type',
  const: 'type',
  pattern: 'minLength',
  format: 'minLength',
}

/** Converts errors to faults. `subject` begins the sentences about the value as a whole. */
function toFaults(errors: ErrorObject[], subject: string): Fault[] {
  const candidates = errors.filter(isWorthReporting)
  const found = new Set(candidates.map(({ instancePath, keyword }) => `${keyword} ${instancePath}`))
  const reported = candidates.filter(
    ({ instancePath, keyword }) => !found.has(`${redundantBeside[keyword]} ${instancePath}`),
  )
  if (reported.length === 0)
    return [{ path: null, code: 'invalid', message: `${subject} is not in an allowed form.` }]
  const faults = reported.map(error => faultOf(error, subject))
  return [...new Map(faults.map(fault => [fault.message, fault])).values()]
}

/** Runs a compiled check, which throws its errors when it has found `maxErrors`. */
function runCheck(check: ReturnType<Ajv['compile']>, value: unknown, subject: string): Fault[] {
  try {
    return check(value) ? [] : toFaults(check.errors ?? [], subject)
  } catch (error) {
    if (Array.isArray(error)) return toFaults(error, subject)
    throw error
  }
}

/** A query string after its check. */
export interface CheckedQuery {
  query: Record<string, unknown>
  faults: Fault[]
  /** the names that the schema does not know */
  ignored: string[]
}

/** Makes checks. They are compiled when they are first used, to keep the start fast. */
export interface Validation {
  /** Makes the check of a JSON body. Types are not converted; uuids in the body become lower case. */
  body(schema: TSchema): Check
  /**
   * Makes the reader of a query string. It parses numbers, booleans and lists; names are case-insensitive.
   * Unknown names are ignored and returned.
   */
  query(schema: TSchema): (query: Record<string, string | string[]>) => CheckedQuery
}

interface ParameterSchema {
  type?: string | string[]
  trimmed?: boolean
  /** a list may be given as one text with its entries separated by commas */
  commas?: boolean
  items?: ParameterSchema
}

/**
 * Converts the text of a parameter to the type in its schema. Text that does not have that form stays as it
 * is, and the check then refuses it.
 */
function parseParameter(text: string, { type, trimmed }: ParameterSchema): unknown {
  const types = [type].flat()
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text)
  if (types.includes('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return trimmed ? text.trim() : text
}

/** Opens the validation. `formats` are the application's own string formats, by name. */
export function createValidation(formats: Record<string, (text: string) => boolean> = {}): Validation {
  const bodies = openAjv(false, formats)
  const queries = openAjv(true, formats)

  return {
    body(schema) {
      let check: ReturnType<Ajv['compile']> | undefined
      return value => {
        check ??= bodies.compile(schema)
        return runCheck(check, value, 'The body')
      }
    },
    query(schema) {
      const properties = (schema as { properties?: Record<string, ParameterSchema> }).properties ?? {}
      const names = new Map(Object.keys(properties).map(name => [name.toLowerCase(), name]))
      let check: ReturnType<Ajv['compile']> | undefined
      return parameters => {
        check ??= queries.compile(schema)
        const textsByName = new Map<string, string[]>()
        const ignored: string[] = []
        for (const [key, value] of Object.entries(parameters)) {
          const name = names.get(key.toLowerCase())
          if (name === undefined) ignored.push(key)
          else textsByName.set(name, [...(textsByName.get(name) ?? []), ...[value].flat()])
        }
        const query: Record<string, unknown> = {}
        const faults: Fault[] = []
        for (const [name, given] of textsByName) {
          const problem = given.map(textFault).find(fault => fault !== null)
          if (problem !== undefined) faults.push(faultAt(name, problem, 'pattern'))
          const { items, ...parameter } = properties[name] as ParameterSchema
          const texts = parameter.commas ? given.flatMap(text => text.split(',')) : given
          if (items === undefined && texts.length > 1)
            faults.push(faultAt(name, 'must be given once', 'duplicate'))
          const values = texts.map(text => parseParameter(text, items ?? parameter))
          query[name] = items === undefined ? values[0] : values
        }
        const found = runCheck(check, query, 'The query').map(fault => withoutOnlyIndex(fault, query))
        return { query, faults: [...faults, ...found], ignored }
      }
    },
  }
}
