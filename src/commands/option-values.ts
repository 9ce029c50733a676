// Parsers for the values of options; they run before anything is opened.

import { InvalidArgumentError } from 'commander'
import { validate } from 'uuid'

/** Parses the id of a record. */
export function parseId(text: string): string {
  if (!validate(text)) throw new InvalidArgumentError('It must be a uuid.')
  return text
}

/** Parses a day of the calendar, such as `2026-07-01`. */
export function parseDate(text: string): string {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at) || !new Date(at).toISOString().startsWith(text))
    throw new InvalidArgumentError('It must be a date such as 2026-07-01.')
  return text
}
