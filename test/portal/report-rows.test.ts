// What the portal makes of the rows of a report: they are read while they arrive, and their sums are exact.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowTaker, sumOf, sumsByDate } from '../../portal/src/report-rows.ts'

const rows = [{ name: 'a "}{" \\' }, { name: '日本', parts: [{ n: 1 }, { n: null }] }, { name: ']' }]
const text = JSON.stringify(rows)

test('rows are found wherever their text is cut', () => {
  for (let at = 0; at <= text.length; at++) {
    const { take, end } = rowTaker(10)
    assert.equal(take(text.slice(0, at)), undefined)
    assert.equal(take(text.slice(at)), undefined)
    assert.deepEqual(end(), { rows, hasMore: false })
  }
})

test('a report with more rows than are shown is cut at the first that is too many', () => {
  assert.deepEqual(rowTaker(2).take(text), { rows: rows.slice(0, 2), hasMore: true })
  assert.deepEqual(rowTaker(3).take(text), undefined)
})

test('sums are those of the decimals, not of their approximations', () => {
  assert.equal(sumOf([0.1, 0.2, null, -0.4]), -0.1)
  assert.equal(sumOf(Array.from({ length: 10_000 }, () => 33.3333)), 333_333)
  assert.equal(sumOf([1e21, 1e-7, 12_345.678]), 1e21)
  assert.equal(sumOf([]), 0)
})

test('a plot has every day between the first and the last, and months once there are many', () => {
  const at = (date: string | null, n: number) => ({ date, n })
  assert.deepEqual(
    sumsByDate([at('2026-03-01T08:00:00', 2), at('2026-02-27', 1), at(null, 9)], 'date', 'n'),
    [
      { date: '2026-02-27', value: 1 },
      { date: '2026-02-28', value: 0 },
      { date: '2026-03-01', value: 2 },
    ],
  )
  assert.deepEqual(
    sumsByDate([at('2026-01-31', 1), at('2026-04-30', 2)], 'date', 'n').map(({ date }) => date),
    [...['2026-01', '2026-02', '2026-03', '2026-04']],
  )
  assert.deepEqual(sumsByDate([at('2026-01-31', 1)], 'date', 'n'), [])
  assert.deepEqual(sumsByDate([at('2026-01-31', -1), at('2026-02-01', 1)], 'date', 'n'), [])
})
