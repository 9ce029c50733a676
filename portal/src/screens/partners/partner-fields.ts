// The fields of a partner, by the regions that show them.

import { Relationship } from '../../../../client/src/waybill.ts'
import type { RegionField } from '../../frame/RegionForm.tsx'
import type { Choice } from '../../suggestions.ts'
import { partnerWords as words } from '../../words/partners.ts'
import { type Mark, marks, stockRuleWords as rules, type StockRules } from '../../words/stock-rules.ts'

const choicesOf = (texts: Readonly<Record<number, string>>): readonly Choice[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }))

const choice = (name: string, label: string, texts: Readonly<Record<number, string>>): RegionField => ({
  ...{ name, label, kind: 'choice', options: choicesOf(texts) },
})

const shared: readonly RegionField[] = [
  { name: 'name', label: words.name, isRequired: true },
  { name: 'code', label: words.code, isRequired: true },
  { name: 'email', label: words.email },
  { name: 'externalId', label: words.externalId },
  { name: 'accountingName', label: words.accountingName },
  { name: 'paymentTermsDays', label: words.paymentTerms, kind: 'number' },
  { name: 'billingAddress', label: words.billingAddress, kind: 'multiline' },
]

const ofClients: readonly RegionField[] = [
  { name: 'gs1CompanyPrefix', label: words.gs1, help: words.gs1Help },
  { name: 'freeStorageHours', label: words.freeHours, kind: 'number' },
  { name: 'containerThresholdDays', label: words.containerDays, kind: 'number' },
  choice('freightResolution', words.freightResolution, words.freightResolutions),
  choice('freightWarningType', words.freightWarning, words.freightWarnings),
  { name: 'freightWarningThreshold', label: words.freightThreshold, kind: 'number' },
]

/** What a partner is. */
export const factFieldsOf = (relationship: number) =>
  relationship === Relationship.Client ? [...shared, ...ofClients] : shared

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** How the stock of a client is described and chosen. */
export const ruleFields: readonly RegionField[] = [
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
      (mark): RegionField => ({
        ...{ name: `product${capital(mark)}CriticalThresholdDays`, label: rules.criticalOf(mark) },
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
export const billingFields: readonly RegionField[] = [
  choice('period', words.period, words.periods),
  { name: 'graceDays', label: words.graceDays, kind: 'number' },
  { name: 'runAt', label: words.runAt },
  {
    ...{ name: 'weekday', label: words.weekday, kind: 'choice' },
    options: [{ value: '', text: words.usual }, ...choicesOf(words.weekdays)],
  },
  { name: 'dayOfMonth', label: words.dayOfMonth, kind: 'number' },
  { name: 'anchorDate', label: words.anchorDate, kind: 'date' },
  { name: 'billsFrom', label: words.billsFrom, kind: 'date' },
  { name: 'closesComplete', label: words.closesComplete, kind: 'switch' },
  { name: 'raisesStorage', label: words.raisesStorage, kind: 'switch' },
  { name: 'autoApprove', label: words.autoApprove, kind: 'switch' },
  { name: 'maxTransactions', label: words.maxTransactions, kind: 'number' },
  { name: 'referenceTemplate', label: words.referenceTemplate, help: words.referenceHelp },
  { name: 'descriptionTemplate', label: words.descriptionTemplate },
]
