// GS1 element strings in the barcodes of labels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkDigit,
  elementString,
  fnc1,
  type Gs1Element,
  gs1Date,
  gtin14,
  humanReadable,
  isGs1Text,
  splitElements,
} from '../../../src/paper/labels/gs1.ts'

test('check digits match examples published by GS1', () => {
  for (const [digits, digit] of [
    ['629104150021', '3'],
    ['10614141543219'.slice(0, 13), '9'],
    ['9638507', '4'],
    ['03600029145', '2'],
    ['37610425002123456', '9'],
  ] as const)
    assert.equal(checkDigit(digits), digit, digits)
})

test('a GTIN of any length is padded to 14 digits, and anything else is rejected', () => {
  assert.equal(gtin14('6291041500213'), '06291041500213')
  assert.equal(gtin14(' 96385074 '), '00000096385074')
  assert.equal(gtin14('036000291452'), '00036000291452')
  for (const wrong of [
    null,
    '',
    '6291041500214',
    '629104150021',
    'ABC',
    '1234567890123456',
    '62910415 00213',
  ])
    assert.equal(gtin14(wrong), null, String(wrong))
})

test('a date becomes YYMMDD, or null if two digits are ambiguous for its year', () => {
  assert.equal(gs1Date('2027-03-31'), '270331')
  assert.equal(gs1Date('2075-12-31'), '751231')
  assert.equal(gs1Date('9999-12-31'), null)
  assert.equal(gs1Date('1999-12-31'), null)
})

test('a batch has at most 20 characters of the GS1 set of 82', () => {
  for (const right of ['A', 'ABC-123/45_x', '12345678901234567890', '!"%&\'()*+,-./:;<=>?'])
    assert.ok(isGs1Text(right), right)
  for (const wrong of ['', 'A B', '123456789012345678901', 'é', 'A^B', 'A~', '#', '$', '@', '[', 'x\u001d'])
    assert.ok(!isGs1Text(wrong), wrong)
})

const contents: Gs1Element[] = [
  { ai: '02', value: '09421234567892' },
  { ai: '37', value: '48' },
  { ai: '15', value: '270331' },
  { ai: '10', value: 'L7' },
]

test('a separator follows a value of variable length, unless it is the last', () => {
  assert.equal(elementString(contents), `0209421234567892${'3748'}${fnc1}1527033110L7`)
  assert.equal(humanReadable(contents), '(02)09421234567892 (37)48 (15)270331 (10)L7')
})

test('elements are divided between symbols in order, and a trade item stays with its count', () => {
  const upTo = (max: number) => (elements: readonly Gs1Element[]) => elementString(elements).length <= max
  const divided = (max: number) => splitElements(contents, upTo(max))?.map(part => part.map(({ ai }) => ai))
  assert.deepEqual(divided(48), [['02', '37', '15', '10']])
  assert.deepEqual(divided(29), [['02', '37', '15'], ['10']])
  assert.deepEqual(divided(20), [
    ['02', '37'],
    ['15', '10'],
  ])
  assert.equal(divided(19), undefined, 'the count would be in a symbol of its own')
  assert.deepEqual(splitElements([], upTo(48)), [])
})
