// The dialog of a back-test: the period, the clients and the kinds of rate that a version is tested on.

import { useState } from 'react'
import { Relationship } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { dayFromToday, todayIn } from '../../../../ui/time.ts'
import { send } from '../../api.ts'
import { kindsOf } from '../../edit-content.ts'
import { type Faults, faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo } from '../../router.tsx'
import { useCarriers, useClients } from '../../suggestions.ts'
import { backTestWords as words } from '../../words/back-tests.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import { Choices } from './choices.tsx'
import type { EditorProps } from './version.tsx'

export function NewBackTest({
  card,
  version,
  onClose,
}: Pick<EditorProps, 'card' | 'version'> & { onClose: () => void }) {
  const me = useMe()
  const go = useGo()
  const { timezoneId } = me.organisation
  const [dateFrom, setFrom] = useState(dayFromToday(-364, timezoneId))
  const [dateTo, setTo] = useState(todayIn(timezoneId))
  const own = card.partner === null ? [] : [card.partner.id]
  const [partnerIds, setPartners] = useState<readonly string[]>(own)
  const [kinds, setKinds] = useState<readonly string[]>([])
  const [faults, setFaults] = useState(faultsOf(undefined))
  const chosenKinds = kindsOf(card.relationship).filter(kind => kinds.includes(String(kind)))
  return (
    <Confirm
      act={words.backTest}
      onClose={onClose}
      isDisabled={dateFrom === '' || dateTo === ''}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/rate-card-back-tests', {
          body: {
            ...{ dateFrom, dateTo, rateCardVersionId: version.id },
            ...(partnerIds.length === 0 ? {} : { partnerIds: [...partnerIds] }),
            ...(chosenKinds.length === 0 ? {} : { kinds: chosenKinds }),
          },
        })
        notify({ text: words.requestedNow })
        await readAgain('/v1/rate-card-back-tests')
        go(`/back-tests/${data.rateCardBackTestId}`)
      }}
    >
      <TextField
        label={words.from}
        help={words.lastTwelveMonths}
        type="date"
        value={dateFrom}
        onChange={setFrom}
        fault={faults.at('dateFrom')}
      />
      <TextField label={words.to} type="date" value={dateTo} onChange={setTo} fault={faults.at('dateTo')} />
      <Scope {...{ card, faults, partnerIds, setPartners, kinds, setKinds }} />
    </Confirm>
  )
}

interface ScopeProps extends Pick<EditorProps, 'card'> {
  faults: Faults
  partnerIds: readonly string[]
  setPartners: (ids: readonly string[]) => void
  kinds: readonly string[]
  setKinds: (kinds: readonly string[]) => void
}

/** Which partners and which kinds of rate are tested. */
function Scope({ card, faults, partnerIds, setPartners, kinds, setKinds }: ScopeProps) {
  const partners = usePartnersOf(card)
  const possible = kindsOf(card.relationship)
  return (
    <>
      {partners.length > 0 && (
        <Choices
          label={card.relationship === Relationship.Client ? words.clients : words.carriers}
          help={words.partnersHelp}
          options={partners}
          chosen={partnerIds}
          onChange={setPartners}
          fault={faults.at('partnerIds') ?? faults.at('partnerIds[0]')}
        />
      )}
      {possible.length > 1 && (
        <Choices
          label={words.kinds}
          help={words.kindsHelp}
          options={possible.map(kind => ({ value: String(kind), text: rateCardWords.kind(kind) }))}
          chosen={kinds}
          onChange={setKinds}
          fault={faults.at('kinds')}
        />
      )}
    </>
  )
}

/** The partners that a card can be tested on, as options: its own first. */
function usePartnersOf({ relationship, partner }: EditorProps['card']) {
  const me = useMe()
  const [clients, carriers] = [useClients(me), useCarriers(me)]
  const active = relationship === Relationship.Client ? clients : carriers
  const others = active.filter(({ id }) => id !== partner?.id)
  return [...(partner === null ? [] : [partner]), ...others].map(({ id, name, code }) => ({
    value: id,
    text: name || code,
  }))
}
