// What a search found, by kind, `/search?Q=`.

import { Nothing, Region, Rows } from '../../../ui/Region.tsx'
import { Page } from '../frame/Page.tsx'
import { Link, useSearch } from '../router.tsx'
import { useSearchResults } from '../search.ts'
import { searchWords as words } from '../words/search.ts'
import styles from './home/home.module.css'

export function Screen() {
  const { Q } = useSearch()
  const text = [Q].flat()[0] ?? ''
  const { kinds, isSearching } = useSearchResults(text)
  return (
    <Page
      heading={words.resultsFor(text)}
      state={isSearching ? 'loading' : kinds.length === 0 ? 'empty' : 'ready'}
    >
      {kinds.length === 0 && !isSearching && <Nothing text={words.nothing} />}
      {kinds.map(({ kind, found }) => (
        <Region key={kind} heading={kind}>
          <Rows>
            {found.map(({ id, to, search, title, subtitle }) => (
              <li key={id} data-id={id}>
                <Link to={to} search={(search ?? {}) as never}>
                  {title}
                </Link>
                <span className={styles.quiet}>{subtitle}</span>
              </li>
            ))}
          </Rows>
        </Region>
      ))}
    </Page>
  )
}
