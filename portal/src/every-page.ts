// Lists of which a screen needs more than one page: all of it, or as much as somebody asks for.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSettled } from '../../ui/use-settled.ts'
import { type Got, get, type PathWith, type RequestParams, type RowOf, type read } from './api.ts'

/** The most that the service gives at once. */
const largestPage = 500
/** As many as a person reads before they ask for more, and how many they then get more. */
const [atFirst, more] = [100, 500]

type ParamsOf<Path extends PathWith<'get'>> = NonNullable<Parameters<typeof read<Path>>[1]>
type ListPage = { index: number; total: number }

/** The rows of a page, which are its only list. */
const rowsIn = (page: object): unknown[] => Object.values(page).find(Array.isArray) ?? []

/** A query for a whole list, as one page: for choices and forms that need all of it. */
export const readAll = <Path extends PathWith<'get'>>(
  path: Path,
  params: Partial<ParamsOf<Path>> = {},
  { atMost = Number.POSITIVE_INFINITY } = {},
) => queryOf(path, params, atMost)

/** The same, but reading ends with the page that reaches `atMost`; `total` tells how many there are. */
const queryOf = <Path extends PathWith<'get'>>(path: Path, params: RequestParams, atMost: number) =>
  queryOptions({
    queryKey: [path, params, { atMost }] as const,
    queryFn: ({ signal }) => getAll<Path>(path, params, atMost, signal),
  })

async function getAll<Path extends PathWith<'get'>>(
  path: Path,
  { path: ids, query }: RequestParams,
  atMost: number,
  signal: AbortSignal,
): Promise<Got<Path>> {
  const PageSize = Math.min(atMost, largestPage)
  const pageFrom = (PageIndex?: number) =>
    get<ListPage>(path, { path: ids, query: { PageSize, ...query, ...(PageIndex && { PageIndex }) } }, signal)
  const whole = await pageFrom()
  const rows = rowsIn(whole)
  const wanted = Math.min(whole.total, atMost)
  let index = whole.index + 1
  for (; rows.length < wanted; index++) {
    const next = rowsIn(await pageFrom(index))
    if (next.length === 0) break
    rows.push(...next)
  }
  // The entity tag is that of the first page, which may stay the same while others change.
  return (whole.index + 1 < index ? { ...whole } : whole) as Got<Path>
}

/** What has been read of a list, how much there is, and what reads on; that is absent at the end. */
export interface Pages<Row> {
  /** undefined until they are there */
  rows: readonly Row[] | undefined
  total: number
  readOn: (() => void) | undefined
  isError: boolean
}

interface PagesOptions {
  /** how many are read at first */
  first?: number
  enabled?: boolean
  /** how soon it is read again, or what says so of the rows; false: not */
  refetchInterval?: number | ((rows: readonly object[]) => number | false)
}

/** Reads a list as far as somebody asks for. The rows before stay while more are read. */
export const usePages = <Path extends PathWith<'get'>>(
  path: Path,
  params: Partial<ParamsOf<Path>>,
  options: PagesOptions = {},
): Pages<RowOf<Path>> => useAsked(path, params, options)

function useAsked<Path extends PathWith<'get'>>(
  path: Path,
  params: RequestParams,
  { first = atFirst, refetchInterval: soon, ...options }: PagesOptions,
): Pages<RowOf<Path>> {
  const key = JSON.stringify(params)
  const [asked, ask] = useState({ key, atMost: first })
  const atMost = asked.key === key ? asked.atMost : first
  const { data, isError, isPlaceholderData } = useQuery({
    ...queryOf(path, params, atMost),
    placeholderData: before => before,
    ...options,
    ...(soon !== undefined && {
      refetchInterval: ({ state }: { state: { data: unknown } }) =>
        typeof soon === 'function' ? soon(state.data ? (rowsIn(state.data) as object[]) : []) : soon,
    }),
  })
  const rows = data && (rowsIn(data as object) as RowOf<Path>[])
  const total = (data as ListPage | undefined)?.total ?? 0
  const hasMore = rows !== undefined && rows.length < total && !isPlaceholderData
  return {
    ...{ rows, total, isError },
    readOn: hasMore ? () => ask({ key, atMost: atMost < more ? more : atMost + more }) : undefined,
  }
}

/** A list to choose from: page by page, and searched by what is typed. */
export interface Found<Row> extends Pages<Row> {
  text: string
  setText: (text: string) => void
}

/** The rows of a list that has the filter `SearchText`. */
export function useFound<Path extends PathWith<'get'>>(path: Path, query: object): Found<RowOf<Path>> {
  const [text, setText] = useState('')
  const SearchText = useSettled(text.trim()) || undefined
  return { ...useAsked(path, { query: { ...query, SearchText } }, {}), text, setText }
}
