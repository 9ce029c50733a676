// The last sheet of a workbook, which describes the report: its filters, and for whom and when it was made.

import type { EnumerationValues } from '../platform/http/schema.ts'
import { headingText } from './columns.ts'
import type { Report } from './report.ts'
import type { CheckedRequest, ReportContext } from './run-report.ts'

type Line = readonly [label: string, text: string]

/** The value of a filter in words. `name` is the name of the record that the value is the id of. */
function describeValue(
  value: unknown,
  values: EnumerationValues | undefined,
  name: string | undefined,
): string {
  const named = Object.entries(values ?? {}).find(([, candidate]) => candidate === value)
  if (named !== undefined) return headingText(named[0])
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return name ?? [value].flat().join(', ')
}

/**
 * The lines that describe a report. They state which zone dates and times are in, which is not obvious if
 * there are several warehouses.
 */
export function describeReport(
  { title, filters }: Report,
  { request, names }: CheckedRequest,
  { organisationName, userName, localNow, timezoneId }: ReportContext,
): Line[] {
  const filterLines = Object.entries(filters).flatMap(([name, { label, schema }]): Line[] => {
    const value: unknown = request.filters[name]
    const { enumeration } = schema as { enumeration?: EnumerationValues }
    return value === undefined ? [] : [[label, describeValue(value, enumeration, names[name])]]
  })
  return [
    ['Report', title],
    ['Organisation', organisationName],
    ['Made by', userName],
    ['Made at', `${localNow.slice(0, 16).replace('T', ' ')} (${timezoneId})`],
    ['Days and local times', 'of the warehouse of each row'],
    ...filterLines,
  ]
}
