// When periods begin and end, and when their runs are due: examples, and properties that hold for any rules.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  type Calendar,
  type DatedRule,
  instantAt,
  nextPeriod,
  rulesInForce,
  runInstant,
} from '../../../src/billing/runs/billing-period.ts'
import { localTimeAt } from '../../../src/platform/local-time.ts'
import { BillingPeriod } from '../../../src/vocabulary/billing.ts'
import fc from '../../support/properties.ts'

const { Weekly, Fortnightly, HalfMonthly, Monthly, FourWeekly } = BillingPeriod
const calendar = (period: BillingPeriod, more: Partial<Calendar> = {}): Calendar => ({
  ...{ period, weekday: null, dayOfMonth: null, anchorDate: null },
  ...more,
})
const since = (countsFrom: string, rule: Calendar | null): DatedRule<Calendar> => ({ countsFrom, rule })

/** Returns the last days of the consecutive periods from a day on. */
function endsFrom(history: DatedRule<Calendar>[], from: string, count: number): string[] {
  const ends: string[] = []
  let next = from
  while (ends.length < count) {
    const period = nextPeriod(history, next)
    if (period === null) break
    assert.equal(period.periodFrom, next)
    ends.push(period.periodTo)
    next = addDays(period.periodTo, 1)
  }
  return ends
}
const ends = (rule: Calendar, from: string, count: number) =>
  endsFrom([since('2020-01-01', rule)], from, count)

test('weeks end on their weekday, by default Sunday', () => {
  assert.deepEqual(ends(calendar(Weekly), '2026-11-18', 3), ['2026-11-22', '2026-11-29', '2026-12-06'])
  assert.deepEqual(ends(calendar(Weekly, { weekday: 5 }), '2026-11-20', 2), ['2026-11-20', '2026-11-27'])
})

test('fortnightly and four-weekly periods are counted from their anchor, also before it', () => {
  const fortnights = calendar(Fortnightly, { anchorDate: '2026-03-11', weekday: 5 })
  assert.deepEqual(ends(fortnights, '2026-02-14', 3), ['2026-02-27', '2026-03-13', '2026-03-27'])
  const weeks = calendar(FourWeekly, { anchorDate: '2026-03-11' })
  assert.deepEqual(ends(weeks, '2026-01-15', 3), ['2026-02-11', '2026-03-11', '2026-04-08'])
  assert.deepEqual(ends(weeks, '2030-01-01', 1), ['2030-01-09'])
})

test('months end on their day, or on the last day if they are shorter', () => {
  assert.deepEqual(ends(calendar(Monthly), '2027-12-05', 4), [
    '2027-12-31',
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
  ])
  assert.deepEqual(ends(calendar(Monthly, { dayOfMonth: 30 }), '2027-01-01', 4), [
    '2027-01-30',
    '2027-02-28',
    '2027-03-30',
    '2027-04-30',
  ])
  assert.deepEqual(ends(calendar(Monthly, { dayOfMonth: 20 }), '2026-11-21', 2), ['2026-12-20', '2027-01-20'])
})

test('half-months end on the 15th and with the month, or 15 days apart', () => {
  assert.deepEqual(ends(calendar(HalfMonthly), '2027-02-01', 4), [
    '2027-02-15',
    '2027-02-28',
    '2027-03-15',
    '2027-03-31',
  ])
  assert.deepEqual(ends(calendar(HalfMonthly, { dayOfMonth: 15 }), '2027-02-16', 2), [
    '2027-02-28',
    '2027-03-15',
  ])
  for (const dayOfMonth of [5, 20])
    assert.deepEqual(ends(calendar(HalfMonthly, { dayOfMonth }), '2027-02-06', 3), [
      '2027-02-20',
      '2027-03-05',
      '2027-03-20',
    ])
})

test('another rule ends the running period the day before it applies', () => {
  const history = [since('2026-01-01', calendar(Monthly)), since('2026-03-10', calendar(Weekly))]
  assert.deepEqual(endsFrom(history, '2026-02-01', 4), [
    '2026-02-28',
    '2026-03-09',
    '2026-03-15',
    '2026-03-22',
  ])
  const backwards = [since('2026-03-01', calendar(Weekly)), since('2026-03-09', calendar(Monthly))]
  assert.deepEqual(
    endsFrom(backwards, '2026-03-02', 3),
    ['2026-03-08', '2026-03-31', '2026-04-30'],
    'a change on the first day of a period shortens nothing',
  )
})

test('a rule with the same calendar shortens nothing, and the newer one applies to the bill', () => {
  const [older, newer] = [
    { ...calendar(Monthly), n: 1 },
    { ...calendar(Monthly), n: 2 },
  ]
  const history = [
    { countsFrom: '2026-01-01', rule: older },
    { countsFrom: '2026-03-10', rule: newer },
  ]
  assert.deepEqual(nextPeriod(history, '2026-03-01'), {
    ...{ periodFrom: '2026-03-01', periodTo: '2026-03-31', rule: newer },
  })
  assert.equal(nextPeriod(history, '2026-02-01')?.rule, older)
})

test('days before the first rule are billed by it, and days without a rule by the next one', () => {
  assert.deepEqual(endsFrom([since('2026-03-10', calendar(Monthly))], '2026-01-20', 2), [
    ...['2026-01-31', '2026-02-28'],
  ])
  const paused = [
    ...[since('2026-01-01', calendar(Monthly)), since('2026-02-11', null)],
    since('2026-04-05', calendar(Weekly)),
  ]
  assert.deepEqual(endsFrom(paused, '2026-02-01', 2), ['2026-02-10', '2026-02-15'])
  assert.deepEqual(endsFrom(paused.slice(0, 2), '2026-02-01', 2), ['2026-02-10'], 'no rule, no period')
})

test("a partner's own rule takes precedence over the organisation's, which applies again once it is removed", () => {
  const [own, organisation] = [calendar(Weekly), calendar(Monthly)]
  assert.deepEqual(
    rulesInForce(
      [since('2026-02-01', own), since('2026-05-01', null)],
      [since('2026-01-01', organisation), since('2026-06-01', null)],
    ),
    [
      since('2026-01-01', organisation),
      since('2026-02-01', own),
      since('2026-05-01', organisation),
      since('2026-06-01', null),
    ],
  )
})

const dates = fc.integer({ min: 20_000, max: 23_000 }).map(day => addDays('1970-01-01', day))
const calendars = fc.record({
  period: fc.constantFrom(Weekly, Fortnightly, HalfMonthly, Monthly, FourWeekly),
  weekday: fc.option(fc.integer({ min: 1, max: 7 })),
  dayOfMonth: fc.option(fc.integer({ min: 1, max: 31 })),
  anchorDate: dates,
})
const histories = fc
  .uniqueArray(fc.record({ countsFrom: dates, rule: fc.option(calendars, { freq: 8 }) }), {
    ...{ minLength: 1, maxLength: 5, selector: ({ countsFrom }) => countsFrom },
  })
  .map(rules => rules.toSorted((a, b) => (a.countsFrom < b.countsFrom ? -1 : 1)))

test('for any sequence of rules, every day is billed exactly once and no period is too long', () => {
  const longest = { [Weekly]: 7, [Fortnightly]: 14, [HalfMonthly]: 16, [Monthly]: 31, [FourWeekly]: 28 }
  fc.assert(
    fc.property(histories, dates, (history, first) => {
      let from = first
      for (let n = 0; n < 60; n++) {
        const period = nextPeriod(history, from)
        if (period === null) {
          const running = history.findLast(({ countsFrom }) => countsFrom <= from) ?? history[0]
          return assert.equal(running?.rule, null)
        }
        assert.equal(period.periodFrom, from)
        assert.ok(period.periodTo >= from, 'a period has a day')
        const days = (Date.parse(period.periodTo) - Date.parse(from)) / 86_400_000 + 1
        assert.ok(days <= Math.max(...Object.values(longest)))
        if (history.every(({ countsFrom }) => countsFrom <= from || countsFrom > period.periodTo))
          assert.ok(days <= longest[period.rule.period])
        from = addDays(period.periodTo, 1)
      }
    }),
    { numRuns: 500 },
  )
})

test('without changes, periods end on the same days whichever day the count starts from', () => {
  fc.assert(
    fc.property(calendars, dates, fc.integer({ min: 0, max: 40 }), (rule, first, later) => {
      const all = ends(rule, first, 60)
      const start = addDays(first, later)
      const [end] = ends(rule, start, 1)
      assert.ok(all.includes(end as string), `${end} of ${all.slice(0, 5)}`)
    }),
    { numRuns: 500 },
  )
})

test("a run is due at the rule's time in the organisation's time zone", () => {
  const period = { periodFrom: '2026-11-01', periodTo: '2026-11-30' }
  const at = (graceDays: number, runAt: string, zone: string, others: string[] = []) =>
    runInstant(period, { graceDays, runAt }, zone, others).toISOString()
  assert.equal(at(0, '02:00', 'Pacific/Auckland'), '2026-11-30T13:00:00.000Z')
  assert.equal(at(2, '06:30', 'Pacific/Auckland'), '2026-12-02T17:30:00.000Z')
  assert.equal(
    at(0, '02:00', 'Pacific/Auckland', ['Pacific/Auckland', 'Australia/Perth']),
    '2026-11-30T16:00:00.000Z',
    'not before the day is over in Perth',
  )
})

test('a time that daylight saving skips is moved past the gap, and a repeated time is its first occurrence', () => {
  const at = (time: string, zone: string) => instantAt(time, zone).toISOString()
  // Auckland: 02:00 becomes 03:00 on 27 September 2026, and 03:00 becomes 02:00 on 5 April 2026.
  assert.equal(at('2026-09-27T02:30:00', 'Pacific/Auckland'), '2026-09-26T14:30:00.000Z')
  assert.equal(at('2026-09-27T03:30:00', 'Pacific/Auckland'), '2026-09-26T14:30:00.000Z')
  assert.equal(at('2026-04-05T02:30:00', 'Pacific/Auckland'), '2026-04-04T13:30:00.000Z')
  // Lord Howe moves by half an hour, Santiago at midnight.
  assert.equal(at('2026-10-04T02:15:00', 'Australia/Lord_Howe'), '2026-10-03T15:45:00.000Z')
  assert.equal(at('2026-09-06T00:00:00', 'America/Santiago'), '2026-09-06T04:00:00.000Z')
})

test('in any zone the clock shows the requested time at the instant, or that time is skipped', () => {
  const zones = ['Pacific/Auckland', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones, 'Pacific/Chatham', 'Europe/London'),
      fc.integer({ min: 0, max: 366 * 24 * 4 }),
      (zone, quarter) => {
        const local = new Date(Date.UTC(2026, 0, 1) + quarter * 900_000).toISOString().slice(0, 19)
        const instant = instantAt(local, zone)
        const shown = localTimeAt(instant, zone)
        if (shown === local) {
          const before = new Date(Number(instant) - 3_600_000)
          return assert.notEqual(localTimeAt(before, zone), local, 'the first of two')
        }
        const minuteBefore = localTimeAt(new Date(Number(instant) - 3_600_000), zone)
        assert.ok(shown > local && minuteBefore < local, `${local} in ${zone} became ${shown}`)
      },
    ),
    { numRuns: 2_000 },
  )
})
