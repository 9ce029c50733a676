// A rate card, `/rate-cards/{id}`: whose it is, its versions, and two of them compared.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { Facts, Region } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, type RowOf, read, send } from '../../api.ts'
import { Conflict, useEdited } from '../../frame/Conflict.tsx'
import { Page } from '../../frame/Page.tsx'
import { CardPill, holderOf } from '../../lists/rate-cards.tsx'
import { useMe } from '../../me.ts'
import { Link, useChangeSearch, useIds, useSearch } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import styles from '../inventory/stock.module.css'
import { Compare } from './compare.tsx'
import { NewVersion } from './new-version.tsx'
import { mayChangeMoney, statusOptions } from './rate-cards.tsx'
import { Versions } from './versions.tsx'

export type Card = Got<'/v1/rate-cards/{rateCardId}'>
export type Version = RowOf<'/v1/rate-cards/{rateCardId}/versions'>

export function Screen() {
  const { id: rateCardId = '' } = useIds()
  const mayChange = mayChangeMoney(useMe())
  const [isMaking, setMaking] = useState(false)
  const change = useChangeSearch()
  const isComparing = useSearch().With !== undefined
  const { data: card } = useSuspenseQuery(read('/v1/rate-cards/{rateCardId}', { path: { rateCardId } }))
  const { data, isError } = useQuery(
    read('/v1/rate-cards/{rateCardId}/versions', { path: { rateCardId }, query: { PageSize: 500 } }),
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
            {words.relationshipOf(card.relationship)}, {holderOf(card)}
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

function CardRegion({ card, mayChange }: { card: Card; mayChange: boolean }) {
  const [isEditing, setEditing] = useState(false)
  useKeys(mayChange ? { e: () => setEditing(true) } : {})
  return (
    <Region
      heading={words.card}
      acts={
        mayChange &&
        !isEditing && (
          <Button kind="quiet" hint="E" onPress={() => setEditing(true)}>
            {uiWords.edit}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        {isEditing ? (
          <EditCard card={card} onClose={() => setEditing(false)} />
        ) : (
          <Facts
            facts={[
              [words.name, card.name],
              [words.partner, holderOf(card)],
              [words.headStatus, words.status(card.status)],
              [
                words.inForce,
                card.current && words.inForceSince(card.current.number, card.current.effectiveFrom),
              ],
            ]}
          />
        )}
      </div>
    </Region>
  )
}

function EditCard({ card, onClose }: { card: Card; onClose: () => void }) {
  const [name, setName] = useState(card.name)
  const [status, setStatus] = useState(String(card.status))
  const edited = useEdited(card, '/v1/rate-cards', async ifMatch => {
    const { hasChanged } = await send('put', '/v1/rate-cards/{rateCardId}', {
      path: { rateCardId: card.id },
      body: { name: name.trim(), status: status === '2' ? 2 : 1 },
      ifMatch,
    })
    notify({ text: hasChanged ? words.cardSaved : words.unchanged })
    onClose()
  })
  const { faults } = edited
  return (
    <form
      className={styles.wideForm}
      onSubmit={event => {
        event.preventDefault()
        edited.save()
      }}
    >
      <TextField
        label={words.name}
        value={name}
        onChange={setName}
        fault={faults.at('name') ?? faults.other}
        maxLength={200}
        isRequired
      />
      <SelectField
        label={words.headStatus}
        help={words.inactiveHelp}
        value={status}
        onChange={setStatus}
        options={statusOptions}
        fault={faults.at('status')}
      />
      <div className={styles.formActs}>
        <Button kind="main" type="submit">
          {uiWords.save}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {uiWords.cancel}
        </Button>
      </div>
      <Conflict
        edited={edited}
        versions={[
          { label: words.name, mine: name.trim(), theirs: card.name },
          { label: words.headStatus, mine: words.status(Number(status)), theirs: words.status(card.status) },
        ]}
        onClose={onClose}
      />
    </form>
  )
}
