// Generators of values for requests: values that a schema permits, modified values, and hostile ones that no
// schema expects.

import type { TSchema } from 'typebox'
import fc from './properties.ts'

/** The parts of a JSON Schema that the generator reads. */
interface Shape {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Shape[]
  format?: string
  pattern?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  additionalProperties?: Shape | boolean
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  decimals?: number
}

const oddTexts = [
  '',
  ' ',
  '\t\n',
  "'",
  '"',
  '\\',
  '%',
  '_',
  "'; drop table consignment; --",
  '{{1+1}}',
  '<script>alert(1)</script>',
  '=cmd()',
  '../../etc/passwd',
  '0',
  '-1',
  'null',
  'NaN',
  'true',
  '🚚',
  'שלום',
  '\u202eabc',
  'é',
  'ﷺ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfffx',
  '\uffff',
  '\u2028',
  'x'.repeat(51),
  'x'.repeat(201),
  'x'.repeat(4_001),
  '💣'.repeat(2_000),
  '0000-00-00',
  '0000-01-01',
  '99999-01-01',
  '2026-02-30',
  '2026-03-01T09:30:00+25:00',
  '2026-03-01T24:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2200-12-31T23:59:59-23:59',
  '1900-01-01T00:00:00+23:59',
  '9'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  'urn:uuid:00000000-0000-0000-0000-000000000000',
]

/** Texts that have broken programs before. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
)

const oddNumbers = [
  0,
  -0,
  -1,
  0.1,
  1e-7,
  5e-324,
  2147483647,
  2147483648,
  -2147483649,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  0.1 + 0.2,
]

/** Values of any type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    ...oddNumbers,
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { length: -1 },
    { toString: 1 },
  ),
  fc.array(fc.constantFrom(...oddNumbers), { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constant(JSON.parse('['.repeat(40) + ']'.repeat(40))),
)

/** A path segment where an id should be. */
export const segment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '%2e%2e',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%F0%9F%9A%9A',
    '*',
    '~',
    "'",
    'x'.repeat(150),
    'x'.repeat(2_000),
    '0',
    'null',
  ),
  hostileText.map(text => encodeURIComponent(text.toWellFormed()).slice(0, 500)),
)

const twoDigits = (most: number) => fc.integer({ min: 0, max: most }).map(n => String(n).padStart(2, '0'))
const date = fc.tuple(
  fc.integer({ min: 1900, max: 2200 }),
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 28 }),
)
const dateText = date.map(
  ([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
)
const zone = fc.oneof(
  fc.constantFrom('Z', ''),
  fc.tuple(fc.constantFrom('+', '-'), twoDigits(23), twoDigits(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
)
const dateTimeText = fc
  .tuple(dateText, twoDigits(23), twoDigits(59), twoDigits(59), zone)
  .map(([d, h, m, s, z]) => `${d}T${h}:${m}:${s}${z}`)

/** Ids of records: all of them, and those of the kind that the name of a field refers to. */
export interface Ids {
  all: readonly string[]
  ofKind(field: string): readonly string[]
}

function textFor(
  { format, minLength = 0, maxLength = 4_000 }: Shape,
  ids: Ids,
  field: string,
): fc.Arbitrary<unknown> {
  switch (format) {
    case 'uuid': {
      const named = ids.ofKind(field)
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...(named.length > 0 ? named : ids.all)) },
        { weight: 1, arbitrary: fc.constantFrom(...ids.all) },
        { weight: 1, arbitrary: fc.uuid() },
      )
    }
    case 'date':
      return dateText
    case 'date-time':
    case 'local-date-time':
      return fc.oneof(dateTimeText, dateText)
    case 'time-zone':
      return fc.constantFrom('Pacific/Auckland', 'UTC', 'America/St_Johns')
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.constantFrom(
        'https://example.com/x',
        'http://127.0.0.1:1/',
        'ftp://a',
        'https://[::1]:99999999/',
      )
    default: {
      const most = Math.min(maxLength, 40)
      const plain = fc.string({
        unit: 'grapheme',
        minLength: Math.max(1, minLength),
        maxLength: Math.max(most, minLength, 1),
      })
      return fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('A', 'B1', 'CODE', 'NZAKL', '003456789012345675') },
        { weight: 2, arbitrary: plain },
        { weight: 1, arbitrary: hostileText },
        { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
      )
    }
  }
}

function numberFor(
  { minimum, exclusiveMinimum, maximum, decimals = 0 }: Shape,
  isWhole: boolean,
): fc.Arbitrary<unknown> {
  const least = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const most = maximum ?? 1_000_000
  const near = fc.integer({
    min: Math.ceil(least),
    max: Math.max(Math.ceil(least), Math.min(most, Math.ceil(least) + 500)),
  })
  const edges = fc.constantFrom(least, most)
  return isWhole
    ? fc.oneof(near, edges)
    : fc.oneof(
        near,
        edges,
        near.map(n => Number((n + 0.1234567).toFixed(decimals))),
      )
}

function valueFor(shape: Shape, ids: Ids, depth: number, field = ''): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(one => valueFor(one, ids, depth, field)))
  const types = [shape.type].flat()
  const isNullable = types.includes('null')
  const type = types.find(name => name !== 'null')
  const value = () => {
    switch (type) {
      case 'string':
        return textFor(shape, ids, field)
      case 'integer':
        return numberFor(shape, true)
      case 'number':
        return numberFor(shape, false)
      case 'boolean':
        return fc.boolean()
      case 'array': {
        const most = Math.min(shape.maxItems ?? 3, 3)
        return fc.array(valueFor(shape.items ?? {}, ids, depth + 1, field), {
          minLength: Math.min(shape.minItems ?? 0, most),
          maxLength: most,
        })
      }
      case 'object': {
        const { properties = {}, required = [] } = shape
        const model = Object.fromEntries(
          Object.entries(properties).map(([name, member]) => [name, valueFor(member, ids, depth + 1, name)]),
        )
        return fc.record(model, { requiredKeys: required.filter(name => name in properties) })
      }
      default:
        return isNullable && type === undefined ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
    }
  }
  return isNullable
    ? fc.oneof({ weight: 5, arbitrary: value() }, { weight: 1, arbitrary: fc.constant(null) })
    : value()
}

/** Generates bodies that a schema permits, with ids of records as uuids. Other rules are not observed. */
export const bodyFor = (schema: TSchema, ids: Ids): fc.Arbitrary<unknown> => valueFor(schema as Shape, ids, 0)

/** Generates texts for a query parameter, mostly ones that its schema permits. */
export const parameterFor = (name: string, schema: TSchema, ids: Ids): fc.Arbitrary<string> => {
  const shape = schema as Shape
  return valueFor(shape.items ?? shape, ids, 0, name).map(value => String(value))
}

/** Modifies a value in one to three places, at any depth: replaces, adds, duplicates or removes something. */
export const mutate = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      arbitrary,
      fc.array(fc.tuple(fc.nat(), hostileValue, fc.nat({ max: 9 })), { minLength: 1, maxLength: 3 }),
    )
    .map(([value, changes]) =>
      changes.reduce((changed, [at, replacement, kind]) => changeAt(changed, at, replacement, kind), value),
    )

function changeAt(value: unknown, at: number, replacement: unknown, kind: number): unknown {
  const copy = structuredClone(value)
  const places: [Record<string, unknown>, string][] = []
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key])
      visit((node as Record<string, unknown>)[key])
    }
  }
  visit(copy)
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return replacement
  const [node, key] = place
  if (kind === 0) delete node[key]
  else if (kind === 1) node[key] = [node[key], node[key]]
  else if (kind === 2) node[`${key}x`] = replacement
  else node[key] = replacement
  return copy
}
