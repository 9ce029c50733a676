// The templates for the reference number and description of a run's schedules. Pure.

import type { Period } from './billing-period.ts'

/** The values of the placeholders in templates. */
export interface TemplateValues extends Period {
  partnerCode: string
  partnerName: string
}

const placeholders: ReadonlySet<string> = new Set<keyof TemplateValues>([
  'partnerCode',
  'partnerName',
  'periodFrom',
  'periodTo',
])
const inBraces = /\{([^{}]*)\}/g

/** The template of reference numbers if a rule sets none. */
export const defaultReference = '{partnerCode}-{periodTo}'

/** Returns the unknown placeholders of a template, with their braces. */
export const unknownInTemplate = (template: string): string[] =>
  [...template.matchAll(inBraces)].flatMap(([whole, name = '']) => (placeholders.has(name) ? [] : [whole]))

/** Leaves room for -2, -3 and so on. */
export const maxReferenceLength = 190

/** Yields a reference number and then the same with -2, -3 and so on, without those taken (in lower case). */
export function* freeReferences(wanted: string, taken: ReadonlySet<string>): Generator<string, never> {
  for (let n = 1; ; n++) {
    const reference = n === 1 ? wanted : `${wanted}-${n}`
    if (!taken.has(reference.toLowerCase())) yield reference
  }
}

/** Whether a template gives each period another text. */
export const namesPeriod = (template: string): boolean => /\{period(From|To)\}/.test(template)

/** Fills in the placeholders of a template. */
export const fillTemplate = (template: string, values: TemplateValues, maxLength = 4_000): string =>
  template
    .replace(inBraces, (_, name: string) => values[name as keyof TemplateValues] ?? '')
    .trim()
    .slice(0, maxLength)
