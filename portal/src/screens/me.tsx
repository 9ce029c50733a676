// The person's own account, `/me`: who they are, and how they see Waybill on this browser.

import { useState } from 'react'
import { SelectField } from '../../../ui/Field.tsx'
import { Facts, Region } from '../../../ui/Region.tsx'
import { KeysSwitch } from '../frame/KeysHelp.tsx'
import { Page } from '../frame/Page.tsx'
import {
  chooseDensity,
  chooseTheme,
  chosenDensity,
  chosenTheme,
  type Density,
  densities,
  type Theme,
  themes,
} from '../frame/theme.ts'
import { useMe } from '../me.ts'
import { accountWords as words } from '../words/account.ts'
import { words as shared } from '../words.ts'
import { Security } from './account-acts.tsx'
import styles from './me.module.css'

export function Screen() {
  const me = useMe()
  const [theme, setTheme] = useState<string>(chosenTheme)
  const [density, setDensity] = useState<string>(chosenDensity)
  return (
    <Page heading={shared.yourAccount}>
      <div className={styles.account}>
        <Region heading={words.you}>
          <div className={styles.form}>
            <Facts
              facts={[
                [words.name, me.fullName],
                [words.email, me.email],
                [words.role, words.roleOf(me.role)],
                [words.organisation, me.organisation.name],
                [words.partner, me.partner?.name],
              ]}
            />
          </div>
        </Region>
        <Region heading={words.appearance}>
          <div className={styles.form}>
            <SelectField
              label={shared.theme}
              value={theme}
              onChange={choice => {
                setTheme(choice)
                chooseTheme(choice as Theme)
              }}
              options={themes.map(value => ({ value, text: words.themeNames[value] }))}
            />
            <SelectField
              label={words.density}
              value={density}
              onChange={choice => {
                setDensity(choice)
                chooseDensity(choice as Density)
              }}
              options={densities.map(value => ({ value, text: words.densityNames[value] }))}
            />
            <KeysSwitch />
          </div>
        </Region>
        <Security />
        <Region heading={words.apps}>
          <div className={styles.form}>
            <p className={styles.quiet}>{words.appsWhy}</p>
            <a href="/connect/apps">{words.apps}</a>
          </div>
        </Region>
      </div>
    </Page>
  )
}
