// The faults of a request as sentences that name the field. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Fault } from '../../../src/platform/http/fault.ts'
import { pageQuery } from '../../../src/platform/http/paging.ts'
import {
  allOptional,
  Code,
  Count,
  Decimal,
  Email,
  IntegerEnum,
  LocalTime,
  Name,
  nullable,
  optional,
  PlainDate,
  TimeZone,
  Type,
  UtcTime,
  Uuid,
} from '../../../src/platform/http/schema.ts'
import { createValidation, isUuid } from '../../../src/platform/http/validation.ts'

const validation = createValidation({ even: text => text.length % 2 === 0 })
const sentences = (faults: readonly Fault[]) => faults.map(({ message }) => message)

/** The check of a schema; returns the sentences of the faults. */
function body(schema: TSchema) {
  const check = validation.body(schema)
  return (value: unknown) => sentences(check(value))
}
function query(schema: TSchema) {
  const read = validation.query(schema)
  return (given: Parameters<typeof read>[0]) => {
    const { query, faults } = read(given)
    return { query, faults: sentences(faults) }
  }
}
const uuid = '019a9d3e-7c7b-7d55-a1c5-0123456789ab'

/** The faults of a field `a` with this value. */
const faultsOf = (schema: TSchema, value: unknown) => body(Type.Object({ a: schema }))({ a: value })

test('every keyword has its own sentence', () => {
  const cases: [TSchema, unknown, string][] = [
    [Type.String(), 1, 'a must be a string.'],
    [Type.Number(), '1', 'a must be a number.'],
    [Type.Integer(), 1.5, 'a must be a whole number.'],
    [Type.Boolean(), 'true', 'a must be true or false.'],
    [Type.Object({}), [], 'a must be an object.'],
    [Type.Array(Type.String()), {}, 'a must be an array.'],
    [nullable(Type.Integer()), 'x', 'a must be a whole number.'],
    [nullable(Type.Object({})), 'x', 'a must be an object.'],
    [Type.Unsafe({ anyOf: [Type.Object({}), { type: 'null' }] }), 'x', 'a must be an object.'],
    [Type.Unsafe({ type: ['string', 'integer'] }), true, 'a must be a string or a whole number.'],
    [Type.Unsafe({ const: 7 }), 8, 'a must be 7.'],
    [IntegerEnum({ Client: 1, Carrier: 2 }), 3, 'a must be one of 1 (Client), 2 (Carrier).'],
    [nullable(IntegerEnum({ Client: 1, Carrier: 2 })), 3, 'a must be one of 1 (Client), 2 (Carrier).'],
    [Type.String({ minLength: 1 }), '', 'a must not be empty.'],
    [Type.String({ minLength: 2 }), 'x', 'a must have at least 2 characters.'],
    [Type.String({ maxLength: 1 }), 'xx', 'a must have at most 1 character.'],
    [Type.String({ maxLength: 4000 }), 'x'.repeat(4001), 'a must have at most 4,000 characters.'],
    [Type.String({ pattern: '^[A-Z]+$' }), 'a', 'a has a form that is not allowed.'],
    [Name, '  \t', 'a must not be blank.'],
    [Name, '', 'a must not be empty.'],
    [Type.String({ minLength: 2, format: 'even' }), 'x', 'a must have at least 2 characters.'],
    [Type.Integer({ enum: [1, 2] }), '2', 'a must be one of 1, 2.'],
    [Type.Integer({ enum: [1, 2] }), null, 'a must be one of 1, 2.'],
    [Type.Unsafe({ type: 'string', const: 'x' }), 1, 'a must be a string.'],
    [Code, 'x'.repeat(51), 'a must have at most 50 characters.'],
    [Type.Array(Type.Integer(), { minItems: 1 }), [], 'a must have at least 1 entry.'],
    [Type.Array(Type.Integer(), { maxItems: 2 }), [1, 2, 3], 'a must have at most 2 entries.'],
    [Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'a must not name the same entry twice.'],
    [Type.Integer({ minimum: 1 }), 0, 'a must be 1 or more.'],
    [Type.Integer({ maximum: 1 }), 2, 'a must be 1 or less.'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, 'a must be more than 0.'],
    [Type.Number({ exclusiveMaximum: 1 }), 1, 'a must be less than 1.'],
    [Decimal(2), 1.005, 'a must have at most 2 decimal places.'],
    [Decimal(1), 1.05, 'a must have at most 1 decimal place.'],
    [Decimal(4, { minimum: 0 }), 1e300, 'a must be 99999999999 or less.'],
    [Uuid, 'x', 'a must be a uuid.'],
    [Email, 'nobody', 'a must be an email address.'],
    [PlainDate, '2026-02-30', 'a must be a date in the form YYYY-MM-DD.'],
    [LocalTime, '2026-02-28T25:00:00Z', 'a must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.'],
    [UtcTime, 'today', 'a must be an ISO 8601 date and time, such as 2026-03-31T09:30:00.'],
    [TimeZone, 'Mars/Olympus', 'a must be an IANA time zone name, such as Pacific/Auckland.'],
    [Type.String({ format: 'uri' }), 'nowhere', 'a must be an absolute URL.'],
    [Type.String({ format: 'even' }), 'odd', 'a must be even.'],
    [Type.String({ pattern: '^x', fault: 'must begin with x' }), 'y', 'a must begin with x.'],
    [Type.String({ pattern: '^x', fault: 'must begin with x' }), 1, 'a must be a string.'],
    [Type.Unsafe({ not: {} }), 1, 'The body is not in an allowed form.'],
  ]
  for (const [schema, value, sentence] of cases) assert.deepEqual(faultsOf(schema, value), [sentence])
})

test('the body itself can be faulty', () => {
  const check = body(Type.Object({ a: Type.String() }))
  for (const value of [[], 'text', 1, true, null])
    assert.deepEqual(check(value), ['The body must be an object.'])
  assert.deepEqual(check({}), ['a is required.'])
})

test('decimals are counted exactly', () => {
  for (const value of [0.1, 0.0001, -0.0001, 1.2345, 99_999_999_999, 12_345_678.9012, 0, -0, 1e-4])
    assert.deepEqual(faultsOf(Decimal(4), value), [])
  for (const value of [0.00001, 1.23456, 1e-5, 5e-324, 0.1 + 0.2])
    assert.equal(faultsOf(Decimal(4), value).length, 1, String(value))
})

test('a number that a double cannot represent exactly is refused if a number is required', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const sentence = 'a must be a number that can be held exactly, of 15 digits or fewer.'
    for (const schema of [Decimal(6), nullable(Type.Integer()), Type.Number()])
      assert.deepEqual(faultsOf(schema, value), [sentence])
    assert.deepEqual(faultsOf(Type.String(), value), ['a must be a string.'])
    assert.deepEqual(body(Type.Object({}))({ unknown: value }), [])
  }
})

test('all faults are reported together, with the names of nested fields', () => {
  const schema = Type.Object({
    products: Type.Array(Type.Object({ code: Code, items: Type.Array(Type.Object({ quantity: Count })) })),
    note: Type.Object({ text: Type.String() }),
  })
  const faults = body(schema)({
    products: [
      { code: 'A', items: [{ quantity: -1 }, {}] },
      { code: ' ', items: 0 },
    ],
    note: { text: null },
  })
  assert.deepEqual(faults.toSorted(), [
    'note.text must be a string.',
    'products[0].items[0].quantity must be 0 or more.',
    'products[0].items[1].quantity is required.',
    'products[1].code must not be blank.',
    'products[1].items must be an array.',
  ])
})

test('the same sentence is reported only once', () => {
  assert.deepEqual(faultsOf(Type.Unsafe({ allOf: [Type.Integer(), Type.Integer()] }), 'x'), [
    'a must be a whole number.',
  ])
})

test('two independent faults of one value are both reported', () => {
  assert.deepEqual(faultsOf(Decimal(2, { maximum: 5 }), 6.001).toSorted(), [
    'a must be 5 or less.',
    'a must have at most 2 decimal places.',
  ])
  const faults = body(Type.Object({ a: Name, b: Type.Object({ a: Name }) }))({ a: '', b: { a: ' ' } })
  assert.deepEqual(faults.toSorted(), ['a must not be empty.', 'b.a must not be blank.'])
})

test('a million faults take no more memory than a thousand', () => {
  const schema = Type.Object({
    a: Type.Array(Type.Object({ b: Type.Integer({ minimum: 1 }), c: Type.String() }), { maxItems: 10 }),
  })
  const value = { a: Array(1_000_000).fill({ b: 0 }) }
  const check = body(schema)
  check({})
  const before = process.memoryUsage().heapUsed
  assert.equal(check(value).length, 1_000)
  assert.ok(process.memoryUsage().heapUsed - before < 20_000_000)
})

test('null for an optional field means absent, and null for a required field is a fault', () => {
  const check = body(
    Type.Object({
      ...allOptional({ a: Type.String(), b: Uuid }),
      c: Type.String(),
      d: optional(Type.Array(Type.String())),
    }),
  )
  assert.deepEqual(check({ a: null, b: null, c: 'x', d: null }), [])
  assert.deepEqual(check({ c: 'x' }), [])
  assert.deepEqual(check({ c: null }), ['c must be a string.'])
})

test('unknown fields are ignored, even those with unusual names', () => {
  const check = body(Type.Object({ a: Type.String() }))
  assert.deepEqual(check({ a: 'x', unknown: {}, constructor: 1, 'a/b': 1, '': 1, ['__proto__']: 1 }), [])
})

test('types in a body are not converted', () => {
  const check = body(Type.Object({ a: Type.Integer(), b: Type.Array(Type.String()), c: Type.Boolean() }))
  assert.deepEqual(check({ a: '1', b: 'x', c: 'true' }).toSorted(), [
    'a must be a whole number.',
    'b must be an array.',
    'c must be true or false.',
  ])
})

test('a uuid has 36 characters in upper or lower case and nothing around them', () => {
  assert.ok(isUuid(uuid) && isUuid(uuid.toUpperCase()))
  for (const text of [`urn:uuid:${uuid}`, `{${uuid}}`, ` ${uuid}`, `${uuid}\n`, uuid.replaceAll('-', ''), ''])
    assert.ok(!isUuid(text), text)
  assert.deepEqual(faultsOf(Uuid, `urn:uuid:${uuid}`), ['a must be a uuid.'])
})

test('uuids of a request become lower case, wherever they are, and other texts stay as they are', () => {
  const upper = uuid.toUpperCase()
  const value = {
    id: upper,
    list: [upper, uuid],
    nested: [{ id: upper, none: null }],
    either: upper,
    text: upper,
  }
  const schema = Type.Object({
    id: Uuid,
    list: Type.Array(Uuid),
    nested: optional(Type.Array(Type.Object({ id: optional(Uuid), none: optional(Uuid) }))),
    either: Type.Union([Type.Integer(), Uuid]),
    text: Type.String(),
  })
  assert.deepEqual(body(schema)(value), [])
  const nested = [{ id: uuid, none: null }]
  assert.deepEqual(value, { id: uuid, list: [uuid, uuid], nested, either: uuid, text: upper })
  const read = query(Type.Object({ ClientId: optional(Uuid), Ids: Type.Array(Uuid) }))
  assert.deepEqual(read({ clientid: upper, ids: [upper] }), {
    query: { ClientId: uuid, Ids: [uuid] },
    faults: [],
  })
})

test('a parameter with a single value must be given once, and an enumeration accepts only its values', () => {
  const Kind = { ...IntegerEnum({ Client: 1, Carrier: 2 }), enumeration: { Client: 1, Carrier: 2 } }
  const read = query(Type.Object({ Kind: optional(Kind), N: optional(Type.Integer()) }))
  assert.deepEqual(read({ n: ['1', '2'] }).faults, ['N must be given once.'])
  assert.deepEqual(read({ n: '1', N: 'x' }).faults, ['N must be given once.'])
  const allowed = 'must be one of 1 (Client), 2 (Carrier).'
  for (const text of ['Client', '3', '1.5', ''])
    assert.deepEqual(read({ Kind: text }).faults, [`Kind ${allowed}`])
  assert.deepEqual(faultsOf(Kind, 'Client'), [`a ${allowed}`])
  assert.deepEqual(faultsOf(Type.Integer({ enum: [1, 2] }), 'x'), ['a must be one of 1, 2.'])
})

test('dates are calendar days that the database can store', () => {
  for (const text of ['2024-02-29', '0001-01-01', '0004-02-29', '1899-12-31', '9999-12-31'])
    assert.deepEqual(faultsOf(PlainDate, text), [], text)
  for (const text of [
    '0000-00-00',
    '0000-01-01',
    '0100-02-29',
    '2023-02-29',
    '99999-01-01',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    '2026-13-01',
    '',
  ]) {
    assert.equal(faultsOf(PlainDate, text).length, 1, text)
  }
})

test('a rule reports faults inside its value, together with the faults of the schema', () => {
  const Dates = Type.Object(
    { from: Type.String(), to: Type.String(), items: Type.Array(Type.Object({ n: Type.Integer() })) },
    {
      rule: (value: unknown) => {
        const { from, to } = value as { from?: string; to?: string }
        return from !== undefined && to !== undefined && from > to
          ? [
              { path: '.to', problem: 'must not be before from' },
              { path: '.items[1]', problem: 'is out of range' },
            ]
          : []
      },
    },
  )
  const check = body(Type.Object({ period: Dates }))
  assert.deepEqual(check({ period: { from: 'a', to: 'b', items: [] } }), [])
  assert.deepEqual(check({ period: { from: 'b', to: 'a', items: [{ n: 'x' }] } }).toSorted(), [
    'period.items[0].n must be a whole number.',
    'period.items[1] is out of range.',
    'period.to must not be before from.',
  ])
})

test('a rule that throws refuses the value', () => {
  const Texts = Type.Array(Type.String(), {
    rule: (value: unknown) => (new Set((value as unknown[]).map(String)).size > 1 ? [] : []),
  })
  assert.deepEqual(faultsOf(Texts, [{ toString: 1 }]).toSorted(), [
    'a is not in an allowed form.',
    'a[0] must be a string.',
  ])
})

test('query names are case-insensitive, unknown ones are ignored, and defaults are set', () => {
  const read = query(pageQuery({ SearchText: Type.Optional(Type.String()) }))
  assert.deepEqual(read({ pageindex: '2', SEARCHTEXT: 'x', Unknown: '\0', constructor: 'y' }), {
    query: { PageIndex: 2, PageSize: 25, SearchText: 'x' },
    faults: [],
  })
})

test('numbers and booleans in a query are parsed', () => {
  const schema = Type.Object(
    allOptional({ N: Type.Integer(), D: Type.Number(), B: Type.Boolean(), S: Type.String() }),
  )
  const read = query(schema)
  assert.deepEqual(read({ N: '-12', D: '1.5', B: 'TRUE', S: '5' }), {
    query: { N: -12, D: 1.5, B: true, S: '5' },
    faults: [],
  })
  assert.deepEqual(read({ B: 'False' }).query, { B: false })
  assert.deepEqual(read({ N: 'x', D: 'NaN', B: 'yes' }).faults.toSorted(), [
    'B must be true or false.',
    'D must be a number.',
    'N must be a whole number.',
  ])
  for (const N of [
    '1.5',
    '1e400',
    'Infinity',
    '9'.repeat(400),
    '1,5',
    '1 2',
    '0x10',
    '1e2',
    ' 5',
    '',
    '+5',
    '1.',
    '٣',
  ])
    assert.equal(read({ N }).faults.length, 1, N)
})

test('a character that cannot be stored hides no other fault of a query', () => {
  const schema = Type.Object({ ...allOptional({ A: Type.String(), B: Type.String() }), C: Type.Integer() })
  const faults = ['A must be given once.', 'B must not contain the NUL character.', 'C is required.']
  assert.deepEqual(query(schema)({ A: ['1', '2'], B: 'x\0' }).faults, faults)
})

test('a repeated name in any case becomes a list if the schema has one, otherwise it is a fault', () => {
  const schema = Type.Object({
    Ids: Type.Optional(Type.Array(Type.Integer())),
    One: Type.Optional(Type.Integer()),
  })
  const read = query(schema)
  assert.deepEqual(read({ Ids: '1' }).query, { Ids: [1] })
  assert.deepEqual(read({ Ids: ['1', '2'], ids: '3' }).query, { Ids: [1, 2, 3] })
  assert.deepEqual(read({ One: ['1', '2'] }).faults, ['One must be given once.'])
  assert.deepEqual(read({ One: '1', ONE: '2' }).faults, ['One must be given once.'])
})

test('a query text that cannot be stored is refused', () => {
  const read = query(
    Type.Object({ SearchText: Type.Optional(Type.String()), Ids: Type.Optional(Type.Array(Type.String())) }),
  )
  assert.deepEqual(read({ searchtext: 'a\0b' }).faults, ['SearchText must not contain the NUL character.'])
  assert.deepEqual(read({ Ids: ['a', '\ud800'] }).faults, ['Ids must not contain half of a surrogate pair.'])
})
