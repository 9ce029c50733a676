// Mutants of billing periods and runs, transactions without a consignment, and exports.

import type { Mutant } from '../mutant.ts'

const runs = 'src/billing/runs'
const periods = 'test/billing/runs/billing-period.test.ts'
const made = 'test/billing/runs/billing-runs.test.ts'
const transactions = 'test/billing/schedule-transactions/schedule-transactions.test.ts'
const exported = 'test/billing/schedules/export.test.ts'

export const billingRuns: Mutant[] = [
  {
    about: 'a month without the day ends in the next month',
    file: `${runs}/billing-period.ts`,
    from: 'Math.min(day, length)',
    to: 'day',
    tests: [periods],
  },
  {
    about: 'a period ended by another rule includes the first day of that rule',
    file: `${runs}/billing-period.ts`,
    from: 'periodTo: addDays(later.countsFrom, -1)',
    to: 'periodTo: later.countsFrom',
    tests: [periods],
  },
  {
    about: 'a change of the rule does not end the running period',
    file: `${runs}/billing-period.ts`,
    from: 'if (later.rule === null || !isSameCalendar(later.rule, rule))',
    to: 'if (false)',
    tests: [periods],
  },
  {
    about: 'a time that the clock skips is an hour earlier',
    file: `${runs}/billing-period.ts`,
    from: 'new Date(found ?? wall - before)',
    to: 'new Date(found ?? wall - after)',
    tests: [periods],
  },
  {
    about: 'a run does not wait for the time zones of the warehouses',
    file: `${runs}/billing-period.ts`,
    from: '...otherZones.map(',
    to: '...[].map(',
    tests: [periods],
  },
  {
    about: 'the next period begins on the last day of the previous one',
    file: `${runs}/billed-partner.ts`,
    from: 'return addDays(billedTo, 1)',
    to: 'return billedTo',
    tests: [made],
  },
  {
    about: 'a later period does not wait for an earlier one of its partner',
    file: `${runs}/billing-run.ts`,
    from: 'earlier.period_from < b.period_from and',
    to: 'earlier.period_from > b.period_from and',
    tests: [made],
  },
  {
    about: 'a failed run does not show why',
    file: `${runs}/billing-run.ts`,
    from: 'failure = ${failure}, failed_attempts',
    to: 'failure = null, failed_attempts',
    tests: [made],
  },
  {
    about: 'consignments are closed with the last day of the period',
    file: `${runs}/close-complete-consignments.ts`,
    from: 'dates.get(id) as string',
    to: '(dates.get(id) && run.periodTo) as string',
    tests: [made],
  },
  {
    about: 'work after the period is closed too',
    file: `${runs}/close-complete-consignments.ts`,
    from: 'and d.charge_date <= ${periodTo}',
    to: '',
    tests: [made],
  },
  {
    about: 'the minimum spend is added to what was spent',
    file: `${runs}/raise-periodic-charges.ts`,
    from: 'if (difference <= 0) return []',
    to: '',
    tests: [made],
  },
  {
    about: 'a fee that is free is charged',
    file: 'src/billing/evaluator/fees.ts',
    from: ' || charge.isFree',
    to: '',
    tests: [made],
  },
  {
    about: 'all transactions go on one schedule',
    file: 'src/billing/schedules/create-schedule.ts',
    from: '(n - 1) * max < bundled',
    to: 'false',
    tests: [made],
  },
  {
    about: 'users of a partner can read transactions of others',
    file: 'src/billing/schedule-transactions/schedule-transactions.ts',
    from: 'sql`and t.partner_id = ${actor.partnerId}`',
    to: 'empty',
    tests: [transactions],
  },
  {
    about: 'a transaction of a consignment is voided by hand',
    file: 'src/billing/schedule-transactions/status.ts',
    from: 'if (transaction.consignmentId !== null && transaction.original === null)',
    to: 'if (false)',
    tests: [transactions],
  },
  {
    about: 'base and minimum are left out of the unit amount',
    file: 'src/billing/schedules/export-rows.ts',
    from: '=== scale(2, line.amountExclTax)',
    to: '!== scale(2, line.amountExclTax) - 1n',
    tests: [exported],
  },
  {
    about: 'numbers are escaped as formulas',
    file: 'src/billing/schedules/transaction-pages.ts',
    from: 'String((value as { figure: string }).figure), escape_formulas: false',
    to: 'String((value as { figure: string }).figure), escape_formulas: true',
    tests: [exported],
  },
  {
    about: 'a run does not wait for a warehouse that goods have left since the last one',
    file: `${runs}/billed-partner.ts`,
    from: 'and (not s.is_depleted or s.last_effective_utc',
    to: 'and (not s.is_depleted or null::timestamptz',
    tests: [made],
  },
]
