// The rate cards of a partner.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { day } from '../../../../ui/time.ts'
import { readAll } from '../../every-page.ts'
import { canOpen } from '../../frame/menu.ts'
import { useMe } from '../../me.ts'
import { regionStateOf } from '../../queries.ts'
import { Link } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'
import { rateCardWords as cards } from '../../words/rate-cards.ts'
import { NewCard } from '../rate-cards/new-card.tsx'
import { mayChangeMoney } from '../rate-cards/rate-cards.tsx'
import styles from './partner.module.css'
import type { Partner } from './partner.tsx'

export function RateCards({ partner: { id: partnerId, relationship } }: { partner: Partner }) {
  const me = useMe()
  const [isMaking, setMaking] = useState(false)
  const query = { PartnerId: partnerId }
  const { data, isError } = useQuery(readAll('/v1/rate-cards', { query }))
  const state = regionStateOf(isError, data?.rateCards)
  return (
    <Region
      heading={words.rateCards}
      state={state}
      acts={mayChangeMoney(me) && <Button onPress={() => setMaking(true)}>{cards.newCard}</Button>}
    >
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
      {isMaking && <NewCard holder={{ relationship, partnerId }} onClose={() => setMaking(false)} />}
    </Region>
  )
}
