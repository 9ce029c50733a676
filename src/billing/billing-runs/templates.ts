// What the reference number and the description of a schedule say that a run makes. Pure.

import type { Period } from './billing-period.ts'

/** What the placeholders of templates stand for. */
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

/** What a reference number is made from where a rule says nothing else. */
export const defaultReference = '{partnerCode}-{periodTo}'

/** The placeholders of a template that there are not, as they stand there. */
export const unknownPlaceholders = (template: string): string[] =>
  [...template.matchAll(inBraces)].flatMap(([whole, name = '']) => (placeholders.has(name) ? [] : [whole]))

/** The template with its placeholders filled in. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template
    .replace(inBraces, (_, name: string) => values[name as keyof TemplateValues] ?? '')
    .trim()
    .slice(0, 4_000)
