// What has been read from the service, by path and parameters. Nothing else in the portal holds data.

import { QueryClient } from '@tanstack/react-query'
import type { RegionState } from '../../ui/Region.tsx'
import { keepSameVersion } from './api.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client repeats what may be repeated; a refusal would be the same again.
      retry: false,
      staleTime: 5_000,
      structuralSharing: keepSameVersion,
    },
    mutations: { retry: false },
  },
})

/** How often the person's own acts have had data read again. */
export const ownReads = { count: 0 }

/** Reads again what screens show of these paths, and of all paths below them, after an act of the person. */
export function readAgain(...paths: readonly string[]): Promise<void> {
  ownReads.count++
  return readAgainQuietly(...paths)
}

/** The same after acts of others: lists hold new rows back. */
export const readAgainQuietly = (...paths: readonly string[]): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && paths.some(start => path === start || path.startsWith(`${start}/`)),
  })

/** How far the rows of a region have been read; `rows` is undefined until they are there. */
export function regionStateOf(isError: boolean, rows: readonly unknown[] | undefined): RegionState {
  if (rows !== undefined) return rows.length === 0 ? 'empty' : 'ready'
  return isError ? 'error' : 'loading'
}
