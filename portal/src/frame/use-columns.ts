// Which columns of a list the reader has chosen.

import { useMemo } from 'react'
import type { Column } from '../../../ui/DataTable.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { words } from '../../../ui/words.ts'
import { changePreferences, type Preferences } from '../preferences.ts'
import { reasonsOf } from '../rehearse.ts'

const reset = { id: 'reset', text: words.resetColumns, isTicked: false }

/** The chosen columns in their order, and the entries of the menu that changes them. */
export function useColumns<Row>(list: string, all: readonly Column<Row>[], { columns: chosen }: Preferences) {
  // The same names are the same columns, so that the grid is not drawn again.
  const names = chosen?.[list]?.join(' ')
  const columns = useMemo(
    () =>
      all.filter(({ id, isHidden, isRowHeader }) =>
        isRowHeader ? true : names === undefined ? !isHidden : names.split(' ').includes(id),
      ),
    [all, names],
  )
  const shown = new Set(columns.map(({ id }) => id))
  const acts = all
    .filter(({ isRowHeader }) => !isRowHeader)
    .map(({ id, head }) => ({
      id,
      text: head,
      isTicked: shown.has(id),
      onAct: () =>
        void store(
          list,
          all.map(column => column.id).filter(name => shown.has(name) !== (name === id)),
        ),
    }))
  return {
    columns,
    acts: [...acts, { ...reset, onAct: () => void store(list, undefined) }],
  }
}

async function store(list: string, names: readonly string[] | undefined): Promise<void> {
  try {
    await changePreferences(before => {
      const { [list]: _, ...others } = before.columns ?? {}
      return { ...before, columns: names === undefined ? others : { ...others, [list]: names } }
    })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}
