// What an event of a consignment changed, in words: the values that a person can read, not ids or whole records.

import { quantity } from '../../../ui/numbers.ts'
import { day, instant, wallClock } from '../../../ui/time.ts'
import { consignmentWords } from './consignments.ts'
import { fieldInWords } from './history.ts'

interface Change {
  field: string
  from?: unknown
  to?: unknown
}

/** As many as one reads at a glance; the rest is counted. */
const most = 6

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields whose numbers have names. */
const named: Readonly<Record<string, (value: number) => string>> = {
  status: consignmentWords.status,
  priority: consignmentWords.priority,
}

/** A value in words; undefined if it is none that a person reads. */
function valueInWords(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return named[field]?.(value) ?? quantity(value)
  if (typeof value !== 'string' || /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)) return undefined
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return day(value)
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return instant(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value) ? wallClock(value) : value
}

/** The changes of a record within the consignment, such as a line, are those of its fields. */
function simple({ field, from, to }: Change): readonly Change[] {
  if (!(isRecord(from) && isRecord(to))) return [{ field, from, to }]
  return Object.keys(to).map(name => ({ field: name, from: from[name], to: to[name] }))
}

/** The sentence; empty if there is nothing to say beyond the name of the event. */
export function changesInWords(changes: readonly Change[] | null): string {
  const said = (changes ?? []).flatMap(simple).flatMap(({ field, from, to }) => {
    const [before, after] = [valueInWords(field, from), valueInWords(field, to)]
    if (before === undefined || after === undefined || before === after) return []
    const name = fieldInWords(field)
    return [before === '–' ? `${name}: ${after}` : `${name}: ${before} to ${after}`]
  })
  const rest = said.length - most
  return [...said.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join('; ')
}
