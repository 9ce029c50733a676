// The fields of a partner, by the regions that show them.

import { FreightWarningType, Relationship } from '../../../../client/src/waybill.ts'
import type { RecordField } from '../../record-fields.ts'
import type { Choice } from '../../suggestions.ts'
import { partnerWords as words } from '../../words/partners.ts'
import { type Mark, marks, stockRuleWords as rules, type StockRules } from '../../words/stock-rules.ts'

const choicesOf = (texts: Readonly<Record<number, string>>): readonly Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }))

const choice = (path: string, label: string, texts: Readonly<Record<number, string>>): RecordField => ({
  ...{ path, label, kind: 'number', options: choicesOf(texts) },
})

const shared: readonly RecordField[] = [
  { path: 'name', label: words.name, isRequired: true },
  { path: 'code', label: words.code, isRequired: true },
  { path: 'email', label: words.email },
  { path: 'externalId', label: words.externalId },
  { path: 'accountingName', label: words.accountingName },
  { path: 'paymentTermsDays', label: words.paymentTerms, kind: 'number' },
  { path: 'billingAddress', label: words.billingAddress, kind: 'lines' },
]

/** Below what one is warned: an amount or a percentage, as the client is warned of. */
const threshold = (label: string, type: number): RecordField => ({
  ...{ path: 'freightWarningThreshold', label, kind: 'number' },
  onlyIf: { path: 'freightWarningType', isOneOf: [String(type)] },
})

const ofClients: readonly RecordField[] = [
  { path: 'gs1CompanyPrefix', label: words.gs1, help: words.gs1Help },
  { path: 'freeStorageHours', label: words.freeHours, kind: 'number' },
  { path: 'containerThresholdDays', label: words.containerDays, kind: 'number' },
  choice('freightResolution', words.freightResolution, words.freightResolutions),
  choice('freightWarningType', words.freightWarning, words.freightWarnings),
  threshold(words.freightAmount, FreightWarningType.Value),
  threshold(words.freightMargin, FreightWarningType.Margin),
]

/** What a partner is. */
export const factFieldsOf = (relationship: number) =>
  relationship === Relationship.Client ? [...shared, ...ofClients] : shared

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** How the stock of a client is described and chosen. */
export const ruleFields: readonly RecordField[] = [
  choice('rotationMethod', rules.rotation, rules.rotations),
  choice('rotationMethodSecondary', rules.second, rules.rotations),
  choice('stockDepletionMethod', rules.depletion, rules.depletions),
  ...marks.map(mark => choice(`product${capital(mark)}Usage`, rules.usageOf(mark), rules.usages)),
  choice('productSubstitution', rules.substitution, rules.substitutions),
  ...([...marks, 'serial'] as const).map(mark =>
    choice(`product${capital(mark)}Substitution`, rules.substitutionOf(mark), rules.substitutions),
  ),
  ...marks
    .filter(mark => mark !== 'batch')
    .map(
      (mark): RecordField => ({
        ...{ path: `product${capital(mark)}CriticalThresholdDays`, label: rules.criticalOf(mark) },
        kind: 'number',
      }),
    ),
]

/** The rules of a client. */
export function rulesOf(partner: object): StockRules {
  const given = partner as Readonly<Record<string, number | null>>
  const byMark = (end: string, names: readonly (Mark | 'serial')[]) =>
    Object.fromEntries(names.map(mark => [mark, given[`product${capital(mark)}${end}`] ?? null]))
  return {
    ...{ rotation: given.rotationMethod ?? null, second: given.rotationMethodSecondary ?? null },
    depletion: given.stockDepletionMethod ?? null,
    substitution: byMark('Substitution', [...marks, 'serial']),
    ...{ usage: byMark('Usage', marks), critical: byMark('CriticalThresholdDays', marks) },
  }
}

/** How a partner is billed. */
export const billingFields: readonly RecordField[] = [
  choice('period', words.period, words.periods),
  { path: 'graceDays', label: words.graceDays, kind: 'number' },
  { path: 'runAt', label: words.runAt },
  {
    ...{ path: 'weekday', label: words.weekday, kind: 'number' },
    options: [{ value: '', text: words.usual }, ...choicesOf(words.weekdays)],
  },
  { path: 'dayOfMonth', label: words.dayOfMonth, kind: 'number' },
  { path: 'anchorDate', label: words.anchorDate, kind: 'date' },
  { path: 'billsFrom', label: words.billsFrom, kind: 'date' },
  { path: 'closesComplete', label: words.closesComplete, kind: 'switch' },
  { path: 'raisesStorage', label: words.raisesStorage, kind: 'switch' },
  { path: 'autoApprove', label: words.autoApprove, kind: 'switch' },
  { path: 'maxTransactions', label: words.maxTransactions, kind: 'number' },
  { path: 'referenceTemplate', label: words.referenceTemplate, help: words.referenceHelp },
  { path: 'descriptionTemplate', label: words.descriptionTemplate },
]
