// Mutants of the contents and visibility of schedules, and of concurrent changes.

import type { Mutant } from '../mutant.ts'

const schedule = 'src/billing/schedules/schedule.ts'
const transaction = 'src/billing/schedules/schedule-transaction.ts'
const invoice = 'src/billing/schedules/invoice.ts'
const tests = 'test/billing/schedules'
const invoices = [`${tests}/invoices.test.ts`]

export const schedules: Mutant[] = [
  {
    about: 'every partner sees all schedules',
    file: schedule,
    from: 'actor.partnerId === null ? empty : sql`and s.partner_id = ${actor.partnerId}`',
    to: 'empty',
    tests: [`${tests}/schedules.test.ts`],
  },
  {
    about: 'excluded charges are billed',
    file: transaction,
    from: 'and h.is_included',
    to: '',
    tests: ['test/billing/charges/charges.test.ts'],
  },
  {
    about: 'a schedule keeps transactions dated after transactionsUpTo',
    file: transaction,
    from: 'date <= ${upTo} as is_due',
    to: 'true as is_due',
    tests: [`${tests}/schedules.test.ts`],
  },
  {
    about: 'a consignment on a schedule is reopened',
    file: transaction,
    from: 'return n === 0',
    to: 'return true',
    tests: [`${tests}/schedules.test.ts`, `${tests}/parallel-schedules.test.ts`],
  },
  {
    about: 'a schedule that changes is not locked',
    file: schedule,
    from: ' for update of s`',
    to: '`',
    tests: [`${tests}/approval-races.test.ts`],
  },
  {
    about: 'two schedules take the same transactions',
    file: transaction,
    from: `      order by id for update
    )
    update schedule_transaction t
    set status = case`,
    to: `      order by id
    )
    update schedule_transaction t
    set status = case`,
    tests: [`${tests}/parallel-schedules.test.ts`, `${tests}/approval-races.test.ts`],
  },
  {
    about: 'transactions that a concurrent schedule is taking are voided',
    file: transaction,
    from: `      order by id for update
    ), on_schedule`,
    to: `      order by id
    ), on_schedule`,
    tests: [`${tests}/parallel-schedules.test.ts`],
  },
  {
    about: 'a second approval takes another invoice number',
    file: invoice,
    from: 's.invoice_ordinal is null and',
    to: '',
    tests: invoices,
  },
  {
    about: 'a printed invoice has what was changed since its approval',
    file: invoice,
    from: 'coalesce(s.invoice, ${currentFacts})',
    to: '${currentFacts}',
    tests: invoices,
  },
  {
    about: 'a schedule with an invoice number is removed',
    file: 'src/billing/schedules/schedules.ts',
    from: 'if (schedule.invoiceNumber !== null)',
    to: 'if (false)',
    tests: invoices,
  },
  {
    about: 'the invoice number can be set back',
    file: 'src/organisations/organisations.ts',
    from: 'if (first < next)',
    to: 'if (false)',
    tests: invoices,
  },
  {
    about: 'an invoice without accounts and tax codes is exported',
    file: 'src/billing/schedules/export.ts',
    from: 'if (incomplete.length > 0)',
    to: 'if (incomplete.length > 999)',
    tests: [`${tests}/export.test.ts`],
  },
  {
    about: 'a schedule loses its last transaction',
    file: transaction,
    from: 'if (isEmpty)',
    to: 'if (false)',
    tests: [`${tests}/schedules.test.ts`],
  },
  {
    about: 'a transaction of another schedule is put on this one',
    file: 'src/billing/schedules/transactions.ts',
    from: 'partnerScheduleId !== null && partnerScheduleId !== schedule.id',
    to: 'false',
    tests: [`${tests}/schedules.test.ts`],
  },
  {
    about: 'the run of a removed schedule is done for ever',
    file: 'src/billing/schedules/return-to-bundling.ts',
    from: 'set status = ${BillingRunStatus.Unbundled}',
    to: 'set status = status',
    tests: ['test/billing/runs/billing-runs.test.ts'],
  },
  {
    about: 'more than the transaction is credited',
    file: 'src/billing/schedule-transactions/credit.ts',
    from: 'if (cents > left.cents)',
    to: 'if (false)',
    tests: ['test/billing/schedule-transactions/credits.test.ts'],
  },
  {
    about: 'goodwill counts towards the minimum spend',
    file: 'src/billing/runs/minimum-spend.ts',
    from: '${row}.amount_excl_tax < 0)',
    to: '${row}.amount_excl_tax < -999999)',
    tests: ['test/billing/runs/minimum-spend.test.ts'],
  },
  {
    about: 'a waived adjustment of a top-up is made again',
    file: 'src/billing/runs/minimum-spend.ts',
    from: 'and a.spent_excl_tax is not null\n    ) d',
    to: 'and a.spent_excl_tax is not null and a.status <> 3\n    ) d',
    tests: ['test/billing/runs/minimum-spend.test.ts'],
  },
  {
    about: 'the first period begins with the earliest work',
    file: 'src/billing/runs/billed-partner.ts',
    from: 'return startOfPeriod(nextPeriod(history, day)?.rule ?? withoutRule, day)',
    to: 'return day',
    tests: ['test/billing/runs/first-period.test.ts'],
  },
]
