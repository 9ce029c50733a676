// The settings of the organisation, by the region that shows them.

import { FullPalletAllocation, PaperSize } from '../../../../client/src/waybill.ts'
import { weekdays } from '../../../../ui/time.ts'
import type { RecordField } from '../../record-fields.ts'
import { settingsWords as words } from '../../words/settings.ts'

const choices = (values: Readonly<Record<string, number>>, textOf: (value: number) => string) =>
  Object.values(values).map(value => ({ value: String(value), text: textOf(value) }))

/** The names that the browser knows of something, as suggestions. */
const known = (kind: 'timeZone' | 'currency') => Intl.supportedValuesOf(kind).map(value => ({ value }))

const usualTags = ['en-NZ', 'en-AU', 'en-GB', 'en-US', 'en-CA', 'mi-NZ', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP']

const organisation = (): readonly RecordField[] => [
  { path: 'name', label: words.name, isRequired: true, maxLength: 200 },
  {
    path: 'timezoneId',
    label: words.timezone,
    help: words.timezoneHelp,
    suggestions: known('timeZone'),
    isRequired: true,
  },
  {
    path: 'locale',
    label: words.locale,
    help: words.localeHelp,
    suggestions: usualTags.map(value => ({ value })),
    isRequired: true,
  },
  {
    path: 'firstDayOfWeek',
    label: words.firstDayOfWeek,
    kind: 'number',
    options: weekdays().map((text, i) => ({ value: String(i + 1), text })),
  },
  { path: 'consignmentPrefix', label: words.prefix, help: words.prefixHelp, isRequired: true },
  { path: 'paperSize', label: words.paperSize, kind: 'number', options: choices(PaperSize, words.paper) },
  { path: 'dgEmergencyPhone', label: words.dgPhone, help: words.dgPhoneHelp },
  { path: 'address', label: words.address, help: words.addressHelp, kind: 'lines' },
]

const stock: readonly RecordField[] = [
  {
    path: 'fullPalletAllocation',
    label: words.fullPallet,
    kind: 'number',
    options: choices(FullPalletAllocation, words.fullPalletOf),
  },
  { path: 'isFullPalletFirst', label: words.fullPalletFirst, kind: 'switch' },
  { path: 'countApprovalBySecondUser', label: words.countBySecond, kind: 'switch' },
]

const money: readonly RecordField[] = [
  {
    path: 'currencyCode',
    label: words.currency,
    help: words.currencyHelp,
    suggestions: known('currency'),
  },
  { path: 'taxName', label: words.taxName, help: words.taxNameHelp },
  { path: 'taxNumber', label: words.taxNumber, help: words.taxNumberHelp },
  { path: 'paymentTermsDays', label: words.termsDays, kind: 'number' },
  { path: 'trackingCategory', label: words.tracking, help: words.trackingHelp },
  { path: 'paymentTerms', label: words.terms, kind: 'lines' },
  { path: 'bankDetails', label: words.bank, help: words.bankHelp, kind: 'lines' },
  { path: 'rateCardApprovalBySecondUser', label: words.cardBySecond, kind: 'switch' },
  { path: 'closingRequiresRates', label: words.closingNeedsRates, kind: 'switch' },
]

const invoices: readonly RecordField[] = [
  { path: 'invoicePrefix', label: words.invoicePrefix, help: words.invoicePrefixHelp, isRequired: true },
  {
    path: 'nextInvoiceNumber',
    label: words.nextInvoice,
    help: words.nextInvoiceHelp,
    kind: 'number',
    isRequired: true,
  },
]

/** The regions of the settings in their order. */
export const settingGroups = () => [
  { heading: words.organisation, fields: organisation() },
  { heading: words.money, fields: money },
  { heading: words.invoices, fields: invoices },
  { heading: words.stock, fields: stock },
]
