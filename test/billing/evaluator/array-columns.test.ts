// Parsing columns: numbers of any size, in arrays and in lines, and numbered texts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ColumnBuffer, TextNumbers, wholeItems } from '../../../src/billing/evaluator/array-columns.ts'
import fc from '../../support/properties.ts'

const arrayOf = (items: readonly (string | null)[]): string =>
  `{${items.map(item => item ?? 'NULL').join(',')}}`

test('a column can hold small, large and negative numbers and nulls', () => {
  const column = new ColumnBuffer()
  const decimals = fc.option(
    fc.tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.boolean()).map(([n, isSmall]) => {
      const digits = (isSmall ? n / 10n ** 14n : n).toString().replace('-', '').padStart(5, '0')
      return `${n < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
    }),
    { nil: null },
  )
  fc.assert(
    fc.property(fc.array(decimals, { maxLength: 3000, size: 'max' }), items => {
      const expected = items.map(item => (item === null ? null : BigInt(item.replace('.', ''))))
      column.read(arrayOf(items))
      assert.equal(column.length, items.length)
      const found = items.map((_, n) => column.at(n))
      assert.deepEqual(
        found.map(item => (item === null ? null : BigInt(item))),
        expected,
      )
      assert.deepEqual(found, wholeItems(arrayOf(items)))
    }),
    { numRuns: 100 },
  )
  assert.equal(column.read(null).length, 0)
  assert.equal(column.read('{}').length, 0)
})

test('large numbers and nulls of one array do not carry over to the next', () => {
  const column = new ColumnBuffer().read('{99999999999999999999,NULL}')
  assert.equal(column.at(0), 99999999999999999999n)
  column.read('{NULL,5}')
  assert.deepEqual([column.length, column.at(0), column.at(1)], [2, null, 5])
})

test('equal texts have the same number in every column, and different texts have different numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.stringMatching(/^[ab+ ]{1,6}$/), { minLength: 1 })), columns => {
      const texts = new TextNumbers()
      for (const column of columns)
        assert.deepEqual(
          Array.from(texts.numbersOf(column.join('\n')), number => texts.text(number)),
          column,
        )
      assert.equal(texts.size, new Set(columns.flat()).size)
    }),
  )
})

test('thousands of texts keep their numbers, even if their hashes are equal', () => {
  // `Aa` and `BB` have the same hash.
  const pairs = Array.from({ length: 4096 }, (_, n) =>
    n.toString(2).padStart(12, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB'),
  )
  const texts = new TextNumbers()
  const column = pairs.join('\n')
  const numbers = texts.numbersOf(column)
  assert.equal(new Set(numbers).size, pairs.length)
  assert.deepEqual(texts.numbersOf(column), numbers)
  assert.deepEqual(
    Array.from(numbers, number => texts.text(number)),
    pairs,
  )
  assert.equal(texts.numbersOf(null).length, 0)
})

test('each line knows its numbers, whether it has none or several', () => {
  const column = new ColumnBuffer()
  fc.assert(
    fc.property(fc.array(fc.array(fc.option(fc.integer(), { nil: null })), { minLength: 1 }), lines => {
      column.read(lines.map(line => line.map(item => item ?? 'x').join(' ')).join('\n'))
      const found = lines.map((_, n) =>
        Array.from({ length: column.begin(n + 1) - column.begin(n) }, (_, i) =>
          column.at(column.begin(n) + i),
        ),
      )
      assert.deepEqual(found, lines)
      assert.equal(column.length, lines.flat().length)
    }),
  )
})
