// The list of clients and of carriers, `/partners`, with the dialog that makes one.

import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { Relationship } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { type BodyOf, send } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { partnerList } from '../../lists/partners.tsx'
import { hasScope, type Me, useMe } from '../../me.ts'
import type { RecordField } from '../../record-fields.ts'
import { useGo, useSearch } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'

type NewPartnerBody = BodyOf<NonNullable<paths['/v1/partners']['post']>>

/** Whether the person may set partners up. */
export const mayChangePartners = (me: Me): boolean => hasScope(me, 'partner')

export function Screen() {
  const mayAct = mayChangePartners(useMe())
  const isOfCarriers = useSearch().view === 'carriers'
  const [made, setMade] = useState<Relationship>()
  const shown = isOfCarriers ? Relationship.Carrier : Relationship.Client
  useKeys(mayAct ? { c: () => setMade(shown) } : {})
  const button = (relationship: Relationship) => (
    <Button
      key={relationship}
      kind={relationship === shown ? 'main' : 'plain'}
      hint={relationship === shown ? 'C' : undefined}
      onPress={() => setMade(relationship)}
    >
      {relationship === Relationship.Client ? words.newClient : words.newCarrier}
    </Button>
  )
  return (
    <>
      <Listing
        list={partnerList}
        acts={mayAct && [isOfCarriers ? Relationship.Client : Relationship.Carrier, shown].map(button)}
      />
      {made !== undefined && <NewPartner relationship={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

const fields: readonly RecordField[] = [
  { path: 'name', label: words.name, isRequired: true },
  { path: 'code', label: words.code, isRequired: true },
  { path: 'email', label: words.email, kind: 'email' },
]

function NewPartner({ relationship, onClose }: { relationship: Relationship; onClose: () => void }) {
  const go = useGo()
  return (
    <RecordDialog
      act={relationship === Relationship.Client ? words.newClient : words.newCarrier}
      groups={[{ fields }]}
      path="/v1/partners"
      save={async change => {
        const body = { ...(change as NewPartnerBody), relationship }
        const { data } = await send('post', '/v1/partners', { body })
        notify({ text: words.made(body.name) })
        go(`/partners/${data.partnerId}`)
      }}
      onClose={onClose}
    />
  )
}
