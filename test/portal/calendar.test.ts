// The months that the calendar of a field shows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthLater, weeksOf } from '../../ui/months.ts'

test('a month is shown in weeks that begin with the day of the organisation', () => {
  // 1 November 2026 is a Sunday.
  assert.equal(weeksOf('2026-11-28', 1)[0]?.[0], '2026-10-26')
  assert.equal(weeksOf('2026-11-28', 7)[0]?.[0], '2026-11-01')
  assert.equal(weeksOf('2026-11-28', 6)[0]?.[0], '2026-10-31')
  for (let firstDay = 1; firstDay <= 7; firstDay++) {
    const days = weeksOf('2024-02-10', firstDay).flat()
    assert.equal(days.filter(day => day.startsWith('2024-02')).length, 29)
    assert.deepEqual(days, days.toSorted())
  }
})

test('a month later is the same day, or the last of a shorter month', () => {
  assert.equal(monthLater('2026-01-31', 1), '2026-02-28')
  assert.equal(monthLater('2024-03-31', -1), '2024-02-29')
  assert.equal(monthLater('2026-12-05', 1), '2027-01-05')
})
