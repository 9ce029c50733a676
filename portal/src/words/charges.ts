// The texts of what a consignment is charged for.

import { ChargePartKind } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { inWords, nameIn } from './consignments.ts'

const outcomes: Readonly<Record<number, string>> = {
  1: 'is charged',
  2: 'applies, and costs nothing',
  3: 'does not apply',
  4: 'applies, but nothing that was left matched it',
  5: 'was not reached: the charges before it took everything',
  6: 'lost to another freight rate',
}

const reasons: Readonly<Record<number, string>> = {
  1: 'no rate card applies to the client',
  2: 'the card has no rate for it',
  3: 'no charge of any rate matches it',
  4: 'its weight, volume or unit is not known',
  5: 'an address is in no locality',
  6: 'it is the remainder after whole units',
  7: 'its quantity is 0 or less',
}

const listOf = (values: readonly unknown[]) => values.map(String).join(', ') || '–'

export const chargeWords = {
  charges: 'Charges',
  acts: 'Acts',
  billed: 'Billed',
  creditOf: (name: string) => `Credit ${name}`,
  proof: 'Proof',
  proofOf: (name: string) => `Proof of ${name}`,
  exclude: 'Exclude',
  excludeOf: (name: string) => `Exclude ${name}`,
  excludeHelp: (name: string) => `${name} stays listed, and is not billed when the consignment is closed.`,
  excluded: (name: string) => `${name} is not billed`,
  isExcluded: 'not billed',
  include: 'Include',
  includeOf: (name: string) => `Include ${name}`,
  includeHelp: (name: string) => `${name} is billed when the consignment is closed.`,
  included: (name: string) => `${name} is billed`,
  add: 'Add charge',
  added: 'The charge is added',
  kind: 'Kind',
  side: {
    'client-activity': 'Work for the client',
    'client-freight': 'Freight for the client',
    'carrier-freight': 'Freight of the carrier',
  },
  particulars: 'Particulars',
  application: 'Application',
  applicationOf: { 1: 'Rate times quantity', 2: 'Fee, once' },
  quantity: 'Quantity',
  rate: 'Rate',
  rateHelp: 'Without tax. Below 0 it is a credit.',
  taxRate: 'Tax rate',
  explain: 'Explain',
  noRates: 'No rate card has a rate for this consignment.',
  chargeNumber: (n: number) => `Charge ${n}`,
  partKind: (kind: number) => inWords(nameIn(ChargePartKind, kind)),
  missed: (selector: string, wanted: readonly string[], found: readonly string[]) =>
    `${selector}: ${listOf(found)}, not ${listOf(wanted)}`,
  taken: (names: readonly string[], amounts: readonly string[]) =>
    [names.join(', '), amounts.join(' + ')].filter(Boolean).join(' at '),
  outcome: (name: string, outcome: number, taken: readonly string[], misses: readonly string[]) =>
    `${name} ${outcomes[outcome] ?? ''}${taken.length === 0 ? '' : ` for ${taken.join(', ')}`}${
      misses.length === 0 ? '' : `: ${misses.join('; ')}`
    }.`,
  unrated: 'Not charged',
  unratedPart: (name: string, amount: number, reason: number) =>
    `${quantity(amount)} of ${name}: ${reasons[reason] ?? ''}.`,
} as const
