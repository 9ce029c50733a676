// The fields of a record as data: what a form shows of each, and what an act sends of those that were
// changed.

import { quantity } from '../../ui/numbers.ts'
import { day, wallClock } from '../../ui/time.ts'
import { words as uiWords } from '../../ui/words.ts'
import type { Choice } from './suggestions.ts'

/** A field of a record. */
export interface RecordField {
  /** its name in the request, or its path, such as `address.city` */
  path: string
  label: string
  help?: string
  /** `lines`: a text of several lines */
  kind?: 'text' | 'lines' | 'number' | 'switch' | 'email' | 'url' | 'date' | 'datetime-local'
  /** a choice of a few. The value '' stands for none; those of a number are numbers. */
  options?: readonly Choice[]
  /** what could be meant; what is typed counts */
  suggestions?: readonly { value: string; text?: string }[]
  isRequired?: boolean
  maxLength?: number
  /** the field means something only while another one has one of these values */
  onlyIf?: { path: string; isOneOf: readonly string[] }
  /** where the record has it, if that is not the path in the request */
  from?: string
}

/** What somebody has typed, by the paths of fields. Switches are `true` or `false`. */
export type Typed = Readonly<Record<string, string>>

/** How much of a wall clock a field shows: `2026-06-30T17:00`. */
const minutes = 16

const at = (record: object, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], record)

/** What the record has in a field, as the field shows it. */
export function shownIn(record: object, { path, from, kind }: RecordField): string {
  const value = at(record, from ?? path)
  if (value === null || value === undefined) return kind === 'switch' ? 'false' : ''
  return kind === 'datetime-local' ? String(value).slice(0, minutes) : String(value)
}

/** A text as the request has it. */
function sentFor(text: string, { kind }: RecordField): unknown {
  if (kind === 'switch') return text === 'true'
  const given = text.trim()
  if (given === '') return null
  return kind === 'number' ? Number(given) : given
}

/** The changed fields as the endpoint takes them. An address, which has fields of its own, is sent whole. */
export function changeOf(record: object, fields: readonly RecordField[], typed: Typed): object {
  const change: Record<string, unknown> = {}
  for (const field of fields) {
    const text = typed[field.path]
    if (text === undefined || text.trim() === shownIn(record, field).trim()) continue
    const [name = '', part] = field.path.split('.')
    const value = sentFor(text, field)
    change[name] =
      part === undefined ? value : { ...((change[name] ?? at(record, name)) as object | null), [part]: value }
  }
  return change
}

/** What a field says when it is only read: the text of its choice, or what it has in words. */
export function textOf({ kind, options }: RecordField, shown: string): string {
  if (kind === 'switch') return shown === 'true' ? uiWords.yes : uiWords.no
  const chosen = options?.find(({ value }) => value === shown)
  if (chosen !== undefined || shown === '') return chosen?.text ?? ''
  if (kind === 'date') return day(shown)
  if (kind === 'datetime-local') return wallClock(shown)
  return kind === 'number' && Number.isFinite(Number(shown)) ? quantity(Number(shown)) : shown
}
