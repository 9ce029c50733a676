// The search for everything: a combo box whose options are grouped by kind. It is loaded when it is needed.

import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { useGo } from '../router.tsx'
import { type Found, type FoundKind, useSearchResults } from '../search.ts'
import { searchWords as words } from '../words/search.ts'
import styles from './search-dialog.module.css'

/** The dialog. It is open while it is rendered. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const go = useGo()
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const settled = useSettled(text, 80)
  const { kinds, isSearching } = useSearchResults(settled)
  const all = kinds.flatMap(({ found }) => found)
  const open = (one: Found | undefined) => {
    if (one === undefined) return
    onClose()
    go(one.to, one.search)
  }
  const setEntered = useEnter(!isSearching && settled === text, () => open(all[active]))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event)
    if (step !== 0) setActive((active + step + all.length) % Math.max(all.length, 1))
    if (event.key === 'Enter') setEntered(true)
  }
  return (
    <Dialog
      title={words.search}
      onClose={onClose}
      state={isSearching ? 'loading' : 'ready'}
      acts={
        <AllResults
          text={text.trim()}
          onOpen={() => {
            onClose()
            go('/search', { Q: text.trim() })
          }}
        />
      }
    >
      <input
        role="combobox"
        aria-label={words.searchEverything}
        aria-expanded={all.length > 0}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        {...(all[active] === undefined ? {} : { 'aria-activedescendant': `${id}-${active}` })}
        {...{ autoFocus: true }}
        className={styles.field}
        placeholder={words.placeholder}
        maxLength={100}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={event => {
          setText(event.target.value)
          setActive(0)
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
      />
      <Options id={id} kinds={kinds} active={active} onOpen={open} />
      {all.length === 0 && !isSearching && <p className={styles.quiet}>{words.nothing}</p>}
    </Dialog>
  )
}

/** Only what was looked for can be opened: an Enter before that waits for it. */
function useEnter(isFound: boolean, onEnter: () => void): (isEntered: boolean) => void {
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    if (!isEntered || !isFound) return
    setEntered(false)
    onEnter()
  })
  return setEntered
}

/** How far an arrow key moves. */
function stepOf(event: KeyboardEvent): number {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
  if (step !== 0) event.preventDefault()
  return step
}

const AllResults = ({ text, onOpen }: { text: string; onOpen: () => void }) =>
  text !== '' && (
    <Button kind="quiet" onPress={onOpen}>
      {words.allResults}
    </Button>
  )

interface OptionsProps {
  id: string
  kinds: readonly FoundKind[]
  active: number
  onOpen: (found: Found) => void
}

function Options({ id, kinds, active, onOpen }: OptionsProps) {
  let n = -1
  return (
    <div role="listbox" id={`${id}-found`} aria-label={words.results} className={styles.found}>
      {kinds.map(({ kind, found }) => (
        <fieldset key={kind} aria-label={kind}>
          <div aria-hidden className={styles.kind}>
            {kind}
          </div>
          {found.map(one => {
            n++
            return (
              <div
                key={one.id}
                role="option"
                id={`${id}-${n}`}
                aria-selected={n === active}
                tabIndex={-1}
                className={styles.option}
                onClick={() => onOpen(one)}
                onKeyDown={event => event.key === 'Enter' && onOpen(one)}
              >
                <b>{one.title}</b> <span className={styles.quiet}>{one.subtitle}</span>
              </div>
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}
