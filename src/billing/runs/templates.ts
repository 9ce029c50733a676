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
export const unknownPlaceholders = (template: string): string[] =>
  [...template.matchAll(inBraces)].flatMap(([whole, name = '']) => (placeholders.has(name) ? [] : [whole]))

/** Fills in the placeholders of a template. The result has at most 4,000 characters. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template
    .replace(inBraces, (_, name: string) => values[name as keyof TemplateValues] ?? '')
    .trim()
    .slice(0, 4_000)
