// The lists of the API: which paths have pages, what a row of each is, and how to walk them. Specification
// 2.1.

import type { paths } from './generated/api.ts'

/** What the GET of a path answers with 200. */
type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

/** The paths whose GET answers a page. */
export type PagedPath = {
  [Path in keyof paths]: Answer<Path> extends never
    ? never
    : Answer<Path> extends { index: number; total: number }
      ? Path
      : never
}[keyof paths]

/** A row of a path's list. */
export type Row<Path extends PagedPath> = {
  [Field in keyof Answer<Path>]: Answer<Path>[Field] extends (infer R)[] ? R : never
}[keyof Answer<Path>]

type Query<Path extends PagedPath> = paths[Path] extends {
  get: { parameters: { query?: infer Given extends object } }
}
  ? Given
  : never
type InPath<Path extends PagedPath> = paths[Path] extends {
  get: { parameters: { path: infer Given extends object } }
}
  ? Given
  : never

/**
 * What the list of a path is asked with: its filters and the size of a page, and the ids in its path where it
 * has some.
 */
export type ListParams<Path extends PagedPath> = { query?: Omit<Query<Path>, 'PageIndex'> } & ([
  InPath<Path>,
] extends [never]
  ? { path?: never }
  : { path: InPath<Path> })

/** The parameters of `pages`, which are needed where the path has ids. */
export type ListArguments<Path extends PagedPath> = [InPath<Path>] extends [never]
  ? [params?: ListParams<Path>]
  : [params: ListParams<Path>]

/** A page as it came. */
export interface Page {
  index: number
  total: number
}

/**
 * Every row of a list, a page at a time, each page asked for when its first row is wanted. `readPage` reads
 * the page of that index, the first one where it is undefined: lists begin at 1, those of FAF profiles at 0,
 * and the first page says which.
 *
 * Rows that come or go while the pages are walked may move others to a page that was read already or is read
 * next.
 */
export async function* walk<R>(
  readPage: (index: number | undefined) => Promise<Page>,
): AsyncGenerator<R, void, undefined> {
  let read = 0
  for (let index: number | undefined; ; ) {
    const page = await readPage(index)
    const rows = Object.values(page).find(Array.isArray) as R[]
    yield* rows
    read += rows.length
    if (rows.length === 0 || read >= page.total) return
    index = page.index + 1
  }
}
