// The texts of the settings of the organisation.

import { FullPalletAllocation, PaperSize } from '../../../client/src/waybill.ts'
import { amount } from '../../../ui/numbers.ts'
import { instant } from '../../../ui/time.ts'
import { inWords, nameIn } from './consignments.ts'

const fullPallets: Readonly<Record<number, string>> = {
  [FullPalletAllocation.WholeUnit]: 'The whole unit',
  [FullPalletAllocation.LooseItems]: 'Its items, without the unit',
}

export const settingsWords = {
  settings: 'Settings',
  people: 'People',
  history: 'History',
  editPart: (part: string) => `Edit ${part.toLowerCase()}`,
  saved: 'The settings are changed',

  organisation: 'Organisation',
  name: 'Name',
  timezone: 'Time zone',
  timezoneHelp: 'Of records without a warehouse, and of the days of bills.',
  locale: 'Language tag',
  localeHelp: 'How dates and numbers are written here, such as en-NZ.',
  written: 'Written as',
  writtenLike: (now: string) => `${instant(now)} · ${amount(1234.5)}`,
  firstDayOfWeek: 'First day of the week',
  prefix: 'Prefix of consignments',
  prefixHelp: 'Three to six letters. It is fixed from the first consignment on.',
  address: 'Address',
  addressHelp: 'Line by line, as printed on statements.',
  paperSize: 'Paper size',
  paper: (size: number) => nameIn(PaperSize, size),
  dgPhone: 'Emergency telephone',
  dgPhoneHelp: 'Staffed day and night; printed on dangerous goods declarations.',

  stock: 'Stock',
  fullPallet: 'A line that needs a whole unit takes',
  fullPalletOf: (value: number) => fullPallets[value] ?? inWords(nameIn(FullPalletAllocation, value)),
  fullPalletFirst: 'Whole pallets first among stock of equal rotation',
  countBySecond: 'A count is approved by somebody who did not count',

  money: 'Money',
  currency: 'Currency',
  currencyHelp: 'Of all amounts, by its code of ISO 4217, such as NZD.',
  taxName: 'Name of the tax',
  taxNameHelp: 'Such as GST.',
  taxNumber: 'Tax number',
  taxNumberHelp: 'If set, approved statements of clients are tax invoices.',
  termsDays: 'Days until bills are due',
  terms: 'Terms of payment',
  bank: 'Where to pay',
  bankHelp: 'Line by line.',
  tracking: 'Tracking category',
  trackingHelp: 'The name of cost centres in the accounting program.',
  cardBySecond: 'A rate card is approved by somebody who did not edit it last',
  closingNeedsRates: 'A consignment with work that no rate charges cannot be closed',

  invoices: 'Invoices',
  invoicePrefix: 'Invoice numbers begin with',
  invoicePrefixHelp: 'Numbers that were given stay.',
  nextInvoice: 'Number of the next invoice',
  nextInvoiceHelp: 'It is fixed from the first invoice on, for numbers have no gaps.',

  logo: 'Logo',
  logoOf: (name: string) => `Logo of ${name}`,
  noLogo: 'No logo yet. It is printed on papers.',
  chooseLogo: 'Another logo',
  logoHelp: 'PNG, JPEG, GIF, WebP or TIFF, at most 10 MiB.',
  logoSaved: 'The logo is changed',
} as const
