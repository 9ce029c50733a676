// What programs are told of each message: the field and a code, read from its sentence.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorDetail, errorCodes, errorDetails } from '../../../src/platform/http/error-details.ts'
import {
  Code,
  Decimal,
  Email,
  IntegerEnum,
  PlainDate,
  Type,
  Uuid,
} from '../../../src/platform/http/schema.ts'
import { openValidation } from '../../../src/platform/http/validation.ts'

const { body } = openValidation()
const of = (type: string, message: string, status = 400) => {
  const [{ path, code }] = errorDetails(status, type, [message]) as [ErrorDetail]
  return [path, code]
}

test('every fault that a schema finds has the code of its kind and the path of its field', () => {
  for (const [schema, value, code] of [
    [Uuid, 1, 'type'],
    [Type.Integer(), 1.5, 'type'],
    [Type.Array(Uuid), {}, 'type'],
    [Uuid, 'x', 'format'],
    [PlainDate, '2026-02-30', 'format'],
    [Email, 'x', 'format'],
    [Type.Integer({ minimum: 5 }), 4, 'range'],
    [Type.Integer({ maximum: 5 }), 6, 'range'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, 'range'],
    [Decimal(2), 0.001, 'range'],
    [Type.Number(), Number.POSITIVE_INFINITY, 'range'],
    [Code, '', 'length'],
    [Code, ' ', 'length'],
    [Code, 'x'.repeat(51), 'length'],
    [Type.Array(Type.String(), { maxItems: 0 }), ['x'], 'length'],
    [IntegerEnum({ One: 1 }), 2, 'enum'],
    [Type.String({ pattern: '^[A-Z]$' }), 'a', 'pattern'],
    [Type.Array(Type.Integer(), { uniqueItems: true }), [1, 1], 'duplicate'],
  ] as const) {
    const check = body(Type.Object({ products: Type.Array(Type.Object({ given: schema })) }))
    const messages = check({ products: [{ given: value }] })
    const [detail] = errorDetails(400, 'Validation Failed', messages)
    assert.deepEqual([detail?.path, detail?.code], ['products[0].given', code], messages.join(' '))
  }
  const [missing] = body(Type.Object({ name: Code }))({})
  assert.deepEqual(of('Validation Failed', missing as string), ['name', 'required'])
})

test('sentences of handlers have the code of what they say, else of their kind', () => {
  const verification = (message: string) => of('Verification Failed', message)
  assert.deepEqual(verification('warehouseId names no warehouse.'), ['warehouseId', 'unknown_reference'])
  assert.deepEqual(verification('clientId does not name a client.'), ['clientId', 'unknown_reference'])
  assert.deepEqual(verification('The consignment is Closed; it cannot change.'), [null, 'state'])
  assert.deepEqual(verification('a.b[2].c is too late.'), ['a.b[2].c', 'state'])
  assert.deepEqual(of('Conflict', 'A warehouse with the code DUP exists already.', 409), [null, 'duplicate'])
  assert.deepEqual(of('Conflict', 'The import waits no more.', 409), [null, 'conflict'])
  assert.deepEqual(of('Not Found', 'Consignment not found.', 404), [null, 'not_found'])
  assert.deepEqual(of('Validation Failed', 'PageSize must be 500 or less.'), ['PageSize', 'range'])
  assert.deepEqual(of('Validation Failed', 'Status must be given once.'), ['Status', 'duplicate'])
  assert.deepEqual(of('Validation Failed', 'The content type must be application/json.', 415), [
    null,
    'unsupported_type',
  ])
})

test('every code is documented in a sentence', () => {
  for (const meaning of Object.values(errorCodes)) assert.match(meaning, /^[A-Z].*\.$/)
})
