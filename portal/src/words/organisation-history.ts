// What was changed in the organisation, in words: fields and values are called as on the screens that set them.

import { SetUpStatus } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { instant, weekdays } from '../../../ui/time.ts'
import { nameIn } from './consignments.ts'
import { developerWords as ofApps } from './developers.ts'
import { fieldInWords } from './history.ts'
import { peopleWords as ofPeople } from './people.ts'
import { printingWords as ofPrinters } from './printing.ts'
import { settingsWords as ofSettings } from './settings.ts'

interface Change {
  field: string
  from?: unknown
  to?: unknown
  /** The names of the records whose ids the values are. */
  fromName?: string
  toName?: string
}

/** Fields that the screens call otherwise than the API. */
const fields: Readonly<Record<string, string>> = {
  ...{ partnerId: ofPeople.worksFor, invitedUtc: 'Invited', isDisabled: 'Disabled' },
  ...{ warehouseId: ofPrinters.warehouse, printerBridgeId: 'Bridge', dotsPerMm: ofPrinters.resolutionField },
  ...{
    dotsPerMM: ofPrinters.resolutionField,
    language: ofPrinters.languageField,
    type: ofPrinters.typeField,
  },
  ...{ keepMinutes: ofPrinters.keepMinutes, isDefault: ofPrinters.isDefault },
  ...{ grantType: ofApps.grantField, previousSecretExpiresUtc: 'Earlier secret ends' },
  ...{ timezoneId: ofSettings.timezone, locale: ofSettings.locale, paperSize: ofSettings.paperSize },
  ...{ firstDayOfWeek: ofSettings.firstDayOfWeek, consignmentPrefix: ofSettings.prefix },
  ...{ dgEmergencyPhone: ofSettings.dgPhone, fullPalletAllocation: ofSettings.fullPallet },
  ...{ isFullPalletFirst: ofSettings.fullPalletFirst, countApprovalBySecondUser: ofSettings.countBySecond },
  ...{ rateCardApprovalBySecondUser: ofSettings.cardBySecond, currencyCode: ofSettings.currency },
  ...{ closingRequiresRates: ofSettings.closingNeedsRates, paymentTerms: ofSettings.terms },
  ...{ bankDetails: ofSettings.bank, trackingCategory: ofSettings.tracking },
}

/** Fields whose numbers have names. */
const named: Readonly<Record<string, (value: number) => string>> = {
  status: value => nameIn(SetUpStatus, value),
  type: ofPrinters.type,
  language: ofPrinters.language,
  dotsPerMm: ofPrinters.resolution,
  dotsPerMM: ofPrinters.resolution,
  grantType: ofApps.grant,
  paperSize: ofSettings.paper,
  fullPalletAllocation: ofSettings.fullPalletOf,
  firstDayOfWeek: value => weekdays()[value - 1] ?? String(value),
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/.test(value)

/** The end of an id, by which two records without a name are told apart. */
const codeOf = (id: string): string => `…${id.slice(-6)}`

function said(field: string, value: unknown, name?: string): string {
  if (name !== undefined) return name
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return named[field]?.(value) ?? quantity(value)
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(one => said(field, one)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (field === 'role') return ofPeople.roleOf(value)
  if (isId(value)) return codeOf(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value) ? instant(value) : value
}

const fieldOf = (field: string): string => fields[field] ?? fieldInWords(field)

/** A change in words. What is secret has neither value; what was empty and is made empty says nothing. */
function changeInWords({ field, from, to, fromName, toName }: Change): string {
  const name = fieldOf(field)
  const [before, after] = [said(field, from, fromName), said(field, to, toName)]
  if (before === '–' && after === '–') return name
  return before === '–' ? `${name}: ${after}` : `${name}: ${before} to ${after}`
}

/** A field that is made without a value is none that a person reads; a secret has no values at all. */
const isMadeEmpty = ({ from, to }: Change): boolean =>
  (from === null || from === undefined) && (to === '' || (Array.isArray(to) && to.length === 0))

export const organisationHistoryWords = {
  fieldOf,
  fromOf: ({ field, from, fromName }: Change) => said(field, from, fromName),
  toOf: ({ field, to, toName }: Change) => said(field, to, toName),
  changesOf: (changes: readonly Change[]) =>
    changes
      .filter(change => !isMadeEmpty(change))
      .map(changeInWords)
      .join('; '),
} as const
