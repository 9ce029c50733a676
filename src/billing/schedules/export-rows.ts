// The rows of a sales invoice that accounting programs import from a schedule. Pure. Decimals are text.
// Decision 7.

import { decimalText, divide, roundTo, scale, withoutTrailingZeros } from '../../platform/decimal.ts'
import { dayMs } from '../../platform/local-time.ts'
import { ChargeApplication } from '../../vocabulary/billing.ts'

/** The fields that all rows of an invoice share. */
export interface Invoice {
  contactName: string
  invoiceNumber: string
  /** the reference number of the schedule */
  reference: string | null
  date: string
  dueDate: string
  currencyCode: string | null
  /** the name of cost centres in the accounting program */
  trackingCategory: string | null
}

/** A transaction as an invoice line. */
export interface InvoiceLine {
  date: string
  consignmentNumber: string | null
  consignmentReferenceNumber: string | null
  particulars: string | null
  activityName: string | null
  quantity: string
  chargeRate: string
  chargeBase: string | null
  chargeMin: string | null
  chargeMax: string | null
  chargeApplication: number
  /** a fraction */
  fafPercent: string
  amountExclTax: string
  revenueAccountCode: string
  costCentreCode: string | null
  taxCode: string
}

/** A number in a table, which is never escaped as a formula. */
export interface Figure {
  figure: string
}
export type Cell = string | Figure

const places = 4
const money = (digits: string): string => decimalText(2, roundTo(2, digits))

/** Describes the arithmetic of an amount that is not simply quantity × rate. */
function arithmeticOf(line: InvoiceLine): string {
  const { quantity, chargeRate, chargeBase, chargeMin, chargeMax, fafPercent } = line
  const isFee = line.chargeApplication === ChargeApplication.Fee
  const product = isFee
    ? `fee ${withoutTrailingZeros(chargeRate)}`
    : `${withoutTrailingZeros(quantity)} × ${withoutTrailingZeros(chargeRate)}`
  const faf = decimalText(4, roundTo(6, fafPercent))
  return [
    `${product}${chargeBase === null ? '' : ` + ${money(chargeBase)}`}`,
    ...(chargeMin === null ? [] : [`minimum ${money(chargeMin)}`]),
    ...(chargeMax === null ? [] : [`maximum ${money(chargeMax)}`]),
    ...(Number(fafPercent) === 0 ? [] : [`FAF ${withoutTrailingZeros(faf)} %`]),
  ].join(', ')
}

/**
 * Returns a quantity and unit amount whose product is the amount of a line. If those that it was charged by
 * do not multiply to it at four places, they are 1 and the amount, and `arithmetic` belongs in the
 * description.
 */
export function priceOf(line: InvoiceLine): {
  quantity: string
  unitAmount: string
  arithmetic: string | null
} {
  const [quantity, rate] = [roundTo(places, line.quantity), roundTo(places, line.chargeRate)]
  if (divide(quantity * rate, 10n ** BigInt(2 * places - 2)) === scale(2, line.amountExclTax)) {
    const format = (value: bigint) => withoutTrailingZeros(decimalText(places, value))
    return { quantity: format(quantity), unitAmount: format(rate), arithmetic: null }
  }
  return { quantity: '1', unitAmount: money(line.amountExclTax), arithmetic: arithmeticOf(line) }
}

/**
 * Returns a description in one line, because the programs read a line break in a cell as the end of the row.
 */
function descriptionOf(line: InvoiceLine, arithmetic: string | null): string {
  const { date, consignmentNumber, consignmentReferenceNumber: reference } = line
  const subject = line.particulars || line.activityName || ''
  const words = [date, consignmentNumber, reference, subject].filter(word => word)
  return `${words.join(' ')}${arithmetic === null ? '' : ` (${arithmetic})`}`.replace(/\s+/g, ' ')
}

/** Formats 2026-03-01 as 01/03/2026. */
const dayFirst = (date: string): string => date.split('-').toReversed().join('/')

const daysUntilDue = ({ date, dueDate }: Invoice): number => (Date.parse(dueDate) - Date.parse(date)) / dayMs

/** The import format of one program: its headings, and the cells of a line by heading. Others are empty. */
export interface InvoiceTable {
  headings: readonly string[]
  cells(invoice: Invoice, line: InvoiceLine): Readonly<Record<string, Cell | null>>
}

/** Returns the row of a line, in the order of the headings. */
export const rowOf = ({ headings, cells }: InvoiceTable, invoice: Invoice, line: InvoiceLine): Cell[] => {
  const values = cells(invoice, line)
  return headings.map(heading => values[heading] ?? '')
}

/** A sales invoice as Xero imports it. Xero requires all headings of its template, unchanged. */
export const xeroInvoice: InvoiceTable = {
  headings: [
    ...['*ContactName', 'EmailAddress', 'POAddressLine1', 'POAddressLine2', 'POAddressLine3'],
    ...['POAddressLine4', 'POCity', 'PORegion', 'POPostalCode', 'POCountry', '*InvoiceNumber', 'Reference'],
    ...['*InvoiceDate', '*DueDate', 'Total', 'InventoryItemCode', '*Description', '*Quantity', '*UnitAmount'],
    ...['Discount', '*AccountCode', '*TaxType', 'TaxAmount', 'TrackingName1', 'TrackingOption1'],
    ...['TrackingName2', 'TrackingOption2', 'Currency', 'BrandingTheme'],
  ],
  cells(invoice, line) {
    const { quantity, unitAmount, arithmetic } = priceOf(line)
    const isTracked = invoice.trackingCategory !== null && line.costCentreCode !== null
    return {
      '*ContactName': invoice.contactName,
      '*InvoiceNumber': invoice.invoiceNumber,
      Reference: invoice.reference,
      '*InvoiceDate': dayFirst(invoice.date),
      '*DueDate': dayFirst(invoice.dueDate),
      '*Description': descriptionOf(line, arithmetic),
      '*Quantity': { figure: quantity },
      '*UnitAmount': { figure: unitAmount },
      '*AccountCode': line.revenueAccountCode,
      '*TaxType': line.taxCode,
      ...(isTracked ? { TrackingName1: invoice.trackingCategory, TrackingOption1: line.costCentreCode } : {}),
      Currency: invoice.currencyCode,
    }
  },
}

const maxMyobDescription = 255
/** MYOB's code for payment terms of "due in a number of days". */
const dueInDays = '2'

/**
 * A professional sale as MYOB AccountRight imports it. Its lines have only an amount, without tax. The
 * leading spaces in a heading are MYOB's own.
 */
export const myobInvoice: InvoiceTable = {
  headings: [
    ...['Co./Last Name', 'Invoice No.', 'Date', 'Description', 'Account No.', 'Amount', 'Job', 'Tax Code'],
    ...['Currency Code', 'Terms - Payment is Due', '           - Balance Due Days'],
  ],
  cells(invoice, line) {
    const { quantity, arithmetic, unitAmount } = priceOf(line)
    const calculation = arithmetic ?? (quantity === '1' ? null : `${quantity} × ${unitAmount}`)
    return {
      'Co./Last Name': invoice.contactName,
      'Invoice No.': invoice.invoiceNumber,
      Date: dayFirst(invoice.date),
      Description: [...descriptionOf(line, calculation)].slice(0, maxMyobDescription).join(''),
      'Account No.': line.revenueAccountCode,
      Amount: { figure: money(line.amountExclTax) },
      Job: line.costCentreCode,
      'Tax Code': line.taxCode,
      'Currency Code': invoice.currencyCode,
      'Terms - Payment is Due': { figure: dueInDays },
      '           - Balance Due Days': { figure: String(daysUntilDue(invoice)) },
    }
  },
}
