// Which columns of a list the reader has chosen. Kept in this browser for each list.

import { useMemo, useState } from 'react'
import type { Column } from '../../../ui/DataTable.tsx'
import { words } from '../../../ui/words.ts'

const keyOf = (list: string) => `waybill-columns ${list}`

/** The chosen columns in their order, and the entries of the menu that changes them. */
export function useColumns<Row>(list: string, all: readonly Column<Row>[]) {
  const [stored, setStored] = useState(() => localStorage.getItem(keyOf(list)))
  const columns = useMemo(() => {
    const names = stored?.split(' ')
    return all.filter(({ id, isHidden, isRowHeader }) =>
      isRowHeader ? true : names === undefined ? !isHidden : names.includes(id),
    )
  }, [all, stored])
  const store = (names: readonly string[] | undefined) => {
    if (names === undefined) localStorage.removeItem(keyOf(list))
    else localStorage.setItem(keyOf(list), names.join(' '))
    setStored(names?.join(' ') ?? null)
  }
  const shown = new Set(columns.map(({ id }) => id))
  const acts = all
    .filter(({ isRowHeader }) => !isRowHeader)
    .map(({ id, head }) => ({
      id,
      text: `${shown.has(id) ? '✓' : '\u2007'} ${head}`,
      onAct: () => store(all.map(column => column.id).filter(name => shown.has(name) !== (name === id))),
    }))
  return {
    columns,
    acts: [...acts, { id: 'reset', text: words.resetColumns, onAct: () => store(undefined) }],
  }
}
