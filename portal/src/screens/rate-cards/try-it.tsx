// Region Try it: what a consignment would be charged by the prices as they stand in the editor, which charge
// takes what and why the others do not, and what storage would come to.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RateKind, Relationship } from '../../../../client/src/waybill.ts'
import { TextField } from '../../../../ui/Field.tsx'
import { Refusal } from '../../../../ui/Refusal.tsx'
import { Region } from '../../../../ui/Region.tsx'
import { SuggestField } from '../../../../ui/SuggestField.tsx'
import { fromField } from '../../../../ui/time.ts'
import { useSettled } from '../../../../ui/use-settled.ts'
import { read, send } from '../../api.ts'
import type { CardNames } from '../../card-names.ts'
import { reasonsOf } from '../../rehearse.ts'
import { chargeName } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import { ExplainedRates } from '../consignments/explained-rates.tsx'
import styles from './editor.module.css'
import { StoragePreview } from './storage-preview.tsx'
import type { EditorProps } from './version.tsx'

export function TryIt({
  card,
  draft: { content },
  names,
}: Pick<EditorProps, 'card' | 'draft'> & { names: CardNames }) {
  const [number, setNumber] = useState('')
  const [at, setAt] = useState('')
  const { found, isUnknown, isOfOthers } = useConsignments(number, card)
  const chosen = found?.find(({ consignmentNumber }) => consignmentNumber === number.trim())
  const atUtc = fromField(at)
  const given = useSettled(JSON.stringify({ consignmentId: chosen?.id, content, atUtc }))
  const { data, error } = useQuery({
    queryKey: ['/v1/rate-cards/test', given],
    queryFn: async () => (await send('post', '/v1/rate-cards/test', { body: JSON.parse(given) })).data,
    enabled: chosen !== undefined && given.includes(chosen.id),
    placeholderData: keepPreviousData,
  })
  const ids = new Set(content.rates.map(({ id }) => id))
  const chargeNames = new Map(
    content.rates.flatMap(({ charges }) =>
      charges.map((charge, i) => [charge.id ?? '', chargeName(charge, i, names.nameOf)] as const),
    ),
  )
  const hasStorage =
    card.relationship === Relationship.Client && content.rates.some(({ kind }) => kind === RateKind.Storage)
  return (
    <Region heading={words.tryIt}>
      <div className={styles.fields}>
        <SuggestField
          label={words.consignment}
          help={isOfOthers ? words.tryOthersHelp : words.tryHelp}
          fault={isUnknown ? words.noConsignment(number.trim()) : undefined}
          value={number}
          onChange={setNumber}
          suggestions={(found ?? []).map(one => ({
            value: one.consignmentNumber,
            text: [one.clientName, one.referenceNumber].filter(Boolean).join(', '),
          }))}
        />
        <TextField
          label={words.atUtc}
          help={words.atHelp}
          type="datetime-local"
          value={at}
          onChange={setAt}
        />
      </div>
      {chosen !== undefined && (
        <div className={styles.tried}>
          <Refusal reasons={error === null ? [] : reasonsOf(error)} />
          {error === null && data !== undefined && (
            <ExplainedRates
              rates={data.explanation.rates.filter(({ rateId }) => ids.has(rateId))}
              unrated={data.explanation.unrated}
              partnerId={card.partner?.id}
              chargeNames={chargeNames}
            />
          )}
        </div>
      )}
      {hasStorage && <StoragePreview card={card} content={content} />}
    </Region>
  )
}

/**
 * The consignments whose numbers or references have this text: those of the partner, if the card has one. A
 * card of somebody who has none yet is tried on those of others.
 */
function useConsignments(text: string, { partner, relationship }: EditorProps['card']) {
  const isOfClient = relationship === Relationship.Client
  const own = partner === null ? {} : isOfClient ? { ClientId: [partner.id] } : { CarrierId: [partner.id] }
  const PageSize = 20
  const hasNone = useQuery(read('/v1/consignments', { query: { ...own, PageSize } })).data?.total === 0
  const SearchText = useSettled(text.trim())
  const { data } = useQuery({
    ...read('/v1/consignments', {
      query: { ...(hasNone ? {} : own), ...(SearchText === '' ? {} : { SearchText }), PageSize },
    }),
    placeholderData: keepPreviousData,
  })
  const isUnknown = SearchText !== '' && SearchText === text.trim() && data?.total === 0
  return { found: data?.consignments, isUnknown, isOfOthers: hasNone && partner !== null }
}
