// How the person likes to see lists: own views, and columns. The service keeps it, so that it follows them to
// every browser; this browser keeps a copy, so that nothing jumps while it is read.

import { useQuery } from '@tanstack/react-query'
import { WaybillError } from '../../client/src/waybill.ts'
import { entityTagOf, type Got, get, read, send } from './api.ts'
import { useMe } from './me.ts'
import type { ColumnMapping } from './order-columns.ts'
import { readAgain } from './queries.ts'
import type { Search } from './router.tsx'

/** A view that the person has saved: the query of a list's address under a name of their own. */
export interface OwnView {
  name: string
  search: Search
}

export interface Preferences {
  /** own views, by the path of the list */
  views?: Readonly<Record<string, readonly OwnView[]>>
  /** the ids of the columns that are shown, by the path of the list */
  columns?: Readonly<Record<string, readonly string[]>>
  /** what the columns of spreadsheets of orders mean, by the code of the client */
  uploads?: Readonly<Record<string, ColumnMapping>>
}

const path = '/v1/me/preferences'
const keepMs = 60_000
const maxAttempts = 3

/** The preferences. They are asked for once `isEnabled`, so that they do not come before the rows. */
export function usePreferences(isEnabled: boolean): Preferences {
  const key = `waybill-preferences ${useMe().userId}`
  const { data } = useQuery({ ...read(path), staleTime: keepMs, enabled: isEnabled })
  if (data === undefined) return parsed(localStorage.getItem(key))
  localStorage.setItem(key, JSON.stringify(data.value))
  return data.value
}

const parsed = (text: string | null) => JSON.parse(text ?? '{}') as Preferences

/** Changes the preferences. What another browser has stored meanwhile is kept. */
export async function changePreferences(change: (before: Preferences) => Preferences): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await get<Got<typeof path>>(path)
    try {
      await send('put', path, {
        body: { value: change(before.value) as Record<string, unknown> },
        ifMatch: entityTagOf(before),
      })
      return readAgain(path)
    } catch (error) {
      const isLate = error instanceof WaybillError && error.status === 412
      if (!isLate || attempt === maxAttempts) throw error
    }
  }
}

/** Changes the person's own views of a list. */
export const changeViews = (list: string, change: (views: readonly OwnView[]) => readonly OwnView[]) =>
  changePreferences(before => ({
    ...before,
    views: { ...before.views, [list]: change(before.views?.[list] ?? []) },
  }))
