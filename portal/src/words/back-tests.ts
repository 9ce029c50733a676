// The texts of back-tests: what a card would have charged for what was billed.

import { AdjustmentSkipped, BackTestStatus, UnratedReason } from '../../../client/src/waybill.ts'
import { amount } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { day } from '../../../ui/time.ts'
import { inWords, nameIn } from './consignments.ts'
import { rateCardWords } from './rate-cards.ts'

interface Tested {
  rateCard: { name: string; versionNumber: number } | null
  dateFrom: string
  dateTo: string
}

const skipped: Readonly<Record<number, string>> = {
  [AdjustmentSkipped.Reopened]: 'Was reopened meanwhile, and is billed again when it is closed.',
  [AdjustmentSkipped.Adjusted]: 'Was adjusted meanwhile.',
}

const reasons: Readonly<Record<number, string>> = {
  [UnratedReason.NoRateCard]: 'No rate card applies to the client',
  [UnratedReason.NoRate]: 'The card has no rate for it',
  [UnratedReason.NothingMatches]: 'No charge of any rate matches it',
  [UnratedReason.NotMeasured]: 'Its weight, volume or unit is not known',
  [UnratedReason.NoLocality]: 'An address is in no locality',
  [UnratedReason.Remainder]: 'It is the remainder after whole units',
  [UnratedReason.NotPositive]: 'Its quantity is 0 or less',
}

const cardOf = ({ rateCard }: Pick<Tested, 'rateCard'>) =>
  rateCard === null
    ? 'Prices that are not stored'
    : rateCardWords.versionOf(rateCard.versionNumber, rateCard.name)

export const backTestWords = {
  nothing: '–',
  all: 'All',
  heading: 'Back-tests',
  none: 'No back-tests yet. Open a version of a rate card and test it on a past period.',
  headCard: 'Card and period',
  cardOf,
  nameOf: (test: Tested) => `${cardOf(test)}, ${day(test.dateFrom)} – ${day(test.dateTo)}`,
  headStatus: 'Status',
  status: (status: number) => inWords(nameIn(BackTestStatus, status)),
  statusName: (status: number) => nameIn(BackTestStatus, status),
  consignments: 'Consignments',
  differing: 'Consignments that differ',
  /** what is more has its sign */
  differenceOf: (value: number) => (value > 0 ? `+${amount(value)}` : amount(value)),
  difference: 'Difference',
  before: 'Before',
  after: 'After',
  requested: 'Requested',
  adjusted: 'Billed',

  backTest: 'Back-test',
  from: 'From',
  to: 'To',
  lastTwelveMonths: 'The last twelve months are offered, at most 731 days are possible.',
  clients: 'Clients',
  carriers: 'Carriers',
  partnersHelp: 'None ticked: all that the card would serve.',
  kinds: 'Kinds',
  kindsHelp: 'None ticked: all kinds of rate.',
  requestedNow: 'The back-test has begun',

  progress: 'Progress',
  done: (percent: number) => `${percent} %`,
  waitsForWorker: 'It waits for its turn.',
  runs: 'It runs. You may leave this page.',
  failed: 'It could not be run',
  cancelled: 'This back-test was cancelled.',
  cancel: 'Cancel back-test',
  cancelHelp: 'What it has computed so far is dropped. Nothing was billed by it.',
  isCancelled: 'The back-test is cancelled',

  result: 'Result',
  parts: 'Parts',
  periods: 'Billed periods',
  ledgerRows: 'Movements of stock',
  took: 'Took',
  milliseconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,

  control: 'Control',
  controlHelp: (checked: number) =>
    `${plural(checked, 'bill was', 'bills were')} derived again by the prices that they were made by.`,
  controlSame: 'None differs.',
  controlDiffers: (n: number) =>
    `${plural(n, 'bill differs', 'bills differ')}: do not rely on this back-test before you know why.`,

  beforeAndAfter: 'Before and after',
  month: 'Month',
  client: 'Client',
  noMonths: 'Nothing of this period was billed.',
  byRate: 'By rate',
  of: 'Of',
  kind: 'Kind',
  activity: 'Activity',
  rate: 'Rate',
  countBefore: 'Charges before',
  countAfter: 'Charges after',

  largest: 'Largest differences',
  noDifferences: 'No consignment comes to another amount.',
  consignment: 'Consignment',
  rates: 'Rates',
  rateChange: (name: string, before: string, after: string) => `${name} ${before} to ${after}`,
  showMore: 'Show more',

  unrated: 'Without a rate',
  allRated: 'The tested card prices everything.',
  reason: 'Reason',
  reasonOf: (reason: number) => reasons[reason] ?? '',
  count: 'Parts',
  withoutCard: (n: number, sum: string) =>
    `${plural(n, 'consignment was', 'consignments were')} charged by no card when closed; by hand they came to ${sum}, which is in no total.`,

  adjust: 'Adjust bills',
  adjustHelp:
    'Bills the differences: one transaction dated today for each consignment and activity, on the next schedule. Storage and fees are not billed again. The tested version must be Approved.',
  adjustDone: 'The differences wait for the next bill',
  waiting: 'See them among the charges',
  skipped: (reason: number) => skipped[reason] ?? '',
  adjustedOn: (when: string) => `The differences were charged on ${when}, for the next bill.`,
} as const
