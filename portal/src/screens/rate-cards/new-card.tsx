// The dialog that makes a rate card: whose prices it holds, and its name.

import { useState } from 'react'
import { RateCardStatus, Relationship } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo } from '../../router.tsx'
import { useCarriers, useClients } from '../../suggestions.ts'
import { rateCardWords as words } from '../../words/rate-cards.ts'

/** Whose prices a card holds. */
export interface CardHolder {
  relationship: 1 | 2
  partnerId: string
}

const relationships = [Relationship.Client, Relationship.Carrier] as const

/** The statuses that a card can have, as options. */
export const statusOptions = Object.values(RateCardStatus).map(status => ({
  value: String(status),
  text: words.status(status),
}))

/** The dialog. Without a holder it is the reader's to choose. */
export function NewCard({ holder, onClose }: { holder?: CardHolder; onClose: () => void }) {
  const me = useMe()
  const go = useGo()
  const partners = { [Relationship.Client]: useClients(me), [Relationship.Carrier]: useCarriers(me) }
  const [relationship, setRelationship] = useState(holder?.relationship ?? Relationship.Client)
  const [partnerId, setPartner] = useState(holder?.partnerId ?? '')
  const [name, setName] = useState<string>()
  const [status, setStatus] = useState<string>(String(RateCardStatus.Active))
  const [faults, setFaults] = useState(faultsOf(undefined))
  const chosen = partners[relationship].find(({ id }) => id === partnerId)
  // What is not typed is called as its holder is.
  const given = name ?? chosen?.name ?? words.fallBackOf(relationship)
  return (
    <Confirm
      act={words.createCard}
      onClose={onClose}
      isDisabled={given.trim() === ''}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
      onConfirm={async () => {
        const body = { name: given.trim(), relationship, partnerId: partnerId || null }
        const isActive = status === String(RateCardStatus.Active)
        const { data } = await send('post', '/v1/rate-cards', {
          body: { ...body, status: isActive ? RateCardStatus.Active : RateCardStatus.Inactive },
        })
        notify({ text: words.cardMade(given.trim()) })
        await readAgain('/v1/rate-cards')
        go(`/rate-cards/${data.rateCardId}`)
      }}
    >
      <Holder
        {...{ relationship, partnerId, fault: faults.at('partnerId'), partners: partners[relationship] }}
        onChange={(of, id) => {
          setRelationship(of)
          setPartner(id)
        }}
      />
      <TextField
        label={words.name}
        value={given}
        onChange={setName}
        fault={faults.at('name')}
        maxLength={200}
        isRequired
      />
      <SelectField
        label={words.headStatus}
        help={words.inactiveHelp}
        value={status}
        onChange={setStatus}
        options={statusOptions}
      />
    </Confirm>
  )
}

interface HolderProps {
  relationship: 1 | 2
  partnerId: string
  partners: readonly { id: string; name: string }[]
  fault: string | undefined
  onChange: (relationship: 1 | 2, partnerId: string) => void
}

/** Whose prices a card holds: those of one client or carrier, or of all that have none. */
const Holder = ({ relationship, partnerId, partners, fault, onChange }: HolderProps) => (
  <>
    <SelectField
      label={words.relationship}
      value={String(relationship)}
      onChange={value => onChange(value === '2' ? Relationship.Carrier : Relationship.Client, '')}
      options={relationships.map(value => ({ value: String(value), text: words.relationshipOf(value) }))}
    />
    <SelectField
      label={words.partner}
      value={partnerId}
      onChange={id => onChange(relationship, id)}
      fault={fault}
      options={[
        { value: '', text: words.fallBackOf(relationship) },
        ...partners.map(({ id, name }) => ({ value: id, text: name })),
      ]}
    />
  </>
)
