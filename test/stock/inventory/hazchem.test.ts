// Emergency action codes and UN numbers. Spec 2.14, 2.16.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHazchem, unNumberOf } from '../../../src/stock/inventory/hazchem.ts'

const codes: [string | null, number | null, number | null, boolean | null][] = [
  ['1P', 1, 1, false],
  ['2R', 2, 2, false],
  ['3S', 3, 3, false],
  ['4[S]', 4, 4, false],
  ['•2T', 5, 5, false],
  ['*3[T]', 6, 6, false],
  ['2W', 2, 7, false],
  ['2XE', 2, 8, true],
  ['·3YE', 6, 9, true],
  ['●2[Y]E', 5, 10, true],
  ['2Z', 2, 11, false],
  [' 3 [z] e ', 3, 12, true],
  ['2YE', 2, 9, true],
  // Digits 1 and 4 have no foam variant, and there is no black P.
  ['•1Z', null, null, null],
  ['*4Z', null, null, null],
  ['2[P]', null, null, null],
  ['5Z', null, null, null],
  ['2', null, null, null],
  ['Z', null, null, null],
  ['2ZEE', null, null, null],
  ['', null, null, null],
  [null, null, null, null],
]

for (const [code, fire, safety, evacuate] of codes)
  test(`the emergency action code ${code}`, () => {
    assert.deepEqual(parseHazchem(code), {
      dgHazchemFireCode: fire,
      dgHazchemSafetyCode: safety,
      dgHazchemEvacuate: evacuate,
    })
  })

test('a UN number consists of the digits of its text', () => {
  const numbers = ['UN 2037', 'un1203', '0004', 'NA', '', null, '12345678901'].map(unNumberOf)
  assert.deepEqual(numbers, [2037, 1203, 4, null, null, null, null])
})
