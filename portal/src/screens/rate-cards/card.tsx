// A rate card, `/rate-cards/{id}`: whose it is, its versions, and two of them compared.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { type Got, type RowOf, read, send } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { canOpen } from '../../frame/menu.ts'
import { Page } from '../../frame/Page.tsx'
import { CardPill, holderOf } from '../../lists/rate-cards.tsx'
import { type Me, useMe } from '../../me.ts'
import { Link, useChangeSearch, useIds, useSearch } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import styles from '../inventory/stock.module.css'
import { Compare } from './compare.tsx'
import { statusOptions } from './new-card.tsx'
import { NewVersion } from './new-version.tsx'
import { mayChangeMoney } from './rate-cards.tsx'
import { Versions } from './versions.tsx'

export type Card = Got<'/v1/rate-cards/{rateCardId}'>
export type Version = RowOf<'/v1/rate-cards/{rateCardId}/versions'>

export function Screen() {
  const { id: rateCardId = '' } = useIds()
  const me = useMe()
  const mayChange = mayChangeMoney(me)
  const [isMaking, setMaking] = useState(false)
  const change = useChangeSearch()
  const isComparing = useSearch().With !== undefined
  const { data: card } = useSuspenseQuery(read('/v1/rate-cards/{rateCardId}', { path: { rateCardId } }))
  const { data, isError } = useQuery(
    readAll('/v1/rate-cards/{rateCardId}/versions', { path: { rateCardId } }),
  )
  const versions = data?.rateCardVersions
  const [latest, before] = versions ?? []
  const compare = () => change({ Version: latest?.id, With: before?.id })
  useKeys(mayChange ? { m: () => setMaking(true) } : {})
  return (
    <Page
      heading={card.name}
      id={rateCardId}
      status={words.statusName(card.status)}
      above={<Link to="/rate-cards">{words.heading}</Link>}
      beside={
        <>
          <CardPill status={card.status} />
          <span className={styles.quiet}>
            {card.partner !== null && `${words.relationshipOf(card.relationship)}, `}
            <Holder card={card} me={me} />
          </span>
        </>
      }
      acts={
        <>
          {before !== undefined && !isComparing && <Button onPress={compare}>{words.compare}</Button>}
          {mayChange && (
            <Button kind="main" hint="M" onPress={() => setMaking(true)}>
              {words.newVersion}
            </Button>
          )}
        </>
      }
    >
      <CardRegion card={card} mayChange={mayChange} />
      <Versions card={card} versions={versions} isError={isError} />
      {isComparing && versions !== undefined && <Compare card={card} versions={versions} />}
      {isMaking && versions !== undefined && (
        <NewVersion card={card} versions={versions} onClose={() => setMaking(false)} />
      )}
    </Page>
  )
}

/** Whose prices they are, with the way to the rest of what is set up for them. */
const Holder = ({ card, me }: { card: Card; me: Me }) =>
  card.partner !== null && canOpen(me, '/partners') ? (
    <Link to={`/partners/${card.partner.id}`}>{card.partner.name}</Link>
  ) : (
    holderOf(card)
  )

const groups = [
  {
    fields: [
      { path: 'name', label: words.name, isRequired: true, maxLength: 200 },
      {
        path: 'status',
        label: words.headStatus,
        help: words.inactiveHelp,
        kind: 'number',
        options: statusOptions,
      },
    ],
  },
] as const

const CardRegion = ({ card, mayChange }: { card: Card; mayChange: boolean }) => (
  <EditableRegion
    heading={words.card}
    isMain
    mayEdit={mayChange}
    groups={groups}
    record={card}
    path="/v1/rate-cards"
    done={words.cardSaved}
    save={(change, ifMatch) =>
      send('put', '/v1/rate-cards/{rateCardId}', { path: { rateCardId: card.id }, body: change, ifMatch })
    }
    also={[
      [words.partner, holderOf(card)],
      [words.inForce, card.current && words.inForceSince(card.current.number, card.current.effectiveFrom)],
    ]}
  />
)
