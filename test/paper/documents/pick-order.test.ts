import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareNames, sortPicks } from '../../../src/paper/documents/pick-order.ts'
import { PickSortBy } from '../../../src/vocabulary/jobs.ts'
import fc from '../../support/properties.ts'

const at = (locationName: string, walkingOrder: number | null = null, productCode = 'APPLE') => ({
  locationName,
  walkingOrder,
  productCode,
  productName: `Name of ${productCode}`,
})
const names = (rows: { locationName: string }[]) => rows.map(({ locationName }) => locationName)

test('locations are in walking order, and those without one come last in natural order', () => {
  const rows = [at('A-10'), at('A-2'), at('Z-01', 1), at('B-01', 2), at('A-1')]
  assert.deepEqual(names(sortPicks(rows, PickSortBy.Location)), ['Z-01', 'B-01', 'A-1', 'A-2', 'A-10'])
})

test('codes and names are compared with their digits as numbers, and equal ones are sorted by location', () => {
  const rows = [at('B', null, 'P10'), at('A', null, 'P10'), at('C', null, 'P2')]
  assert.deepEqual(names(sortPicks(rows, PickSortBy.ProductCode)), ['C', 'A', 'B'])
  assert.deepEqual(names(sortPicks(rows, PickSortBy.ProductName)), ['C', 'A', 'B'])
})

test('comparing names is antisymmetric, and only identical names are equal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(compareNames(a, b)) + Math.sign(compareNames(b, a)), 0)
      assert.equal(compareNames(a, b) === 0, a === b)
    }),
  )
})
