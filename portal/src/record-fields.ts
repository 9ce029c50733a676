// The fields of a record as data: what a form shows of each, and what an act sends of those that were
// changed.

import type { Choice } from './suggestions.ts'

/** A field of a record. */
export interface RecordField {
  /** its name in the request, or its path, such as `address.city` */
  path: string
  label: string
  help?: string
  /** `lines`: a text of several lines */
  kind?: 'text' | 'lines' | 'number' | 'switch' | 'email'
  /** a choice of a few. The value '' stands for none; those of a number are numbers. */
  options?: readonly Choice[]
  /** what could be meant; what is typed counts */
  suggestions?: readonly { value: string; text?: string }[]
  isRequired?: boolean
  maxLength?: number
  /** where the record has it, if that is not the path in the request */
  from?: string
}

/** What somebody has typed, by the paths of fields. Switches are `true` or `false`. */
export type Typed = Readonly<Record<string, string>>

const at = (record: object, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], record)

/** What the record has in a field, as the field shows it. */
export function shownIn(record: object, { path, from, kind }: RecordField): string {
  const value = at(record, from ?? path)
  if (value === null || value === undefined) return kind === 'switch' ? 'false' : ''
  return String(value)
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
    if (text === undefined || text === shownIn(record, field)) continue
    const [name = '', part] = field.path.split('.')
    const value = sentFor(text, field)
    change[name] =
      part === undefined ? value : { ...((change[name] ?? at(record, name)) as object | null), [part]: value }
  }
  return change
}

/** What a field says when it is only read: the text of its choice, or what it has. */
export const textOf = (field: RecordField, shown: string): string =>
  field.options?.find(({ value }) => value === shown)?.text ?? shown
