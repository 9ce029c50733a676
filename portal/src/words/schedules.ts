// The texts of schedules (bills), of what stands on them, and of its proof.

import {
  EventType,
  ScheduleStatus,
  ScheduleTransactionStatus,
  ScheduleTransactionType,
} from '../../../client/src/waybill.ts'
import { amount, decimal, quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { day, instant } from '../../../ui/time.ts'
import { inWords, nameIn } from './consignments.ts'

/** Whether an input is an amount of money. */
const isMoney = (name: string) => /ExclTax$|^minimumSpend/.test(name)

/** Numbers of more decimals than money has, without the zeros at their ends. */
const withoutZeros = (text: string): string =>
  text.replace(/\d+\.\d{3,}/g, number => number.replace(/\.?0+$/, ''))

/** A text of numbers, such as a sum, with each as people write it. */
const figure = (text: string): string => withoutZeros(text).replace(/\d+(\.\d+)?/g, decimal)

/** What stands before the numbers of an operation. Others belong to codes and names. */
const beforeNumber = /(?<=[÷×−+(] ?|multiple of |at (?:least|most) |weight and )\d+(\.\d+)?/g

const inputs: Readonly<Record<string, string>> = {
  chargeDate: 'Charged as of',
  carrierId: 'Carrier',
  fafPercent: 'FAF',
  metricValue: 'Quantity',
  chargeRateExclTax: 'Rate',
  periodFrom: 'Period from',
  periodTo: 'Period to',
  knownAtUtc: 'Ledger as known at',
  groupKey: 'Group',
  minimumSpendPerPeriod: 'Minimum spend',
  spentExclTax: 'Spent in the period',
  toppedUpExclTax: 'Topped up before',
  beforeExclTax: 'Billed before',
  afterExclTax: 'By the tested card',
  creditedTransactionExclTax: 'Credited charge',
  creditedTransactionQuantity: 'Its quantity',
  creditableExclTax: 'What was left of it',
  amountExclTax: 'Amount',
  creditedQuantity: 'Quantity credited',
}

const steps: Readonly<Record<string, string>> = {
  convert: 'Convert',
  measure: 'Measure',
  metric: 'Count',
  rounding: 'Round',
  band: 'Band',
  rate: 'Rate',
  base: 'Base',
  min: 'Minimum',
  max: 'Maximum',
  faf: 'FAF',
  amount: 'Amount',
}

export const scheduleWords = {
  nothing: '–',
  all: 'All',
  schedules: 'Schedules',
  search: 'Search schedules',
  searchHint: 'Reference, invoice, client',
  none: 'No schedules yet. Billing runs make them, and so does New schedule.',
  noneYours: 'No bills yet.',
  client: 'Client',
  date: 'Date',
  reference: 'Reference',
  invoice: 'Invoice',
  due: 'Due',
  amount: 'Amount',
  withTax: 'With tax',
  headStatus: 'Status',
  status: (status: number) => inWords(nameIn(ScheduleStatus, status)),
  statusName: (status: number) => nameIn(ScheduleStatus, status),
  exported: 'Exported',
  notExported: 'Not exported',
  yes: 'Yes',
  no: 'No',
  drafts: 'Drafts',
  toExport: 'To export',
  nameOf: (partner: string, date: string) => `${partner}, ${day(date)}`,

  newSchedule: 'New schedule',
  partner: 'Client or carrier',
  upTo: 'Charges up to',
  upToHelp: 'Left empty, up to the date.',
  upToAgain: 'Bundles again: waiting charges up to this day are added, later ones wait again.',
  description: 'Description',
  made: 'The schedule is created',

  bill: 'Bill',
  billedTo: 'Billed to',
  net: 'Net',
  /** many names of rates have the percentage already */
  tax: (name: string, percent: number) =>
    name.includes(quantity(percent)) ? name : `${name} ${quantity(percent)} %`,
  total: 'Total',
  externalUrl: 'Record elsewhere',
  saved: 'The bill is changed',
  byActivity: 'By activity',
  activity: 'Activity',
  otherWork: 'Other work',
  lines: 'Lines',
  line: 'Line',
  consignment: 'Consignment',
  particulars: 'Particulars',
  quantity: 'Quantity',
  rate: 'Rate',
  lineIn: (name: string, warehouse: string | null) =>
    warehouse === null || name.includes(warehouse) ? name : `${name}, ${warehouse}`,
  type: (type: number) => inWords(nameIn(ScheduleTransactionType, type)),
  /** what kind of work a line without an activity is */
  work: (type: number) =>
    type === ScheduleTransactionType.ActivityCharge
      ? 'Other work'
      : inWords(nameIn(ScheduleTransactionType, type)),
  lineStatus: (status: number) => inWords(nameIn(ScheduleTransactionStatus, status)),
  lineStatusName: (status: number) => nameIn(ScheduleTransactionStatus, status),
  verified: (verified: number, all: number) => `${quantity(verified)} of ${plural(all, 'line')} verified`,
  verifying: 'Deriving every line again',
  cannotVerify: 'The lines could not be derived again.',
  differs: (n: number) =>
    n === 1
      ? '1 line is not what it is derived to be'
      : `${quantity(n)} lines are not what they are derived to be`,
  differsHelp: 'Such a bill cannot be approved. Open the line to see what differs.',
  cannotApprove: 'A line is not what it is derived to be.',
  more: (n: number) => `and ${quantity(n)} more`,

  approve: 'Approve',
  approved: 'The schedule is approved',
  approveWhy: ({ amountInclTax, invoiceNumber }: { amountInclTax: number; invoiceNumber: string | null }) =>
    `The bill comes to ${amount(amountInclTax)} with tax. ${invoiceNumber === null ? 'It gets the next invoice number' : `It stays ${invoiceNumber}`} and a day on which it is due, and its lines can be exported.`,
  lineAbout: (name: string, date: string) => `${name}, ${day(date)}`,
  backToDraft: 'Back to draft',
  isDraft: 'The schedule is a draft again',
  isExported: 'It is approved and was exported. Credit what is wrong in a line.',
  unmarkFirst: 'It was exported. Mark it as not exported first.',
  isDraftAlready: 'It is a draft.',
  statement: 'Statement',
  printStatement: 'Print statement',
  printed: (printer: string) => `The statement is sent to ${printer}`,
  export: 'Export',
  format: 'Format',
  formatOf: { 1: 'JSON', 2: 'CSV', 3: 'Xero sales invoice', 4: 'MYOB sales invoice' },
  exportHelp: 'The file is saved on your machine. Nothing changes until the schedule is marked as exported.',
  fileSaved: 'The file is saved.',
  markExported: 'Mark as exported',
  markHelp: 'An approved schedule that is exported cannot become a draft again.',
  markAgain: 'Mark as exported again',
  markedAlready: (url: string | null) =>
    url === null
      ? 'It is marked as exported, without an address.'
      : `It is marked as exported, at ${url}. The address below replaces this one; without one it is removed.`,
  urlOf: 'Its address in the other program',
  marked: 'The schedule is marked as exported',
  unmark: 'Mark as not exported',
  unmarkHelp: 'The draft can be changed and removed again.',
  unmarked: 'The schedule is no longer marked as exported',
  notMarked: 'Nothing has exported it.',
  remove: 'Remove',
  removed: 'The schedule is removed',
  hasInvoice: (invoice: string) => `It was approved as ${invoice}, and invoice numbers have no gaps.`,
  onlyDraft: 'Only a draft can be changed or removed.',
  runConnections: 'Run connections',
  connectionsRun: 'The connections are told',
  takeOff: 'Take off',
  takenOff: (n: number) => `${plural(n, 'line')} taken off`,
  addLines: 'Add lines',
  added: (n: number) => `${plural(n, 'line')} added`,
  noPending: 'No charge of this client waits for a bill.',
  pending: 'Charges that wait for a bill',

  proof: 'Proof',
  openCharge: 'Open charge',
  rule: 'Rule',
  card: 'Rate card',
  fallBack: 'for all without a card of their own',
  version: 'Version',
  versionOf: (number: number, from: string) => `${number}, from ${day(from)}`,
  rateName: 'Rate',
  counts: 'Counts',
  price: 'Price',
  minimum: 'At least',
  maximum: 'At most',
  note: 'Note',
  minimumRule:
    'A period in which less is spent than the minimum is charged the difference. All work dated in it counts, without what was credited or given back by hand.',
  byHand: 'Entered by hand. There is no rule to derive it from.',
  byHandOf: (who: string, utc: string) => `Entered by hand by ${who}, ${instant(utc)}.`,
  inputs: 'Inputs',
  input: 'Input',
  value: 'Value',
  source: 'Comes from',
  inputName: (name: string) => inputs[name] ?? name,
  inputValue: (name: string, value: string, unit: string | null) => {
    if (name === 'fafPercent') return `${quantity(Number(value) * 100)} %`
    if (name === 'knownAtUtc') return instant(value)
    if (/^(chargeDate|period(From|To))$/.test(name)) return day(value)
    if (isMoney(name)) return amount(Number(value))
    const isNumber = name !== 'groupKey' && /^-?\d+(\.\d+)?$/.test(value)
    const shown = value.includes('.') ? value.replace(/\.?0+$/, '') : value
    return [isNumber ? figure(shown) : value, unit].filter(Boolean).join(' ')
  },
  event: (type: number) => inWords(nameIn(EventType, type).replace(/^Consignment/, '')),
  sourceKind: { event: 'Event', record: 'Set-up or run', person: 'Entered by hand' },
  /** what some inputs come from */
  recordOf: {
    ...{ minimumSpendPerPeriod: 'Rate card', spentExclTax: 'Charges of the period' },
    ...{ beforeExclTax: 'Back-test', afterExclTax: 'Back-test' },
  },
  sourceOf: (what: string, who: string | null, utc: string | null) =>
    [what, who, utc === null ? null : instant(utc)].filter(Boolean).join(', '),
  passedOver: (n: number) =>
    `${plural(n, 'charge')} of the rate ${n === 1 ? 'was' : 'were'} tried before and did not apply.`,
  steps: 'Steps',
  step: 'Step',
  from: 'From',
  operation: 'Does',
  to: 'Gives',
  stepName: (name: string) => steps[name] ?? name,
  figure,
  operationInWords: (text: string) => withoutZeros(text).replace(beforeNumber, decimal),
  noSteps: 'The amount is as it was entered.',
  series: 'Series',
  day: 'Day',
  opening: 'Opening',
  in: 'In',
  out: 'Out',
  peak: 'Peak',
  closing: 'Closing',
  counted: 'Counted',
  movements: (n: number) => plural(n, 'movement'),
  dayInWords: (date: string, counted: string) => `${day(date)}: ${figure(counted)}`,
  correction: 'Correction',
  correctionHelp: (n: number) =>
    `${plural(n, 'movement')} became known after the period was billed. The line is the difference.`,
  knownAt: 'As known at',
  before: 'Before',
  now: 'Now',
  difference: 'Difference of a back-test',
  verifiedHeading: 'Verified',
  isVerified: (derived: number) =>
    `Derived again from the rule and these inputs, it comes to ${amount(derived)}: what is billed.`,
  isNotVerified: (billed: number, derived: number | null) =>
    derived === null
      ? `Billed are ${amount(billed)}, and it could not be derived again.`
      : `Billed are ${amount(billed)}, derived are ${amount(derived)}.`,
  openNow: 'The consignment is open, so this is the charge as of now.',
  copyLink: 'Copy link',
  linkCopied: 'The link is copied',
} as const
