// A choice of several among many rows, in the dialog of an act: each with a checkbox, searched by text, and
// read on to the last one. What is chosen stays chosen while others are looked for.

import { type ReactNode, useRef } from 'react'
import { TextField } from '../../../ui/Field.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import type { Found } from '../every-page.ts'
import { choiceWords as words } from '../words/choices.ts'
import { ReadOn } from './ReadOn.tsx'
import styles from './read-on.module.css'

/** So few are seen at a glance, and need no search. */
const fewRows = 20

interface ChoicesProps<Row> {
  legend: string
  found: Found<Row>
  /** the ids of those that are chosen */
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  /** what a row shows after its checkbox: a name and up to two facts */
  cells: (row: Row) => ReactNode
  /** what is said when there is nothing to choose from */
  none: string
}

export function Choices<Row extends { id: string }>(props: ChoicesProps<Row>) {
  const { legend, found, chosen, onChange, cells, none } = props
  const { rows, text, setText, total } = found
  // Once there was a search, it stays: what is typed must be seen.
  const isSearched = useRef(false)
  isSearched.current ||= total > fewRows
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  const chooseFound = () => {
    const [row, ...others] = rows ?? []
    if (row !== undefined && others.length === 0) toggle(row.id)
  }
  return (
    <div className={styles.choices}>
      {isSearched.current && (
        <TextField label={words.search(legend)} value={text} onChange={setText} onEnter={chooseFound} />
      )}
      <fieldset>
        <legend>{legend}</legend>
        {rows?.length === 0 && <p>{text === '' ? none : words.nothingFound}</p>}
        {rows !== undefined && rows.length > 1 && <All {...{ rows, chosen, onChange }} />}
        {rows?.map(row => (
          <label key={row.id}>
            <input type="checkbox" checked={chosen.has(row.id)} onChange={() => toggle(row.id)} />
            {cells(row)}
          </label>
        ))}
      </fieldset>
      <ReadOn pages={found} alsoSaid={chosen.size > 0 ? words.chosen(chosen.size) : undefined} />
    </div>
  )
}

/** Chooses all rows that are shown, or none of them. */
function All<Row extends { id: string }>({
  rows,
  chosen,
  onChange,
}: Pick<ChoicesProps<Row>, 'chosen' | 'onChange'> & { rows: readonly Row[] }) {
  const ids = rows.map(({ id }) => id)
  const some = ids.filter(id => chosen.has(id)).length
  const isAll = some === ids.length
  return (
    <label className={styles.all}>
      <input
        type="checkbox"
        checked={isAll}
        ref={input => {
          if (input !== null) input.indeterminate = some > 0 && !isAll
        }}
        onChange={() =>
          onChange(
            isAll ? new Set([...chosen].filter(id => !ids.includes(id))) : new Set([...chosen, ...ids]),
          )
        }
      />
      {uiWords.selectAll}
    </label>
  )
}
