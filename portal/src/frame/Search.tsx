// The button that opens the search for everything, as ⌘K or Ctrl+K does. Whoever reaches for either has the
// search loaded by the time that it opens.

import { useLayoutEffect, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { words } from '../words.ts'
import styles from './search-dialog.module.css'

const load = () => import('./SearchDialog.tsx')
const SearchDialog = lazily(() => load().then(module => module.SearchDialog))

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The button that opens the search, and the search. */
export function Search({ onOpened }: { onOpened: () => void }) {
  const [isOpen, setOpen] = useState(false)
  useKeys({ '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus() })
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === 'Meta' || event.key === 'Control') void load()
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      // There is never a dialog over another.
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <div className={styles.opener} onPointerEnter={() => void load()}>
      <Button onPress={() => setOpen(true)} hint={isApple ? words.shortcut : words.shortcutElsewhere}>
        {words.searchOrJump}
      </Button>
      {isOpen && (
        <SearchDialog
          onClose={() => {
            setOpen(false)
            onOpened()
          }}
        />
      )}
    </div>
  )
}
