// A version of a rate card, `/rate-cards/{id}/versions/{versionId}`: its rates, and their charges as
// sentences. A draft is edited here; an approved version never changes.

import { useQuery, useSuspenseQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { RateCardVersionStatus } from '../../../../client/src/waybill.ts'
import { type Got, read } from '../../api.ts'
import { type CollectionName, chargesOf, collectionsOf, useCardNames } from '../../card-names.ts'
import { readAll } from '../../every-page.ts'
import { Conflict } from '../../frame/Conflict.tsx'
import { Page } from '../../frame/Page.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { rateCardWords as words } from '../../words/rate-cards.ts'
import type { Card } from './card.tsx'
import { contentVersions } from './content-versions.ts'
import styles from './editor.module.css'
import { mayChangeMoney } from './rate-cards.tsx'
import { Rates } from './rates.tsx'
import { Terms } from './terms.tsx'
import { TryIt } from './try-it.tsx'
import { type Draft, useDraft } from './use-draft.ts'
import { VersionActs } from './version-acts.tsx'
import { Reasons } from './version-reasons.tsx'
import { VersionPill } from './versions.tsx'

export type VersionDetail = Got<'/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}'>

/** What every part of the screen is given. */
export interface EditorProps {
  card: Card
  version: VersionDetail
  draft: Draft
  /** whether the person may change this version now */
  canEdit: boolean
}

export function Screen() {
  const { id: rateCardId = '', versionId: rateCardVersionId = '' } = useIds()
  const [{ data: card }, { data: version }] = useSuspenseQueries({
    queries: [
      read('/v1/rate-cards/{rateCardId}', { path: { rateCardId } }),
      read('/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}', {
        path: { rateCardId, rateCardVersionId },
      }),
    ],
  })
  // What was saved, by this person or another, is edited afresh.
  const [round, setRound] = useState(0)
  return (
    <Editor
      key={`${rateCardVersionId} ${round}`}
      card={card}
      version={version}
      onStale={() => setRound(round + 1)}
    />
  )
}

// What the terms of a version name.
const ofTerms: readonly CollectionName[] = ['taxRates', 'fafProfiles', 'activityTypes', 'revenueAccounts']
// What the form of a charge offers.
const ofForm: readonly CollectionName[] = ['unitTypes', 'costCentres']

function Editor({ card, version, onStale }: { card: Card; version: VersionDetail; onStale: () => void }) {
  const canEdit = mayChangeMoney(useMe()) && version.status === RateCardVersionStatus.Draft
  const draft = useDraft(card, version, onStale)
  const { edited, content } = draft
  const collections = new Set([...ofTerms, ...(canEdit ? ofForm : []), ...collectionsOf(chargesOf(content))])
  const names = useCardNames(collections, card.partner?.id)
  const [opened] = useState(version)
  const isStale = version !== opened && !draft.isDirty
  useEffect(() => {
    if (isStale) onStale()
  }, [isStale, onStale])
  const props = { card, version, draft, canEdit }
  return (
    <Page
      heading={words.versionOf(version.number, card.name)}
      id={version.id}
      status={words.versionStatusName(version.status)}
      above={
        <>
          <Link to="/rate-cards">{words.heading}</Link>
          <span aria-hidden className={styles.slash}>
            /
          </span>
          <Link to={`/rate-cards/${card.id}`}>{card.name}</Link>
        </>
      }
      beside={<VersionPill version={version} current={card.current} />}
      acts={<VersionActs {...props} />}
    >
      <Reasons {...props} names={names} />
      <Terms {...props} names={names} />
      <Rates {...props} names={names} below={<TryIt {...props} names={names} />} />
      <Conflict edited={edited} versions={contentVersions(draft, version, names.nameOf)} onClose={onStale} />
    </Page>
  )
}

/** The versions of the card, for what copies one of them. */
export const useVersions = (rateCardId: string) =>
  useQuery(readAll('/v1/rate-cards/{rateCardId}/versions', { path: { rateCardId } })).data
    ?.rateCardVersions ?? []
