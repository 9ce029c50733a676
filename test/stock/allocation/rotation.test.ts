// Stock rotation, compared with a table of the methods and a comparator for a single method. Spec 2.11.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareRotation, type RotationFields } from '../../../src/stock/allocation/rotation.ts'
import { RotationMethod } from '../../../src/vocabulary/partners.ts'

const plain: RotationFields = {
  batch: null,
  bestBeforeDate: null,
  expiryDate: null,
  packagingDate: null,
  productionDate: null,
  sellByDate: null,
  receivedDate: '2026-01-15',
}

/**
 * The field of each method and whether it is descending, according to the specification.
 */
const methods: Record<keyof typeof RotationMethod, [keyof RotationFields | null, boolean]> = {
  None: [null, false],
  Batch: ['batch', false],
  ExpiryAscending: ['expiryDate', false],
  ExpiryDescending: ['expiryDate', true],
  ProductionDateAscending: ['productionDate', false],
  ProductionDateDescending: ['productionDate', true],
  BestBeforeDateAscending: ['bestBeforeDate', false],
  BestBeforeDateDescending: ['bestBeforeDate', true],
  SellByDateAscending: ['sellByDate', false],
  SellByDateDescending: ['sellByDate', true],
  PackagingDateAscending: ['packagingDate', false],
  PackagingDateDescending: ['packagingDate', true],
  ReceivedDateAscending: ['receivedDate', false],
  ReceivedDateDescending: ['receivedDate', true],
}
const names = Object.keys(methods) as (keyof typeof RotationMethod)[]

/** Sample values of a field, in order: texts for a batch, dates for the others. */
const valuesOf = (field: keyof RotationFields) =>
  field === 'batch' ? ['B1', 'B2'] : ['2026-02-01', '2026-03-01']

const signOf = (n: number) => (n < 0 ? -1 : Number(n > 0))

/** The reference: compares two rows by a single method. */
function expected(name: keyof typeof RotationMethod, a: RotationFields, b: RotationFields): number {
  const [field, isDescending] = methods[name]
  if (field === null) return 0
  const [left, right] = [a[field], b[field]]
  if (left === right) return 0
  if (left === null || right === null) return left === null ? 1 : -1
  return left < right === isDescending ? 1 : -1
}

/** All combinations of values that two rows may have in a field. */
const pairs = (name: keyof typeof RotationMethod): [Partial<RotationFields>, Partial<RotationFields>][] => {
  const [field] = methods[name]
  if (field === null) return [[{}, {}]]
  const [first, second] = valuesOf(field)
  const none = field === 'receivedDate' ? [] : [null]
  const values = [first, second, ...none]
  return values.flatMap(left =>
    values.map((right): [Partial<RotationFields>, Partial<RotationFields>] => [
      { [field]: left },
      { [field]: right },
    ]),
  )
}

test('every pair of methods orders by the first, then the second, then the received date', () => {
  let cases = 0
  for (const first of names) {
    for (const second of names) {
      for (const [a1, b1] of pairs(first)) {
        for (const [a2, b2] of pairs(second)) {
          for (const [aDay, bDay] of [
            ['2026-01-15', '2026-01-15'],
            ['2026-01-14', '2026-01-15'],
            ['2026-01-16', '2026-01-15'],
          ]) {
            for (const stockDepletionMethod of [1, 2] as const) {
              const a: RotationFields = { ...plain, receivedDate: aDay as string, ...a2, ...a1 }
              const b: RotationFields = { ...plain, receivedDate: bDay as string, ...b2, ...b1 }
              const received = expected(
                stockDepletionMethod === 1 ? 'ReceivedDateAscending' : 'ReceivedDateDescending',
                a,
                b,
              )
              const wanted = expected(first, a, b) || expected(second, a, b) || received
              const rules = {
                rotationMethod: RotationMethod[first],
                rotationMethodSecondary: RotationMethod[second],
                stockDepletionMethod,
              }
              const actual = [signOf(compareRotation(rules, a, b)), signOf(compareRotation(rules, b, a))]
              assert.deepEqual(actual, [wanted, 0 - wanted], `${first}, ${second}: ${JSON.stringify([a, b])}`)
              cases++
            }
          }
        }
      }
    }
  }
  assert.ok(cases > 50_000, `${cases} cases`)
})

test('batches are compared by their bytes: upper case before lower case, and 10 before 9', () => {
  const rules = { rotationMethod: 1, rotationMethodSecondary: 0, stockDepletionMethod: 1 } as const
  const batches = ['a', 'Z', '10', '9', '\u{1F34E}', '\uFF21', 'é']
  const sorted = batches.toSorted((a, b) =>
    compareRotation(rules, { ...plain, batch: a }, { ...plain, batch: b }),
  )
  assert.deepEqual(sorted, ['10', '9', 'Z', 'a', 'é', '\uFF21', '\u{1F34E}'])
})
