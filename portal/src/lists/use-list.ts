// The rows of a list, and its state in the address: view, filters, search and sort. Pages of 100 are read
// ahead; the page before stays while the next loads.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useReducer, useRef, useState } from 'react'
import type { Filter, FilterValues } from '../../../ui/FilterBar.tsx'
import { get, type PathWith, type RowOf } from '../api.ts'
import { useMe } from '../me.ts'
import { ownReads } from '../queries.ts'
import { type Search, useChangeSearch, useSearch } from '../router.tsx'
import { holdBack, type Shown } from './held-back.ts'
import type { List } from './list.ts'

const pageSize = 100
const pollMs = 15_000
/** How many rows one scroll shows at most; beyond that, a filter finds what a scroll would not. */
export const maxRows = 10_000

interface ResponsePage {
  index: number
  total: number
  [rows: string]: unknown
}

/** Reads the rows that the address asks for. */
export function useList<Path extends PathWith<'get'>, Row = RowOf<Path>>(list: List<Path, Row>) {
  const search = useSearch()
  const change = useChangeSearch()
  const view = list.views.find(({ id }) => id === search.view) ?? list.views[0]
  const [isAsked, setAsked] = useState(false)
  const filters = list.filters(useMe(), isAsked)
  const names = filters.flatMap(({ name, toName }) => (toName === undefined ? [name] : [name, toName]))
  const values = Object.fromEntries(names.map(name => [name, textOf(search[name])]))
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  const others = Object.fromEntries((list.others ?? []).map(name => [name, textOf(search[name])]))
  const query = {
    ...{ ...list.always, ...impliedBy(filters, set), ...view?.query, ...set, ...others },
    [list.searchName ?? 'SearchText']: textOf(search.SearchText),
    Sort: textOf(search.Sort),
  }
  const rows = useRows(list, query)
  const setFilters = (next: FilterValues) => change(next)
  const setSearch = useCallback((text: string) => change({ SearchText: text }, { replace: true }), [change])
  const nothing = Object.fromEntries([...names, 'SearchText'].map(name => [name, undefined]))
  return {
    ...rows,
    ...{ view, filters, values, setFilters, setSearch, ask: () => setAsked(true) },
    searchText: textOf(search.SearchText) ?? '',
    sort: textOf(search.Sort),
    isNarrowed: Object.keys(set).length > 0 || search.SearchText !== undefined,
    isOfSomebody: Object.keys(set).join() === list.whose?.filter && search.SearchText === undefined,
    setView: (id: string) => change({ view: id }),
    setSort: (sort: string) => change({ Sort: sort }),
    removeFilters: () => change(nothing),
  }
}

/** What the filters that are set need beside them. */
const impliedBy = (filters: readonly Filter[], set: Readonly<Record<string, unknown>>) =>
  Object.assign(
    {},
    ...filters
      .filter(({ name, toName }) => name in set || (toName !== undefined && toName in set))
      .map(({ implies }) => implies),
  ) as Readonly<Record<string, string>>

/** Reads the pages of a list. */
function useRows<Path extends PathWith<'get'>, Row>(list: List<Path, Row>, query: object) {
  const rows = useInfiniteQuery({
    queryKey: [list.path, { path: list.ids ?? {}, query }],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      get<ResponsePage>(
        list.path,
        { path: list.ids, query: { ...query, PageIndex: pageParam, PageSize: pageSize } },
        signal,
      ),
    getNextPageParam: ({ index, total }) =>
      index * pageSize < Math.min(total, maxRows) ? index + 1 : undefined,
    placeholderData: before => before,
    // Whoever has scrolled far reads many pages, which would be too much to read again and again.
    refetchInterval: ({ state }) => (list.isPolled && (state.data?.pages.length ?? 0) <= 3 ? pollMs : false),
    // The object around the pages has no version of its own.
    structuralSharing: false,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = rows
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    ...useHeldBack(list, JSON.stringify(query), rows.data?.pages, rows.isPlaceholderData),
    loaded: rows.data?.pages.reduce((n, page) => n + recordsOf(page, list.rowsName).length, 0) ?? 0,
    total: rows.data?.pages[0]?.total,
    error: rows.error,
    retry: () => void rows.refetch(),
    readOn,
  }
}

/** The rows without those that are held back, how many these are, and what shows them. */
function useHeldBack<Path extends PathWith<'get'>, Row>(
  list: List<Path, Row>,
  key: string,
  pages: readonly ResponsePage[] | undefined,
  isPlaceholder: boolean,
) {
  const [, drawAgain] = useReducer((n: number) => n + 1, 0)
  const last = useRef<{ pages: unknown; key: string; held: ReadonlySet<string>; shown: Shown }>(undefined)
  const all = rowsOf(pages, list)
  if (pages !== undefined && !isPlaceholder && (last.current?.pages !== pages || last.current.key !== key)) {
    const read = pages.map(page => rowsOf([page], list).map(list.idOf))
    last.current = {
      ...{ pages, key },
      ...holdBack(last.current?.shown, { key, ownReads: ownReads.count, pages: read }),
    }
  }
  const held = last.current?.held
  const rows = useMemo(
    () => (held === undefined || held.size === 0 ? all : all.filter(row => !held.has(list.idOf(row)))),
    [all, held, list],
  )
  const showNew = () => {
    last.current = undefined
    drawAgain()
  }
  return { rows, newCount: held?.size ?? 0, showNew }
}

const textOf = (value: Search[string]): string | undefined => (typeof value === 'string' ? value : value?.[0])

// The rows of the same pages are the same list, so that the grid is not drawn again.
const rowLists = new WeakMap<object, readonly unknown[]>()

function rowsOf<Path extends PathWith<'get'>, Row>(
  pages: readonly ResponsePage[] | undefined,
  { rowsName, spread }: List<Path, Row>,
): readonly Row[] {
  if (pages === undefined) return []
  const known = rowLists.get(pages)
  if (known !== undefined) return known as readonly Row[]
  const records = pages.flatMap(page => recordsOf(page, rowsName))
  const rows = spread === undefined ? (records as Row[]) : (records as RowOf<Path>[]).flatMap(spread)
  rowLists.set(pages, rows)
  return rows
}

const recordsOf = (page: ResponsePage, name: string) => page[name] as readonly unknown[]
