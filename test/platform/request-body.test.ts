// What a body may hold, and how little a hostile one costs. Open-points 1; promise 22.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../src/platform/refusal.ts'
import { readJson } from '../../src/platform/request-body.ts'
import fc from '../properties.ts'

/** The messages with which a body is refused, or null where it is read. */
function refusalOf(body: string | Buffer): string[] | null {
  try {
    readJson(Buffer.from(body))
    return null
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    assert.deepEqual([error.status, error.type], [400, 'Validation Failed'])
    return error.messages
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('JSON of any shape is read as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      fc.pre(!JSON.stringify(value).includes('\\u0000'))
      assert.deepEqual(readJson(Buffer.from(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('no body at all is undefined', () => {
  assert.equal(readJson(Buffer.alloc(0)), undefined)
})

test('malformed JSON is refused without repeating it', () => {
  for (const text of ['{"secret":', '{secret}', '"secret', 'secret', '{"a":1}secret', "{'a':1}", '[1,]', 'NaN', ' ', '\ufeff{}', '"\\']) {
    const messages = refusalOf(text)
    assert.match(String(messages), /^The body is not valid JSON( \(at character \d+\))?\.$/, text)
  }
})

test('32 levels are read and 33 are refused, of arrays and of objects', () => {
  assert.equal(refusalOf(nested(32)), null)
  assert.deepEqual(refusalOf(nested(33)), ['The body must not be nested deeper than 32 levels.'])
  const objects = (depth: number) => '{"a":'.repeat(depth) + '0'.concat('}'.repeat(depth))
  assert.equal(refusalOf(objects(32)), null)
  assert.deepEqual(refusalOf(objects(33)), ['The body must not be nested deeper than 32 levels.'])
})

test('250,000 fields and elements are read and one more is refused, before the parser has to hold them', () => {
  const refused = ['The body must not have more than 250,000 fields and elements.']
  const elements = (count: number) => `[${Array(count).fill('1').join(', ')}]`
  assert.equal(refusalOf(elements(250_000)), null)
  assert.deepEqual(refusalOf(elements(250_001)), refused)
  const lines = (count: number) => `{"lines":[${Array.from({ length: count }, (_, i) => `{"a${i}":"[,]","b":{"c":null}}`).join()}]}`
  assert.equal(refusalOf(lines(62_499)), null)
  assert.deepEqual(refusalOf(lines(62_500)), refused)
  assert.deepEqual(refusalOf(`{${'"a":1,'.repeat(6_000_000)}`), refused)
})

test('brackets in texts are no levels, whatever quotes and backslashes surround them', () => {
  const text = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', 'a', ']', '}'), maxLength: 60 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), texts => {
      assert.deepEqual(readJson(Buffer.from(JSON.stringify(texts))), texts)
    }),
    { numRuns: 500 },
  )
})

test('what cannot be stored is refused by the name of its field', () => {
  assert.deepEqual(refusalOf('{"a":{"b":["x","\\u0000"]}}'), ['a.b[1] must not contain the NUL character.'])
  assert.deepEqual(refusalOf('{"a":"\\ud800"}'), ['a must not contain half of a surrogate pair.'])
  assert.deepEqual(refusalOf('{"a":"\\udc00\\ud800"}'), ['a must not contain half of a surrogate pair.'])
  assert.equal(refusalOf('{"a":"\\ud83d\\ude9a"}'), null)
  assert.deepEqual(refusalOf('{"a":1e400}'), ['a must be a number that can be held.'])
  assert.deepEqual(refusalOf('[-1e400]'), ['[0] must be a number that can be held.'])
  assert.deepEqual(refusalOf('"\\u0000"'), ['The body must not contain the NUL character.'])
  assert.deepEqual(refusalOf('{"a":{"\\u0000":1}}'), ['a must not have a field name with a character that cannot be stored.'])
})

test('bytes that are not UTF-8 are refused', () => {
  const faulty = [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xff, 0xfe], [0xe2, 0x82]]
  for (const bytes of faulty) {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
    assert.deepEqual(refusalOf(body), ['The body is not valid UTF-8.'])
  }
})

test('a field called __proto__ is a field like any other', () => {
  const value = readJson(Buffer.from('{"__proto__":{"admin":true},"constructor":1}')) as Record<string, unknown>
  assert.equal(value.admin, undefined)
  assert.ok(Object.hasOwn(value, '__proto__'))
  assert.equal(({} as Record<string, unknown>).admin, undefined)
})

test('40 MiB of nothing but brackets are refused in little memory', () => {
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
