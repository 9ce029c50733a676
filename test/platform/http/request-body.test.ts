// What a body may contain, and that a hostile body takes little time and memory. Decision 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../src/platform/http/refusal.ts'
import { readJson } from '../../../src/platform/http/request-body.ts'
import fc from '../../support/properties.ts'

/** Reads a body, and asserts that it can be stored. */
function readStorable(body: string): unknown {
  const { value, faults } = readJson(Buffer.from(body))
  assert.deepEqual(faults, [])
  return value
}

/** Returns the messages with which a body is refused, or null if it is accepted. */
function refusalOf(body: string | Buffer): string[] | null {
  try {
    const { faults } = readJson(Buffer.from(body))
    return faults.length > 0 ? faults.map(({ message }) => message) : null
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    assert.deepEqual([error.status, error.type], [400, 'Validation Failed'])
    return error.messages
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('JSON of any shape is read unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      fc.pre(!JSON.stringify(value).includes('\\u0000'))
      assert.deepEqual(readStorable(JSON.stringify(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('an empty body is undefined', () => {
  assert.equal(readStorable(''), undefined)
})

test('malformed JSON is refused without repeating it in the message', () => {
  for (const text of [
    '[+1234567890123456]',
    '[01234567890123456.1]',
    '[1234567890123456.]',
    '{"secret":',
    '{secret}',
    '"secret',
    'secret',
    '{"a":1}secret',
    "{'a':1}",
    '[1,]',
    'NaN',
    ' ',
    '\ufeff{}',
    '"\\',
  ]) {
    const messages = refusalOf(text)
    assert.match(String(messages), /^The body is not valid JSON( \(at character \d+\))?\.$/, text)
  }
})

test('32 nested arrays or objects are read and 33 are refused', () => {
  assert.equal(refusalOf(nested(32)), null)
  assert.deepEqual(refusalOf(nested(33)), ['The body must not be nested deeper than 32 levels.'])
  const objects = (depth: number) => '{"a":'.repeat(depth) + '0'.concat('}'.repeat(depth))
  assert.equal(refusalOf(objects(32)), null)
  assert.deepEqual(refusalOf(objects(33)), ['The body must not be nested deeper than 32 levels.'])
})

test('250,000 fields and elements are read, and one more is refused before the body is parsed', () => {
  const refused = ['The body must not have more than 250,000 fields and elements.']
  const elements = (count: number) => `[${Array(count).fill('1').join(', ')}]`
  assert.equal(refusalOf(elements(250_000)), null)
  assert.deepEqual(refusalOf(elements(250_001)), refused)
  const lines = (count: number) =>
    `{"lines":[${Array.from({ length: count }, (_, i) => `{"a${i}":"[,]","b":{"c":null}}`).join()}]}`
  assert.equal(refusalOf(lines(62_499)), null)
  assert.deepEqual(refusalOf(lines(62_500)), refused)
  assert.deepEqual(refusalOf(`{${'"a":1,'.repeat(6_000_000)}`), refused)
})

test('brackets in strings do not count as levels, whatever quotes and backslashes surround them', () => {
  const text = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', 'a', ']', '}'), maxLength: 60 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), texts => {
      assert.deepEqual(readStorable(JSON.stringify(texts)), texts)
    }),
    { numRuns: 500 },
  )
})

test('a value that cannot be stored is refused with the name of its field', () => {
  assert.deepEqual(refusalOf('{"a":{"b":["x","\\u0000"]}}'), ['a.b[1] must not contain the NUL character.'])
  assert.deepEqual(refusalOf('{"a":"\\ud800"}'), ['a must not contain half of a surrogate pair.'])
  assert.deepEqual(refusalOf('{"a":"\\udc00\\ud800"}'), ['a must not contain half of a surrogate pair.'])
  assert.equal(refusalOf('{"a":"\\ud83d\\ude9a"}'), null)
  assert.deepEqual(refusalOf('"\\u0000"'), ['The body must not contain the NUL character.'])
  assert.deepEqual(refusalOf('{"a":{"\\u0000":1}}'), [
    'a must not have a field name with a character that cannot be stored.',
  ])
})

test('all values that cannot be stored are reported at once, up to the maximum', () => {
  assert.deepEqual(
    refusalOf(
      '{"a":"\\u0000","b":[1,{"c":"\\udc00","\\ud800":"\\u0000"},"fine"],"__proto__":{"d":"\\u0000"}}',
    ),
    [
      'a must not contain the NUL character.',
      'b[1] must not have a field name with a character that cannot be stored.',
      'b[1].c must not contain half of a surrogate pair.',
      '__proto__.d must not contain the NUL character.',
    ],
  )
  assert.equal(refusalOf(JSON.stringify(Array(200_000).fill('\0')))?.length, 101)
})

test('a number is exact to the sixth decimal place, or becomes infinite', () => {
  const read = (number: string) =>
    (readStorable(`{"a":["1234567890123456",${number}]}`) as { a: [string, number] }).a[1]
  const exact = [
    '98765432101.12346',
    '9007199254740992',
    '-98765432101',
    '0.000001',
    '1e-7',
    '12345678901234567e-10',
    '0e99999999999999',
    '-0.00000000000000',
  ]
  for (const number of exact) assert.equal(read(number), Number(number), number)
  // Programs print a double with more digits than needed; the field gets the digits that it allows.
  for (const number of ['3.1000000000000001', '174.76333600000001', '1.0000000000000001e-05'])
    assert.equal(read(number), Number(number), number)
  const inexact = [
    '98765432101.123456',
    '98765432101.100004',
    '-98765432101.000001',
    '9007199254740993',
    '9.8765432101123456e10',
    '100000000000000000000.5',
  ]
  for (const number of inexact) assert.equal(read(number), Number.POSITIVE_INFINITY, number)
  assert.equal(read('1e400'), Number.POSITIVE_INFINITY)
})

test('every number with eleven digits and six decimal places is read exactly or becomes infinite', () => {
  const number = fc.tuple(fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  fc.assert(
    fc.property(number, ([whole, millionths]) => {
      const text = `${whole}.${String(millionths).padStart(6, '0')}`
      const read = readStorable(`[${text}]`) as [number]
      if (read[0] === Number.POSITIVE_INFINITY) return assert.ok(whole >= 1_000_000_000, text)
      // The database receives the shortest text of a number.
      const [integer = '', decimals = ''] = String(read[0]).split('.')
      assert.equal(BigInt(integer + decimals.padEnd(6, '0')), BigInt(text.replace('.', '')), text)
    }),
  )
})

test('a number of nine million digits takes only linear time', () => {
  const zeros = '0'.repeat(9_000_000)
  for (const number of [`0.${zeros}1`, `1${zeros}`, `1${zeros}e-9000000`, `1.${'01'.repeat(4_500_000)}`]) {
    // Measures processor time, so that other processes do not matter. Converting all digits as one number
    // would take seconds.
    const before = process.cpuUsage()
    readJson(Buffer.from(`[${number}]`))
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 1_000_000, `${(user + system) / 1_000} ms`)
  }
})

test('bytes that are not UTF-8 are refused', () => {
  const faulty = [
    [0x80],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xff, 0xfe],
    [0xe2, 0x82],
  ]
  for (const bytes of faulty) {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
    assert.deepEqual(refusalOf(body), ['The body is not valid UTF-8.'])
  }
})

test('a field called __proto__ is an ordinary field', () => {
  const value = readStorable('{"__proto__":{"admin":true},"constructor":1}') as Record<string, unknown>
  assert.equal(value.admin, undefined)
  assert.ok(Object.hasOwn(value, '__proto__'))
  assert.equal(({} as Record<string, unknown>).admin, undefined)
})

test('40 MiB of nothing but brackets are refused without using much memory', () => {
  const before = process.memoryUsage().rss
  for (const bomb of ['[', '{"a":', '[{"a":']) {
    const body = bomb.repeat(Math.floor(40_000_000 / bomb.length))
    assert.deepEqual(refusalOf(body), ['The body must not be nested deeper than 32 levels.'])
  }
  assert.ok(process.memoryUsage().rss - before < 500_000_000)
})

test('hundreds of thousands of fields are read', () => {
  const body = `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`
  assert.equal(refusalOf(body), null)
})
