// The texts of the editor of a version, and of what it tries and tests.

import { plural } from '../../../ui/plural.ts'
import { fieldName } from './rate-fields.ts'

export const editorWords = {
  rates: 'Rates',
  rate: 'Rate',
  charges: 'Charges',
  charge: 'Charge',
  noRates: 'No rates yet. A rate prices one thing, such as handling or storage.',
  moveUp: 'Move up',
  moveDown: 'Move down',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  copyOf: (name: string) => `Copy ${name}`,
  addRate: 'Add rate',
  addCharge: 'Add charge',
  newRate: 'New rate',
  save: 'Save',
  saved: 'The version is saved',
  discard: 'Undo changes',
  unsaved: 'Not saved',
  inOrder: 'The first charge that applies takes what it can; the rest falls to the next.',
  thingsToCorrect: (n: number) => plural(n, 'thing to correct', 'things to correct'),
  warnings: 'Warnings',
  chargeOf: (rate: string, charge: string) => `${rate}, ${charge}`,
  none: 'None',
  minimumHelp: 'Before tax. What a billing period lacks of it is charged.',
  minimumAccountHelp: 'Accounting programs take no line without one.',
  choose: 'Choose one',
  tryIt: 'Try it',
  consignment: 'Consignment',
  tryHelp: 'Its number. It is charged as the prices stand here, saved or not; nothing is stored.',
  tryOthersHelp:
    'It has none yet, so any number serves. It is charged as the prices stand here; nothing is stored.',
  atUtc: 'Fuel adjustment of',
  atHelp: 'Left empty, of the day of the work.',
  noConsignment: (number: string) => `${number} is no consignment that you can see.`,
  triedAt: (total: string) => `Comes to ${total}`,
  storage: 'Storage',
  client: 'Client',
  warehouse: 'Warehouse',
  allWarehouses: 'All',
  from: 'From',
  to: 'To',
  period: 'Period',
  asRule: 'As the client is billed',
  preview: 'Preview storage',
  previewHelp: 'At most 93 days.',
  noStorage: 'Nothing would be charged for storage in these days.',
  particularsHead: 'For',
  days: 'Days',
  day: 'Day',
  dayHeads: ['Opening', 'In', 'Out', 'Most', 'Closing', 'Counted'],
  quantityHead: 'Quantity',
  rateHead: 'Rate',
  amountHead: 'Amount',
  showDays: (name: string) => `Show the days of ${name}`,
  hideDays: (name: string) => `Hide the days of ${name}`,
  dayInWords: (day: string, counted: string) => `${day}: ${counted} counted`,
  notStored: 'Stored, and not charged',
  unitDays: (n: string) => `${n} item-days`,
  ofVersion: 'That of the version',
  ofActivity: 'That of the activity or warehouse',
  ofWarehouse: 'That of the warehouse',
  asBilled: 'As the client is billed',
  freeHoursHelp: 'From the receipt. Left empty, those of the product or the client.',
  particularsHelp: 'What the bill says. {metric}, {rate}, {productName} and others are filled in.',
  band: (n: number) => `Band ${n}`,
  addBand: 'Add band',
  removeBand: (n: number) => `Remove band ${n}`,
  upTo: 'Up to',
  addCondition: 'Add condition',
  removeCondition: (name: string) => `Remove condition ${name}`,
  addTo: (name: string) => `Add to ${name}`,
  descriptionsHelp: 'With commas between them.',
  terms: 'Terms',
  approve: 'Approve',
  approveHelp: (from: string) =>
    `It is in force from ${from} and never changes again. Work of that day or later that is not closed follows at once; closed consignments keep their charges.`,
  approvesNothing: 'It has no rates yet: nothing would be charged by it.',
  approved: (name: string) => `${name} is approved`,
  saveFirst: 'Save your changes first.',
  copyWithRaise: 'Copy with a raise',
  deleteDraft: 'Delete draft',
  deleteHelp: (name: string) => `${name} and its prices are gone for good.`,
  deleted: (name: string) => `${name} is deleted`,
  frozen: (by: string | null, when: string) =>
    `Approved${by === null ? '' : ` by ${by}`} on ${when}. It never changes: a change is a new version.`,
  versionChanged: 'Somebody else has saved this version meanwhile.',
} as const

/** A warning or fault of the service, which names rates and charges by their places, in words. */
export function placeInWords(
  text: string,
  nameOf: (rate: number, charge: number | undefined) => string,
): string {
  const optional = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))
  return text
    .replace(/content\.rates\[(\d+)\] \([^)]*\)/g, (_, rate) => nameOf(Number(rate), undefined))
    .replace(
      /content\.rates\[(\d+)\](?:\.charges\[(\d+)\])?\.((?!charges\[)[\w.[\]]+)/g,
      (_, rate, charge, field) => `${nameOf(Number(rate), optional(charge))}: ${fieldName(field)}`,
    )
    .replace(/content\.rates\[(\d+)\](?:\.charges\[(\d+)\])?/g, (_, rate, charge) =>
      nameOf(Number(rate), optional(charge)),
    )
    .replace(/^content\.(\w+)/, (_, field) => fieldName(field))
    .replace(/: charges\[(\d+)\]/g, (_, charge) => `: charge ${Number(charge) + 1}`)
}
