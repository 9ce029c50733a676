// Decoding the shared facts of parts from the texts that the database returns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedFacts } from '../../../src/billing/back-tests/shared-facts.ts'
import { ChargePartKind } from '../../../src/vocabulary/billing.ts'

test('a line of goods is decoded with its attributes and package, either of which may be missing', () => {
  const { subjects } = new SharedFacts()
  const attribute = { productAttributeId: 'a', description: 'two words, and\na line: 日本' }
  const given = [attribute.productAttributeId, attribute.description]
  const texts = [
    '2 product facts ',
    '2   ',
    `2 product facts ${JSON.stringify([[given], 'CT N'])}`,
    `2 product facts ${JSON.stringify([[given], null])}`,
    '2 product facts [[],"CTN"]',
    '3 task  ',
  ]
  const kind = ChargePartKind.Line
  const bare = { kind, productId: 'product', factsId: 'facts', facts: null }
  const found = Array.from(subjects.numbersOf(texts.join('\n')), number => subjects.at(number))
  assert.deepEqual(found, [
    { ...bare, attributes: [], packageTypeCode: null },
    { kind, productId: null, factsId: null, facts: null, attributes: [], packageTypeCode: null },
    { ...bare, attributes: [attribute], packageTypeCode: 'CT N' },
    { ...bare, attributes: [attribute], packageTypeCode: null },
    { ...bare, attributes: [], packageTypeCode: 'CTN' },
    { kind: ChargePartKind.Task, typeId: 'task' },
  ])
})
