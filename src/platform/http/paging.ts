// Paged lists: the paging parameters, the envelope, and the statement that reads a page and its exact total.
// Spec 2.1, 4; decision 1.

import type { TProperties, TSchema } from 'typebox'
import { type Db, empty, type Sql, sql } from '../database/db.ts'
import { notFound } from './refusal.ts'
import { reversedPeriods } from './reversed-periods.ts'
import { named, Type } from './schema.ts'

const maxPageSize = 500
const PageSize = Type.Integer({
  minimum: 1,
  maximum: maxPageSize,
  default: 25,
  description: 'The number of records on a page.',
})
// Far past any page that exists, but its offset still fits into a 64-bit number.
const maxIndex = 1_000_000_000_000

const pageIndex = (first: 0 | 1) =>
  Type.Integer({
    minimum: first,
    maximum: maxIndex,
    default: first,
    description: `The number of the page, starting at ${first}.`,
  })

/**
 * The query parameters of a list: PageIndex (from 1), PageSize and the list's own filters. A period that ends
 * before it begins is refused.
 */
export const pageQuery = <P extends TProperties>(filters: P) =>
  Type.Object({ PageIndex: pageIndex(1), PageSize, ...filters }, { rule: reversedPeriods(filters) })

/** The same for lists whose pages are numbered from 0. Spec 4.11. */
export const pageQueryFromZero = <P extends TProperties>(filters: P) =>
  Type.Object({ PageIndex: pageIndex(0), PageSize, ...filters }, { rule: reversedPeriods(filters) })

/** The schema of a page, with the records under `name`. */
export const pageOf = <const Name extends string, Row extends TSchema>(name: Name, row: Row) =>
  named(
    `${name[0]?.toUpperCase()}${name.slice(1)}Page`,
    Type.Object({ index: Type.Integer(), total: Type.Integer(), [name]: Type.Array(row) } as {
      index: ReturnType<typeof Type.Integer>
      total: ReturnType<typeof Type.Integer>
    } & Record<Name, ReturnType<typeof Type.Array<Row>>>),
  )

/** The filter `SearchText`; `where` names the searched fields. It is trimmed because people paste spaces. */
export const searchIn = (where: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      trimmed: true,
      description: `Part of a text, in upper or lower case. Searches: ${where}.`,
    }),
  )

/**
 * Whether a trigram index can find a text: it needs at least three characters. For fewer, the whole index
 * would be read, and most rows contain them.
 */
export const isIndexable = (text: string): boolean => [...text].length >= 3

/**
 * The condition that a lower-case expression with a trigram index contains the text of `SearchText`, taken
 * literally. The index is searched only for the longest run of digits: every row of an organisation contains
 * the letters of its numbers ("WBL-", "PO"), so the index would read long lists for them without narrowing
 * anything down.
 */
export function contains(expression: Sql, text: string): Sql {
  const isThere = sql`strpos(${expression}, lower(${text})) > 0`
  if (!isIndexable(text)) return isThere
  const [digits = text] = (text.match(/[0-9]{3,}/g) ?? []).toSorted((a, b) => b.length - a.length)
  return digits === text
    ? sql`${expression} like containing(${text})`
    : sql`${expression} like containing(${digits}) and ${isThere}`
}

/**
 * The parts of the statement that reads a page. `from` holds the tables, joins and conditions; the order must
 * be total, so it ends with the id.
 */
export interface PageParts {
  columns: Sql
  from: Sql
  order: Sql
  /** a statement that counts the records, if there is a faster way than counting `from` */
  total?: Sql
  /** 0 for lists whose pages are numbered from 0 */
  firstIndex?: 0 | 1
  /** the record that the list belongs to: the tables and conditions that find it, and its noun for a 404 */
  parent?: { from: Sql; noun: string }
}

/**
 * Reads one page and the total in one statement, so that both are of the same moment. Throws 404 if the
 * record that the list belongs to does not exist.
 */
export async function readPage<const Name extends string, Row>(
  db: Db,
  name: Name,
  { PageIndex, PageSize }: { PageIndex: number; PageSize: number },
  parts: PageParts,
): Promise<{ index: number; total: number } & Record<Name, Row[]>> {
  const offset = (PageIndex - (parts.firstIndex ?? 1)) * PageSize
  // There is exactly one counted row, so the join keeps the order of the page. `is_row` is null if the page
  // is empty.
  const rows = await db.rows<Row & { pageTotal: number; isRow: boolean | null }>(sql`
    select counted.page_total, page.*
    from ${parts.parent === undefined ? empty : sql`(select from ${parts.parent.from}) as parent cross join`}
      (${parts.total ?? sql`select count(*) from ${parts.from}`}) as counted (page_total)
    left join lateral (
      select true as is_row, ${parts.columns} from ${parts.from} order by ${parts.order} limit
        ${PageSize} offset ${offset}
    ) page on true`)
  if (rows.length === 0 && parts.parent !== undefined) throw notFound(parts.parent.noun)
  const total = rows[0]?.pageTotal ?? 0
  const records = rows.filter(row => row.isRow === true)
  return { index: PageIndex, total, [name]: records } as { index: number; total: number } & Record<
    Name,
    Row[]
  >
}
