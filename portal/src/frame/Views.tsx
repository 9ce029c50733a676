// The views of a list: those that everybody has, and those that the person has saved. A saved view is an
// address, so its link shows a colleague the same.

import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { words } from '../../../ui/words.ts'
import type { View } from '../lists/list.ts'
import type { useList } from '../lists/use-list.ts'
import { changeViews, type OwnView, type Preferences } from '../preferences.ts'
import { reasonsOf } from '../rehearse.ts'
import { type Search, stringifySearch, useGo, useSearch } from '../router.tsx'
import styles from './listing.module.css'

// Few save a view, and the dialog is not in the first load.
const NameDialog = lazily(() => import('./ViewName.tsx').then(module => module.ViewName))

export interface ViewsProps {
  list: { path: string; views: readonly View[] }
  state: Pick<ReturnType<typeof useList>, 'view' | 'setView' | 'isNarrowed' | 'sort'>
  preferences: Preferences
}

export function Views({ list: { path: list, views }, state, preferences }: ViewsProps) {
  const isNarrowed = state.isNarrowed || state.sort !== undefined
  const search = useSearch()
  const go = useGo()
  const [dialog, setDialog] = useState<'save' | 'rename'>()
  const own = preferences.views?.[list] ?? []
  const here = stringifySearch(sorted(search))
  const present = own.find(view => stringifySearch(sorted(view.search)) === here)
  const isOwnShown = present !== undefined
  if (views.length < 2 && own.length === 0 && !isNarrowed) return null
  const tabs = [
    ...views.map(({ id, text }) => ({
      ...{ key: id, text, isChosen: !isOwnShown && id === state.view?.id },
      onChoose: () =>
        isNarrowed && own.length > 0 ? go(location.pathname, { view: id }) : state.setView(id),
    })),
    ...own.map(view => ({
      ...{ key: `own ${view.name}`, text: view.name, isChosen: view === present },
      onChoose: () => go(location.pathname, view.search),
    })),
  ]
  return (
    <div className={styles.viewsRow}>
      <Tabs tabs={tabs} />
      {present !== undefined && (
        <OwnViewMenu list={list} view={present} onRename={() => setDialog('rename')} />
      )}
      {present === undefined && isNarrowed && (
        <Button kind="quiet" onPress={() => setDialog('save')}>
          {words.saveView}…
        </Button>
      )}
      {dialog !== undefined && (
        <NameDialog
          list={list}
          renamed={dialog === 'rename' ? present : undefined}
          search={search}
          taken={tabs.map(({ text }) => text)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

/** The same query in one order, however it came about. */
const sorted = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** A tab. */
export interface Tab {
  key: string
  text: string
  isChosen: boolean
  onChoose: () => void
}

/** Scrolls a row of tabs, if it is wider than the screen, so that one of them is seen. */
function showWhole(row: HTMLElement | null, i: number): void {
  const tab = row?.children[i]
  if (row === null || !(tab instanceof HTMLElement)) return
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
}

/** Tabs of a screen. `label` is what they are tabs of. */
export function Tabs({ tabs, label = words.views }: { tabs: readonly Tab[]; label?: string }) {
  const moveTo = (i: number) => {
    const next = row.current?.children[(i + tabs.length) % tabs.length] as HTMLElement | undefined
    next?.focus()
    next?.click()
  }
  const row = useRef<HTMLDivElement>(null)
  const chosen = tabs.findIndex(({ isChosen }) => isChosen)
  useEffect(() => showWhole(row.current, chosen), [chosen])
  const isAnyChosen = tabs.some(({ isChosen }) => isChosen)
  return (
    <div ref={row} role="tablist" aria-label={label} className={styles.views}>
      {tabs.map(({ key, text, isChosen, onChoose }, i) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={isChosen}
          tabIndex={isChosen || (!isAnyChosen && i === 0) ? 0 : -1}
          onClick={onChoose}
          onKeyDown={event => {
            const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }[event.key]
            if (to === undefined) return
            event.preventDefault()
            moveTo(to)
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}

function OwnViewMenu({ list, view, onRename }: { list: string; view: OwnView; onRename: () => void }) {
  async function remove(): Promise<void> {
    try {
      await changeViews(list, views => views.filter(({ name }) => name !== view.name))
      notify({ text: words.viewDeleted(view.name) })
    } catch (error) {
      notify({ text: reasonsOf(error).join(' '), isAlert: true })
    }
  }
  return (
    <Menu
      label={words.changeView}
      groups={[
        {
          acts: [
            { id: 'rename', text: `${words.renameView}…`, onAct: onRename },
            { id: 'delete', text: words.deleteView, isAlert: true, onAct: () => void remove() },
          ],
        },
      ]}
    >
      <Button kind="quiet">{words.changeView}</Button>
    </Menu>
  )
}
