// What the last sheet of a workbook tells of it: which report, narrowed by what, made for whom and when.

import type { EnumerationValues } from '../platform/http/schema.ts'
import { inWords } from './columns.ts'
import type { Report } from './report.ts'
import type { Asking, Checked } from './run-report.ts'

type Line = readonly [label: string, text: string]

/** The value of a filter in words: the name of the record that it names, or of the value. */
function valueInWords(
  value: unknown,
  values: EnumerationValues | undefined,
  name: string | undefined,
): string {
  const found = Object.entries(values ?? {}).find(([, one]) => one === value)
  if (found !== undefined) return inWords(found[0])
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return name ?? [value].flat().join(', ')
}

/** The lines. Days are said to be those of the warehouses, which is not obvious where there are several. */
export function aboutOf(
  { title, filters }: Report,
  { question, names }: Checked,
  { organisationName, userName, localNow, timezoneId }: Asking,
): Line[] {
  const asked = Object.entries(filters).flatMap(([name, { label, schema }]): Line[] => {
    const value: unknown = question.filters[name]
    const { enumeration } = schema as { enumeration?: EnumerationValues }
    return value === undefined ? [] : [[label, valueInWords(value, enumeration, names[name])]]
  })
  return [
    ['Report', title],
    ['Organisation', organisationName],
    ['Made by', userName],
    ['Made at', `${localNow.slice(0, 16).replace('T', ' ')} (${timezoneId})`],
    ['Days and local times', 'of the warehouse of each row'],
    ...asked,
  ]
}
