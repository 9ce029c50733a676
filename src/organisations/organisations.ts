// The endpoints of the settings of the caller's organisation. Decisions 3 and 8.

import { endpoint } from '../access/endpoint.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { updateFields } from '../platform/database/write.ts'
import { changed, json } from '../platform/http/endpoint.ts'
import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import {
  allClearable,
  allNullable,
  allOmittable,
  IntegerEnum,
  Name,
  named,
  ShortText,
  Text,
  TimeZone,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { FullPalletAllocation } from '../vocabulary/organisations.ts'
import { PaperSize } from '../vocabulary/paper.ts'
import { Prefix } from './organisation.ts'

// How stock is allocated and counted.
const stockSettings = {
  fullPalletAllocation: IntegerEnum(FullPalletAllocation),
  isFullPalletFirst: {
    ...Type.Boolean(),
    description: 'Among stock of equal rotation, whole pallets are allocated first.',
  },
  countApprovalBySecondUser: {
    ...Type.Boolean(),
    description: 'A stock count must be approved by a user who did not count.',
  },
}

// Rules about money.
const moneySettings = {
  rateCardApprovalBySecondUser: {
    ...Type.Boolean(),
    description: 'A version of a rate card must be approved by a user who was not the last to edit it.',
  },
  closingRequiresRates: {
    ...Type.Boolean(),
    description: 'A consignment with work that no rate charges cannot be Closed.',
  },
}
// Text on papers.
const paperSettings = {
  address: { ...Text, description: 'Line by line, as printed on statements.' },
  dgEmergencyPhone: {
    ...ShortText,
    description: 'Staffed day and night; printed on dangerous goods declarations.',
  },
  taxNumber: { ...ShortText, description: 'If set, approved statements of clients are tax invoices.' },
  taxName: { ...ShortText, description: 'The name of the tax, such as GST.' },
  paymentTerms: Text,
  bankDetails: { ...Text, description: 'Where to pay, line by line.' },
}
// Content of exports for accounting programs.
const accountingSettings = {
  currencyCode: {
    ...Type.String({ pattern: '^[A-Z]{3}$', fault: 'must be a currency code of ISO 4217, such as NZD' }),
    description: 'The currency of all amounts.',
    examples: ['NZD'],
  },
  trackingCategory: { ...ShortText, description: 'The name of cost centres in the accounting program.' },
  paymentTermsDays: {
    ...Type.Integer({ minimum: 0, maximum: 365 }),
    description: 'The number of days until bills are due, 0 by default.',
  },
}
// How invoices are numbered.
const invoiceSettings = {
  invoicePrefix: {
    ...Type.String({ pattern: '^[A-Za-z0-9/-]{1,7}$', fault: 'must be 1 to 7 letters, digits, / or -' }),
    description: 'What invoice numbers begin with, INV- by default. Numbers that were given stay.',
    examples: ['INV-'],
  },
  nextInvoiceNumber: {
    ...Type.Integer({ minimum: 1, maximum: 999_999 }),
    description: 'The number of the next invoice. Fixed from the first invoice on: numbers have no gaps.',
  },
}
const tagForm = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const tagFault = 'must be a language tag of BCP 47, such as en-NZ'

/** Browsers refuse to write anything by a tag whose parts are in no order that means anything. */
function findTagFaults(tag: unknown) {
  try {
    if (typeof tag === 'string' && tagForm.test(tag)) Intl.getCanonicalLocales(tag)
    return []
  } catch {
    return [{ path: '', problem: tagFault }]
  }
}

// How browser apps write dates and numbers.
const languageSettings = {
  locale: {
    ...Type.String({ maxLength: 35, pattern: tagForm.source, fault: tagFault, rule: findTagFaults }),
    description: 'How dates and numbers are written, as a BCP 47 tag.',
    examples: ['en-NZ'],
  },
  firstDayOfWeek: { ...Type.Integer({ minimum: 1, maximum: 7 }), description: '1 Monday to 7 Sunday.' },
}
const clearableSettings = { ...paperSettings, ...accountingSettings }
const paperSize = {
  ...IntegerEnum(PaperSize),
  description: 'The size of papers, unless a request names another.',
}

const Organisation = named(
  'Organisation',
  Type.Object({
    id: Uuid,
    name: Type.String(),
    timezoneId: Type.String(),
    consignmentPrefix: Type.String(),
    ...languageSettings,
    ...stockSettings,
    ...moneySettings,
    ...invoiceSettings,
    paperSize,
    ...allNullable(clearableSettings),
  }),
)

const requiredSettings = {
  name: Name,
  timezoneId: TimeZone,
  consignmentPrefix: Prefix,
  ...languageSettings,
  ...stockSettings,
  ...moneySettings,
  ...invoiceSettings,
  paperSize,
}
const fieldNames = [...Object.keys({ ...requiredSettings, ...clearableSettings }), 'firstInvoiceNumber']

export const organisations = [
  endpoint({
    get: '/v1/organisation',
    name: 'getOrganisation',
    partners: 'none',
    scope: 'organisation.read',
    extension: true,
    summary: "Read the organisation's settings",
    response: json(Organisation),
    async handle({ db, actor }) {
      return db.row(
        sql`select id, name, timezone_id, consignment_prefix, full_pallet_allocation, is_full_pallet_first,
            count_approval_by_second_user, rate_card_approval_by_second_user, closing_requires_rates,
            paper_size, address,
            dg_emergency_phone, tax_number, tax_name, payment_terms, bank_details,
            currency_code, tracking_category, payment_terms_days, invoice_prefix, next_invoice_number,
            locale, first_day_of_week
          from organisation where id = ${actor.organisationId}`,
      )
    },
  }),
  endpoint({
    put: '/v1/organisation',
    name: 'updateOrganisation',
    partners: 'none',
    scope: 'organisation',
    extension: true,
    summary: "Change the organisation's settings",
    description:
      'The prefix of consignment numbers cannot be changed once there is a consignment, and the next ' +
      'invoice number once there is an invoice.',
    body: named(
      'OrganisationChange',
      Type.Object({ ...allOmittable(requiredSettings), ...allClearable(clearableSettings) }),
    ),
    response: changed,
    async handle({ tx, actor, body }) {
      const consignmentPrefix = body.consignmentPrefix?.toUpperCase()
      if (consignmentPrefix !== undefined)
        await requireChangeablePrefix(tx, actor.organisationId, consignmentPrefix)
      const firstInvoiceNumber = await requireChangeableNumber(tx, actor.organisationId, body)
      const where = sql`id = ${actor.organisationId}`
      const change = { ...body, consignmentPrefix, firstInvoiceNumber }
      return (await tx.run(updateFields('organisation', fieldNames, change, where))) > 0
    },
  }),
]

/**
 * Refuses (400) another prefix once there are consignments. Locks the organisation, so that no consignment is
 * created until the transaction ends.
 */
async function requireChangeablePrefix(tx: Db, organisationId: string, prefix: string): Promise<void> {
  const current = await tx.row<{ consignmentPrefix: string; lastConsignmentNumber: number }>(sql`
    select consignment_prefix, last_consignment_number from organisation
    where id = ${organisationId} for no key update`)
  if (current.lastConsignmentNumber > 0 && current.consignmentPrefix !== prefix) {
    throw verificationFailed(
      faultAt('consignmentPrefix', 'cannot change once the organisation has consignments', 'state'),
    )
  }
}

/**
 * Returns the first invoice number where the next one changes, because there is no invoice before it. Refuses
 * (400) another number once there are invoices. Locks the organisation, so that none is issued until the
 * transaction ends.
 */
async function requireChangeableNumber(
  tx: Db,
  organisationId: string,
  { nextInvoiceNumber: given }: { nextInvoiceNumber?: number | undefined },
): Promise<number | undefined> {
  if (given === undefined) return undefined
  const { first, next } = await tx.row<{ first: number; next: number }>(sql`
    select first_invoice_number as first, next_invoice_number as next from organisation
    where id = ${organisationId} for no key update`)
  if (given === next) return undefined
  if (first < next)
    throw verificationFailed(
      faultAt('nextInvoiceNumber', 'cannot change once the organisation has invoices', 'state'),
    )
  return given
}
