// The texts of charges that wait for a bill or are on one, of billing runs, and of what is not billed.

import {
  BillingRunStatus,
  BillingRunStep,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../../../client/src/waybill.ts'
import { amount, quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { day } from '../../../ui/time.ts'
import { inWords, nameIn } from './consignments.ts'

/** What a run goes by. */
interface RunRule {
  periods: readonly { periodFrom: string; periodTo: string }[]
  closesComplete: boolean
  raisesStorage: boolean
  autoApprove: boolean
}

export const billingWords = {
  nothing: '–',
  all: 'All',
  yes: 'Yes',
  no: 'No',

  charges: 'Charges',
  search: 'Search charges',
  searchHint: 'Consignment, particulars, client',
  none: 'No charges yet. Closing consignments raises them, and so does New charge.',
  noneWait: 'Nothing waits for a bill.',
  waiting: 'Waiting',
  onBills: 'On bills',
  void: 'Void',
  date: 'Date',
  client: 'Client',
  partner: 'Partner',
  activity: 'Activity',
  particulars: 'Particulars',
  particularsHelp: 'What the bill says.',
  consignment: 'Consignment',
  quantity: 'Quantity',
  rate: 'Rate',
  amount: 'Amount',
  headStatus: 'Status',
  headType: 'Type',
  warehouse: 'Warehouse',
  status: (status: number) =>
    status === ScheduleTransactionStatus.Scheduled
      ? 'On a bill'
      : inWords(nameIn(ScheduleTransactionStatus, status)),
  statusName: (status: number) => nameIn(ScheduleTransactionStatus, status),
  type: (type: number) => inWords(nameIn(ScheduleTransactionType, type)),
  bill: 'Bill',
  openBill: 'Open bill',
  period: 'Period',
  days: (from: string, to: string) => `${day(from)} – ${day(to)}`,
  tax: 'Tax',
  taxOf: (name: string, percent: number) =>
    name.includes(quantity(percent)) ? name : `${name} ${quantity(percent)} %`,
  revenueAccount: 'Revenue account',
  costCentre: 'Cost centre',
  noAccount: 'None',
  base: 'Base',
  minimum: 'At least',
  maximum: 'At most',
  voidReason: 'Void because',
  creditable: 'Can still be credited',
  creditOf: 'Credits',
  adjusts: 'Corrects',
  originalCharge: 'the original charge',
  credits: 'Credits',
  noCredits: 'Nothing of it is credited.',
  charge: 'Charge',
  proof: 'Proof',

  newCharge: 'New charge',
  addCharge: 'Add charge',
  charged: 'The charge is added',
  credit: 'Credit',
  creditBy: 'Credit by',
  creditByOf: { amount: 'An amount', quantity: 'A quantity' },
  leftOf: (left: number) => `At most ${amount(left)}, which is left of it.`,
  credited: 'The credit is added',
  creditDate: 'Date of the credit',
  creditDateHelp: 'Left empty, today.',
  nothingLeft: 'Nothing of it can be credited any more.',
  voidAct: 'Void',
  voided: 'The charge is void',
  reason: 'Reason',
  restore: 'Make pending again',
  restored: 'The charge waits for a bill again',
  ofConsignment: 'It is of a consignment: reopening that takes it back.',
  onBill: 'It is on a bill. Take it off first.',
  hasCredits: 'It is credited.',

  billing: 'Billing',
  setUp: 'Billing set-up',
  clients: 'Clients',
  noClients: 'No clients yet.',
  notBilled: 'Not billed',
  /** a count of items or days, or a quantity that names no unit */
  unbilledOf: (n: number | null, unit: string | null) =>
    n === null ? '–' : unit === null ? quantity(n) : plural(n, unit),
  notBilledOf: (amounts: string, n: number) => `${amounts} in ${plural(n, 'charge')}`,
  toClose: 'To close',
  complete: 'Complete consignments',
  ended: 'Ended',
  unrated: 'Unrated',
  unratedOf: (n: number) => (n === 0 ? '–' : plural(n, 'line')),
  nextRun: 'Next run',
  noRule: 'No billing rule',
  noRuleYet: 'There is no rule yet: nothing is billed by itself.',
  lastSchedule: 'Last bill',
  noSchedule: 'None yet',
  runs: 'Runs',
  noRuns: 'No run yet. A billing rule starts them, and so does Run now.',
  runStatus: (status: number) => inWords(nameIn(BillingRunStatus, status)),
  runStatusName: (status: number) => nameIn(BillingRunStatus, status),
  steps: 'Steps',
  step: (step: number) => inWords(nameIn(BillingRunStep, step)),
  stepOf: (step: number, isDone: boolean) =>
    isDone ? 'All done' : `At ${inWords(nameIn(BillingRunStep, step)).toLowerCase()}`,
  closed: (closed: number, refused: number) =>
    [`${quantity(closed)} closed`, refused > 0 && `${quantity(refused)} refused`].filter(Boolean).join(', '),
  failure: 'Failure',
  attempts: (n: number) => `after ${plural(n, 'attempt')}`,
  retry: 'Retry',
  retryOf: (name: string) => `Retry ${name}`,
  retried: 'The run is tried again',
  schedules: 'Bills',
  billOfRun: (i: number, of: number) => (of === 1 ? 'Open bill' : `Bill ${i} of ${of}`),
  runNow: 'Run now',
  choose: 'Choose one',
  runWithoutRule:
    'There is no billing rule: say where the period ends. Complete consignments are closed first, storage and fees are raised, and what waits goes on a bill. You approve the bill afterwards.',
  /** what a run does by its rule */
  runByRule: ({ periods: [next], closesComplete, raisesStorage, autoApprove }: RunRule) =>
    [
      next && `The next period is ${day(next.periodFrom)} – ${day(next.periodTo)}, and must be over.`,
      closesComplete
        ? 'Complete consignments are closed first.'
        : 'Complete consignments stay open, as the billing rule says: Close consignments bills them.',
      `${raisesStorage ? 'Storage and fees are' : 'Fees are'} raised, and what waits goes on a bill.`,
      autoApprove ? 'The bill is approved at once.' : 'You approve the bill afterwards.',
    ]
      .filter(Boolean)
      .join(' '),
  periodTo: 'Last day of the period',
  periodToHelp: (date: string) => `Left empty, ${date}, as the billing rule says.`,
  running: 'The run has begun',

  ofClient: 'Of',
  allClients: 'All clients',
  reasonOf: 'Why',
  subject: 'What',
  suggestion: 'What to do',
  nothingUnbilled: 'All work of the last 92 days is billed or on its way to a bill.',
  closeConsignments: 'Close consignments',
  closeHelp: 'Complete consignments whose charges are final. Closing freezes the charges and raises them.',
  noneToClose: 'No consignment is Complete.',
  closedInParts: (here: number, all: number) =>
    `Of ${quantity(all)}, those entered first are here: ${quantity(here)}. Close again for the others.`,
  closedNow: (n: number) => `${plural(n, 'consignment is', 'consignments are')} closed`,
  closeDate: 'Date of the charges',
  closeDateHelp: 'Left empty, today.',

  billingRule: 'Billing rule',
  ruleOf: 'Rule of',
  everybody: 'All without a rule of their own',
  hasOwn: 'This client has a rule of its own.',
  usesCommon: 'The rule for all applies. Saving makes an own one.',
  periodLength: 'Period',
  periodOf: { 1: 'Weekly', 2: 'Every two weeks', 3: 'Half a month', 4: 'Monthly', 5: 'Every four weeks' },
  weekday: 'Last day of the week',
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  asUsual: 'As usual',
  dayOfMonth: 'Last day of the period in the month',
  dayOfMonthHelp: '1 to 31; in a shorter month, its last day. Left empty, the end of the month.',
  anchorDate: 'A last day of a period',
  billsFrom: 'Bills from',
  graceDays: 'Days after the period until the run',
  runAt: 'Time of the run',
  closesComplete: 'Close Complete consignments first',
  raisesStorage: 'Raise storage',
  autoApprove: 'Approve bills without a person',
  maxTransactions: 'Most lines on a bill',
  referenceTemplate: 'Reference of bills',
  descriptionTemplate: 'Description of bills',
  templateHelp: 'May name {partnerCode}, {partnerName}, {periodFrom} and {periodTo}.',
  nextPeriods: 'Next periods',
  periodRuns: (from: string, to: string, run: string) => `${day(from)} – ${day(to)}, run ${run}`,
  ruleSaved: 'The billing rule is saved',
  removeRule: 'Remove own rule',
  removeCommon: 'Remove rule',
  ruleRemoved: 'The rule for all applies again',
} as const
