// What stands around every screen: the link that skips the menu, the menu, and the place for the screen.

import { useQuery } from '@tanstack/react-query'
import { useMatchRoute } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { showFirstFault } from '../../../ui/first-fault.ts'
import { MenuIcon } from '../../../ui/icons.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { setFirstDayOfWeek, setLocale } from '../../../ui/locale.ts'
import { Notices } from '../../../ui/Notices.tsx'
import { quantity } from '../../../ui/numbers.ts'
import { read } from '../api.ts'
import { startLive } from '../live.ts'
import { type Me, useMe } from '../me.ts'
import { Link, useGo } from '../router.tsx'
import { words } from '../words.ts'
import { Bars } from './Bars.tsx'
import styles from './frame.module.css'
import { menuOf } from './menu.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { Search } from './Search.tsx'

const KeysHelp = lazily(() => import('./KeysHelp.tsx').then(module => module.KeysHelp))

/** The frame with a screen in it. */
export function Frame({ children }: { children: ReactNode }) {
  const me = useMe()
  setLocale(me.organisation.locale)
  setFirstDayOfWeek(me.organisation.firstDayOfWeek)
  const [isOpen, setOpen] = useState(false)
  useGoKeys(me)
  useEffect(startLive, [])
  useEffect(keepFocusForKeys, [])
  useEffect(showFirstFault, [])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {words.skipToContent}
      </a>
      <header className={styles.bar}>
        <Button kind="quiet" onPress={() => setOpen(!isOpen)} isExpanded={isOpen}>
          <MenuIcon />
          {words.menu}
        </Button>
        <span className={styles.name}>{me.organisation.name}</span>
      </header>
      {isOpen && <div className={styles.veil} aria-hidden onClick={() => setOpen(false)} />}
      <div className={`${styles.side} ${isOpen ? styles.open : ''}`}>
        <div className={styles.organisation}>
          <Mark />
          <span className={styles.name}>{me.organisation.name}</span>
        </div>
        <Search onOpened={() => setOpen(false)} />
        <MainMenu onOpened={() => setOpen(false)} />
        <PersonMenu />
      </div>
      {children}
      <Bars />
      <HelpByKey />
      <Notices />
    </div>
  )
}

/** Who uses keys needs to have the focus somewhere. What keeps it is not in the first load. */
const keepFocusForKeys = () =>
  addEventListener('keydown', () => import('../../../ui/keep-focus.ts').then(module => module.keepFocus()), {
    once: true,
  })

/** The list of the keys, which `?` opens. */
function HelpByKey() {
  const [isOpen, setOpen] = useState(false)
  useKeys({ '?': () => setOpen(true) })
  if (!isOpen) return null
  return <KeysHelp onClose={() => setOpen(false)} />
}

/** Where `g` and a letter go. */
const goKeys: Readonly<Record<string, string>> = {
  'g h': '/',
  'g c': '/consignments',
  'g i': '/inventory',
  'g j': '/jobs',
  'g s': '/schedules',
  'g b': '/billing',
  'g r': '/reports',
  'g d': '/developers',
}

/** Gives the keys of those places that the person has in the menu. */
function useGoKeys(me: Me): void {
  const go = useGo()
  const paths = new Set(menuOf(me).flatMap(({ entries }) => entries.map(({ path }) => path)))
  useKeys(
    Object.fromEntries(
      Object.entries(goKeys).flatMap(([key, path]) => (paths.has(path) ? [[key, () => go(path)]] : [])),
    ),
  )
}

const Mark = () => (
  <span className={styles.mark} aria-hidden>
    W
  </span>
)

/** What waits for a person to act. What is late or short is told on Home, not beside every screen. */
const callsForPeople: readonly string[] = [
  'importsWaiting',
  'subscriptionsFailed',
  'printsInDoubt',
  'countsToApprove',
  'billingRunsFailed',
]

const needsMs = 60_000

/** How many things wait for somebody at each address of the menu. */
function useNeeds(): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...read('/v1/attention'), staleTime: needsMs, refetchInterval: needsMs })
  const needs = new Map<string, number>()
  for (const { kind, n, path } of data?.items ?? [])
    if (callsForPeople.includes(kind)) needs.set(path, (needs.get(path) ?? 0) + n)
  return needs
}

function MainMenu({ onOpened }: { onOpened: () => void }) {
  const me = useMe()
  const matches = useMatchRoute()
  const needs = useNeeds()
  return (
    <nav className={styles.menu} aria-label={words.mainMenu}>
      {menuOf(me).map(({ heading, entries }, i) => (
        <div key={heading}>
          {i > 0 && (
            <div aria-hidden className={styles.heading}>
              {heading}
            </div>
          )}
          <ul aria-label={heading}>
            {entries.map(({ path, text }) => (
              <li key={path}>
                <Link
                  to={path}
                  className={styles.link}
                  onClick={onOpened}
                  {...(matches({ to: path, fuzzy: path !== '/' }) ? { 'aria-current': 'page' as const } : {})}
                  {...(needs.has(path) ? { 'aria-label': words.needYou(text, needs.get(path) ?? 0) } : {})}
                >
                  {text}
                  {needs.has(path) && <span className={styles.needs}>{quantity(needs.get(path) ?? 0)}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
