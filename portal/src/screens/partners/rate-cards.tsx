// The rate cards of a partner.

import { useQuery } from '@tanstack/react-query'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { day } from '../../../../ui/time.ts'
import { readAll } from '../../every-page.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'
import styles from './partner.module.css'

export function RateCards({ partnerId }: { partnerId: string }) {
  const me = useMe()
  const query = { PartnerId: partnerId }
  const { data, isError } = useQuery(readAll('/v1/rate-cards', { query }))
  const state = regionStateOf(isError, data?.rateCards)
  return (
    <Region heading={words.rateCards} state={state}>
      {state === 'empty' && <Nothing text={words.noCards} />}
      <Rows>
        {(data?.rateCards ?? []).map(({ id, name, current, draftCount }) => (
          <li key={id}>
            {canOpen(me, `/rate-cards/${id}`) ? <Link to={`/rate-cards/${id}`}>{name}</Link> : <b>{name}</b>}
            <span className={styles.quiet}>
              {[
                current === null
                  ? words.noVersion
                  : words.version(current.number, day(current.effectiveFrom)),
                words.drafts(draftCount),
              ]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </Rows>
    </Region>
  )
}
