// The lists of the API: which paths return pages, what their rows are, and how to read all of them.
// Specification 2.1.

import type { paths } from './generated/api.ts'

/** The body that the GET of a path returns with 200. */
type ResponseBody<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

/** The paths whose GET returns a page. */
export type PagedPath = {
  [Path in keyof paths]: ResponseBody<Path> extends never
    ? never
    : ResponseBody<Path> extends { index: number; total: number }
      ? Path
      : never
}[keyof paths]

/** A row of a path's list. */
export type Row<Path extends PagedPath> = {
  [Field in keyof ResponseBody<Path>]: ResponseBody<Path>[Field] extends (infer R)[] ? R : never
}[keyof ResponseBody<Path>]

type Query<Path extends PagedPath> = paths[Path] extends {
  get: { parameters: { query?: infer Params extends object } }
}
  ? Params
  : never
type PathParams<Path extends PagedPath> = paths[Path] extends {
  get: { parameters: { path: infer Params extends object } }
}
  ? Params
  : never

/** The parameters of a list: its filters, the page size, and the ids in its path, if it has any. */
export type ListParams<Path extends PagedPath> = { query?: Omit<Query<Path>, 'PageIndex'> } & ([
  PathParams<Path>,
] extends [never]
  ? { path?: never }
  : { path: PathParams<Path> })

/** The parameters of `pages`, which are required if the path contains ids. */
export type ListArguments<Path extends PagedPath> = [PathParams<Path>] extends [never]
  ? [params?: ListParams<Path>]
  : [params: ListParams<Path>]

/** A page as it was received. */
export interface Page {
  index: number
  total: number
}

/**
 * Yields every row of a list. Each page is requested when its first row is needed. `readPage` reads the page
 * with that index, or the first page if the index is undefined: lists begin at 1, those of FAF profiles at 0,
 * and the first page says which.
 *
 * Rows that are added or removed in the meantime may move others across a page boundary, so that a row is
 * missed or returned twice.
 */
export async function* readRows<R>(
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
