import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PickSortBy } from '../../../src/jobs/enumerations.ts'
import { byName, inPickOrder } from '../../../src/paper/documents/pick-order.ts'
import fc from '../../support/properties.ts'

const at = (locationName: string, walkingOrder: number | null = null, productCode = 'APPLE') => ({
  locationName,
  walkingOrder,
  productCode,
  productName: `Name of ${productCode}`,
})
const names = (rows: { locationName: string }[]) => rows.map(({ locationName }) => locationName)

test('locations go in walking order, and those without one last, in natural order', () => {
  const rows = [at('A-10'), at('A-2'), at('Z-01', 1), at('B-01', 2), at('A-1')]
  assert.deepEqual(names(inPickOrder(rows, PickSortBy.Location)), ['Z-01', 'B-01', 'A-1', 'A-2', 'A-10'])
})

test('by code and by name the figures in them count as numbers, and equal ones go by location', () => {
  const rows = [at('B', null, 'P10'), at('A', null, 'P10'), at('C', null, 'P2')]
  assert.deepEqual(names(inPickOrder(rows, PickSortBy.ProductCode)), ['C', 'A', 'B'])
  assert.deepEqual(names(inPickOrder(rows, PickSortBy.ProductName)), ['C', 'A', 'B'])
})

test('names that differ have one order, whichever way round they are asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      assert.equal(Math.sign(byName(a, b)) + Math.sign(byName(b, a)), 0)
      assert.equal(byName(a, b) === 0, a === b)
    }),
  )
})
