// What accounting programs import of a schedule: rows of a sales invoice. Pure. Decimals are text.
// Open-points 7.

import { decimalText, divide, roundTo, scale } from '../../platform/decimal.ts'
import { ChargeApplication } from '../enumerations.ts'

/** What all rows of an invoice share. */
export interface Invoice {
  contactName: string
  invoiceNumber: string
  date: string
  /** in how many days it is due */
  paymentTermsDays: number
  currencyCode: string | null
  /** what cost centres are called in the accounting program */
  trackingCategory: string | null
}

/** A transaction as invoices need it. */
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
  revenueAccountCode: string | null
  costCentreCode: string | null
  taxCode: string
}

/** A figure in a table, which is never taken for a formula. */
export interface Figure {
  figure: string
}
export type Cell = string | Figure

const places = 4
const withoutTrailingZeros = (digits: string): string =>
  digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
const money = (digits: string): string => decimalText(2, roundTo(2, digits))

/** How an amount that is no mere product came about. */
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
 * Quantity and unit amount of a line, which multiplied come to its amount: where those that it was charged by
 * do not, at four places, it is once its amount, and the arithmetic goes into the description.
 */
export function priceOf(line: InvoiceLine): {
  quantity: string
  unitAmount: string
  arithmetic: string | null
} {
  const [quantity, rate] = [roundTo(places, line.quantity), roundTo(places, line.chargeRate)]
  if (divide(quantity * rate, 10n ** BigInt(2 * places - 2)) === scale(2, line.amountExclTax)) {
    const shown = (value: bigint) => withoutTrailingZeros(decimalText(places, value))
    return { quantity: shown(quantity), unitAmount: shown(rate), arithmetic: null }
  }
  return { quantity: '1', unitAmount: money(line.amountExclTax), arithmetic: arithmeticOf(line) }
}

/** One line of text: programs take a break inside of a cell for the end of the row. */
function descriptionOf(line: InvoiceLine, arithmetic: string | null): string {
  const { date, consignmentNumber, consignmentReferenceNumber: reference } = line
  const what = line.particulars || line.activityName || ''
  const words = [date, consignmentNumber, reference, what].filter(word => word)
  return `${words.join(' ')}${arithmetic === null ? '' : ` (${arithmetic})`}`.replace(/\s+/g, ' ')
}

/** 2026-03-01 as 01/03/2026. */
const dayFirst = (date: string): string => date.split('-').toReversed().join('/')

const dayMs = 86_400_000
const dueDate = ({ date, paymentTermsDays }: Invoice): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + paymentTermsDays * dayMs).toISOString().slice(0, 10)

/** How one program wants invoices: what it imports them by, and the cells of a line, others being empty. */
export interface InvoiceTable {
  headings: readonly string[]
  cells(invoice: Invoice, line: InvoiceLine): Readonly<Record<string, Cell | null>>
}

/** The row of a line, in the order of the headings. */
export const rowOf = ({ headings, cells }: InvoiceTable, invoice: Invoice, line: InvoiceLine): Cell[] => {
  const values = cells(invoice, line)
  return headings.map(heading => values[heading] ?? '')
}

/** A sales invoice as Xero imports it, by the headings of its template, which it wants all and unchanged. */
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
      '*InvoiceDate': dayFirst(invoice.date),
      '*DueDate': dayFirst(dueDate(invoice)),
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

const maxMyobNumber = 13
const maxMyobDescription = 255
/** Due in a number of days, of the ways in which MYOB knows when a sale is due. */
const inDays = '2'

/**
 * The number of an invoice for MYOB, which has at most 13 characters: a longer one without what is neither
 * letter nor digit, null where that is too long too.
 */
export function myobNumber(referenceNumber: string): string | null {
  if (referenceNumber.length <= maxMyobNumber) return referenceNumber
  const short = referenceNumber.replace(/[^\p{L}\p{N}]/gu, '')
  return short.length <= maxMyobNumber && short !== '' ? short : null
}

/**
 * A professional sale as MYOB AccountRight imports it; its lines have amounts only, without tax, and the
 * spaces are in the headings of its own files.
 */
export const myobInvoice: InvoiceTable = {
  headings: [
    ...['Co./Last Name', 'Invoice No.', 'Date', 'Description', 'Account No.', 'Amount', 'Job', 'Tax Code'],
    ...['Currency Code', 'Terms - Payment is Due', '           - Balance Due Days'],
  ],
  cells(invoice, line) {
    const { quantity, arithmetic, unitAmount } = priceOf(line)
    const told = arithmetic ?? (quantity === '1' ? null : `${quantity} × ${unitAmount}`)
    return {
      'Co./Last Name': invoice.contactName,
      'Invoice No.': invoice.invoiceNumber,
      Date: dayFirst(invoice.date),
      Description: [...descriptionOf(line, told)].slice(0, maxMyobDescription).join(''),
      'Account No.': line.revenueAccountCode,
      Amount: { figure: money(line.amountExclTax) },
      Job: line.costCentreCode,
      'Tax Code': line.taxCode,
      'Currency Code': invoice.currencyCode,
      'Terms - Payment is Due': { figure: inDays },
      '           - Balance Due Days': { figure: String(invoice.paymentTermsDays) },
    }
  },
}
