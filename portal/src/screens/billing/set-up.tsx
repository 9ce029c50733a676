// Billing set-up, `/billing/set-up`: what rate cards refer to: activities, localities and FAF profiles. The
// address names the tab.

import type { ReactNode } from 'react'
import { Page } from '../../frame/Page.tsx'
import { Tabs } from '../../frame/Views.tsx'
import { Link, useChangeSearch, useSearch } from '../../router.tsx'
import { billingWords } from '../../words/billing.ts'
import { setUpWords as words } from '../../words/set-up.ts'
import styles from '../schedules/money.module.css'
import { Activities } from './activities.tsx'
import { FafProfiles } from './faf-profiles.tsx'
import { Localities } from './localities.tsx'

const tabs: readonly { id: string; text: string; show: () => ReactNode }[] = [
  { id: 'activities', text: words.activities, show: () => <Activities /> },
  { id: 'localities', text: words.localities, show: () => <Localities /> },
  { id: 'faf-profiles', text: words.fafProfiles, show: () => <FafProfiles /> },
]

export function Screen() {
  const { Tab } = useSearch()
  const change = useChangeSearch()
  const chosen = tabs.find(({ id }) => id === Tab) ?? tabs[0]
  return (
    <Page heading={billingWords.setUp} above={<Link to="/billing">{billingWords.billing}</Link>}>
      <Tabs
        label={billingWords.setUp}
        tabs={tabs.map(({ id, text }) => ({
          ...{ key: id, text, isChosen: id === chosen?.id },
          onChoose: () => change({ Tab: id, Profile: undefined }),
        }))}
      />
      <div className={styles.belowTabs}>{chosen?.show()}</div>
    </Page>
  )
}
