// Lists: the paging parameters, the envelope, and the one statement that reads a page and its exact total.
// Spec 2.1, 4; open-points 1.

import type { TProperties, TSchema } from 'typebox'
import { type Db, empty, type Sql, sql } from '../database/db.ts'
import { notFound } from './refusal.ts'
import { named, Type } from './schema.ts'

const maxPageSize = 500
const PageSize = Type.Integer({
  minimum: 1,
  maximum: maxPageSize,
  default: 25,
  description: 'How many records a page has.',
})
// Far past any page that exists, and its offset still fits a 64-bit number.
const lastIndex = 1_000_000_000_000

const pageIndex = (first: 0 | 1) =>
  Type.Integer({
    minimum: first,
    maximum: lastIndex,
    default: first,
    description: `Which page, the first being ${first}.`,
  })

/** Query parameters of a list: PageIndex (from 1), PageSize and the list's own filters. */
export const pageQuery = <P extends TProperties>(filters: P) =>
  Type.Object({ PageIndex: pageIndex(1), PageSize, ...filters })

/** The same for the lists that count their pages from 0. Spec 4.11. */
export const pageQueryFromZero = <P extends TProperties>(filters: P) =>
  Type.Object({ PageIndex: pageIndex(0), PageSize, ...filters })

/** The page envelope, with the records under `name`. */
export const pageOf = <const Name extends string, Row extends TSchema>(name: Name, row: Row) =>
  named(
    `${name[0]?.toUpperCase()}${name.slice(1)}Page`,
    Type.Object({ index: Type.Integer(), total: Type.Integer(), [name]: Type.Array(row) } as {
      index: ReturnType<typeof Type.Integer>
      total: ReturnType<typeof Type.Integer>
    } & Record<Name, ReturnType<typeof Type.Array<Row>>>),
  )

/** The filter `SearchText`, and in words where it looks. Blanks around it are what people paste with it. */
export const searchIn = (where: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      trimmed: true,
      description: `Part of a text, large or small letters alike. Looks in: ${where}.`,
    }),
  )

/**
 * Whether a trigram index finds a text. It is of three characters and more; for fewer it would have to be
 * read whole, and most rows have them.
 */
export const isIndexable = (text: string): boolean => [...text].length >= 3

/**
 * The condition of `SearchText` where it goes over an indexed expression, which must be lower case: that it
 * has the text somewhere, taken literally. The index is asked for the longest run of digits alone: every row
 * of an organisation has the letters of its numbers ("WBL-", "PO"), and an index goes through long lists to
 * learn nothing from them.
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
 * What a page is made of. `from` holds the tables, joins and conditions; the order must be total (end with
 * the id).
 */
export interface PageParts {
  columns: Sql
  from: Sql
  order: Sql
  /** a statement that counts, where there is a faster way than counting `from` */
  total?: Sql
  /** 0 for the lists that count from 0 */
  firstIndex?: 0 | 1
  /**
   * the record whose list it is: tables and conditions that find it, and what it is called where it is not
   * found
   */
  of?: { from: Sql; noun: string }
}

/**
 * Reads one page and the total in one statement, so that both see the same moment. 404 when there is no such
 * record as the list is of.
 */
export async function readPage<const Name extends string, Row>(
  db: Db,
  name: Name,
  { PageIndex, PageSize }: { PageIndex: number; PageSize: number },
  parts: PageParts,
): Promise<{ index: number; total: number } & Record<Name, Row[]>> {
  const offset = (PageIndex - (parts.firstIndex ?? 1)) * PageSize
  // The counted row is one, so the join keeps the page's order; the mark tells an empty page from a row.
  const rows = await db.rows<Row & { pageTotal: number; isRow: boolean | null }>(sql`
    select counted.page_total, page.*
    from ${parts.of === undefined ? empty : sql`(select from ${parts.of.from}) as owner cross join`}
      (${parts.total ?? sql`select count(*) from ${parts.from}`}) as counted (page_total)
    left join lateral (
      select true as is_row, ${parts.columns} from ${parts.from} order by ${parts.order} limit
        ${PageSize} offset ${offset}
    ) page on true`)
  if (rows.length === 0 && parts.of !== undefined) throw notFound(parts.of.noun)
  const total = rows[0]?.pageTotal ?? 0
  const records = rows.filter(row => row.isRow === true)
  return { index: PageIndex, total, [name]: records } as { index: number; total: number } & Record<
    Name,
    Row[]
  >
}
