// The menu of the person who is signed in: the theme of the page, and signing out.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/Menu.tsx'
import { useMe } from '../me.ts'
import { useGo } from '../router.tsx'
import { pages } from '../routes.ts'
import { signOut, tryAsSomebodyElse } from '../session.ts'
import { words } from '../words.ts'
import styles from './frame.module.css'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const themeNames: Record<Theme, string> = {
  system: words.themeSystem,
  light: words.themeLight,
  dark: words.themeDark,
}

/** The menu button with the person's name. */
export function PersonMenu() {
  const me = useMe()
  const go = useGo()
  const [theme, setTheme] = useState(chosenTheme)
  const account = pages.some(({ path }) => path === '/me')
    ? [{ id: 'account', text: words.yourAccount, onAct: () => go('/me') }]
    : []
  const themeActs = (Object.keys(themeNames) as Theme[]).map(choice => ({
    id: choice,
    text: themeNames[choice],
    isChosen: choice === theme,
    onAct() {
      chooseTheme(choice)
      setTheme(choice)
    },
  }))
  const acts = [
    ...account,
    { id: 'reference', text: words.apiReference, onAct: () => location.assign('/docs') },
    ...(me.isDemo
      ? [{ id: 'try', text: words.tryAsSomebodyElse, onAct: () => void tryAsSomebodyElse() }]
      : []),
    { id: 'sign-out', text: words.signOut, onAct: () => void signOut() },
  ]
  return (
    <div className={styles.person}>
      <Menu label={me.fullName} groups={[{ heading: words.theme, acts: themeActs }, { acts }]}>
        <Button kind="quiet">{me.fullName}</Button>
      </Menu>
    </div>
  )
}
