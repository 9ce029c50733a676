// What somebody searches for, and the conditions that find it. All of them are bounded: an index is read from
// where texts begin with the searched one, up to a number of entries, or the newest records are looked
// through.

import { type Sql, sql } from '../platform/database/db.ts'

/** What somebody searches for. */
export interface SearchedText {
  text: string
  /** the number that it may be, as in `320`, `000320`, `SSL-000320` and `LU-320` */
  number: SearchedNumber | null
  /** the id that it may be */
  id: string | null
}

/** A number as people say it: without zeros, or with parts of what stands around it. */
export interface SearchedNumber {
  number: number
  /** the number, and those that begin with its digits: what is being typed may go on */
  numbers: readonly number[]
  /** what stands before and after it, in lower case; empty if nothing does */
  before: string
  after: string
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const numberPattern = /^([a-z]+-)?0*([1-9][0-9]{0,12})(-[a-z0-9]*)?$/i

export const searchedText = (text: string): SearchedText => ({
  text,
  number: searchedNumber(text),
  id: uuidPattern.test(text) ? text.toLowerCase() : null,
})

function searchedNumber(text: string): SearchedNumber | null {
  const [matched, before = '', digits, after = ''] = numberPattern.exec(text) ?? []
  if (matched === undefined) return null
  const number = Number(digits)
  const numbers = after === '' ? [number, ...following(number, 10), ...following(number, 100)] : [number]
  return { number, numbers, before: before.toLowerCase(), after: after.toLowerCase() }
}

/** The numbers that have so many more digits. */
const following = (number: number, factor: number) =>
  Array.from({ length: factor }, (_, i) => number * factor + i)

/** Whether a record has the number: `number` is its column, `name` what people read. */
export const hasNumber = (searched: SearchedNumber, number: Sql, name: Sql): Sql => sql`
  ${number} = any(${searched.numbers}::bigint[]) and starts_with(lower(${name}), ${searched.before})
    and strpos(lower(${name}), ${searched.after}) > 0`

// The last code point there is: what begins with a text is before the text with it.
const last = '\u{10ffff}'

/**
 * The searched text in lower case. As a query of its own it is unknown to the planner, so that one plan
 * serves all texts: planning takes longer than searching.
 */
const lower = ({ text }: SearchedText): Sql => sql`(select lower(${text}))`

/** Whether a lower-case text begins with the searched one, as an index with `text_pattern_ops` finds it. */
export const beginsWith = (expression: Sql, searched: SearchedText): Sql =>
  sql`${expression} ~>=~ ${lower(searched)} and ${expression} ~<~ (${lower(searched)} || ${last})`

/** The order of that index. With a limit, PostgreSQL reads the index up to it, and nothing else. */
export const inOrderOf = (expression: Sql): Sql => sql`${expression} using ~<~`

/** Whether a lower-case text has the searched one anywhere in it. */
export const hasText = (expression: Sql, searched: SearchedText): Sql =>
  sql`strpos(${expression}, ${lower(searched)}) > 0`

/** The same for an expression with a trigram index, which finds texts of three characters and more. */
export const hasTrigrams = (expression: Sql, { text }: SearchedText): Sql =>
  sql`${expression} like (select containing(${text}))`
