// Filters that are the begin and the end of a period, such as DateFrom and DateTo. Nothing is between a begin
// and an earlier end, so such a request is refused instead of being answered with nothing.

import type { ValidationRule } from './validation.ts'

const isTime = (schema: unknown): boolean =>
  ['date', 'date-time'].includes((schema as { format?: string }).format ?? '')

/** Finds the ends before their begins, among filters whose names end in From and To. */
export function reversedPeriods(filters: Readonly<Record<string, unknown>>): ValidationRule {
  const pairs = Object.keys(filters)
    .filter(name => name.endsWith('From') && isTime(filters[name]))
    .map(from => ({ from, to: from.replace(/From$/, 'To') }))
    .filter(({ to }) => to in filters)
  return value => {
    const given = (value ?? {}) as Readonly<Record<string, string | null | undefined>>
    return pairs
      .filter(({ from, to }) => Date.parse(given[to] ?? '') < Date.parse(given[from] ?? ''))
      .map(({ from, to }) => ({ path: `/${to}`, problem: `must not be before ${from}`, code: 'range' }))
  }
}
