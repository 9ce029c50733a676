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

/** What a line is called, by its id, and by the code of its product where the change tells it. */
export type LineName = (id: string, productCode: string | undefined) => string | undefined

/** Names the lines of a consignment by their numbers and products. */
export const lineNamesOf =
  (lines: readonly { id: string; productCode: string }[]): LineName =>
  (id, productCode) => {
    const index = lines.findIndex(line => line.id === id)
    const code = productCode ?? lines[index]?.productCode
    return index < 0 ? code : consignmentWords.lineOf(index + 1, code ?? '')
  }

const textIn = (record: Record<string, unknown>, field: string): string | undefined =>
  typeof record[field] === 'string' ? record[field] : undefined

/** The changes of a record within the consignment, such as a line, are those of its fields. */
function partsOf({ field, from, to }: Change, lineName: LineName): readonly (Change & { of?: string })[] {
  const [record = to] = [from, to].filter(isRecord)
  if (!isRecord(record)) return [{ field, from, to }]
  const ofLine =
    field === 'products' ? lineName(textIn(record, 'id') ?? '', textIn(record, 'productCode')) : ''
  if (isRecord(from) && isRecord(to))
    return Object.keys(to).map(name => ({
      ...{ field: name, from: from[name], to: to[name] },
      ...(ofLine ? { of: ofLine } : {}),
    }))
  if (!ofLine) return [{ field, from, to }]
  const line = [textIn(record, 'productCode') ?? ofLine, valueInWords('', record.expectedQuantity)].join(', ')
  return [{ field: isRecord(to) ? 'lineAdded' : 'lineRemoved', from: null, to: line }]
}

/** The sentence; empty if there is nothing to say beyond the name of the event. */
export function changesInWords(
  changes: readonly Change[] | null,
  lineName: LineName = (_, productCode) => productCode,
): string {
  const parts = (changes ?? []).flatMap(change => partsOf(change, lineName))
  const said = parts.flatMap(({ field, from, to, of }) => {
    const [before, after] = [valueInWords(field, from), valueInWords(field, to)]
    if (before === undefined || after === undefined || before === after) return []
    const name =
      of === undefined ? fieldInWords(field) : consignmentWords.fieldOfLine(fieldInWords(field), of)
    return [before === '–' ? `${name}: ${after}` : `${name}: ${before} to ${after}`]
  })
  const rest = said.length - most
  return [...said.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join('; ')
}
