// The list of clients and of carriers, `/partners`, with the dialog that makes one.

import { useState } from 'react'
import { Relationship } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { Listing } from '../../frame/Listing.tsx'
import { type RegionField, RegionFields, type Typed } from '../../frame/RegionForm.tsx'
import { partnerList } from '../../lists/partners.tsx'
import { hasScope, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo, useSearch } from '../../router.tsx'
import { partnerWords as words } from '../../words/partners.ts'

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

const fields: readonly RegionField[] = [
  { name: 'name', label: words.name, isRequired: true },
  { name: 'code', label: words.code, isRequired: true },
  { name: 'email', label: words.email },
]

function NewPartner({ relationship, onClose }: { relationship: Relationship; onClose: () => void }) {
  const go = useGo()
  const [typed, setTyped] = useState<Typed>({})
  const [faults, setFaults] = useState(faultsOf(undefined))
  const [name, code, email] = [typed.name, typed.code, typed.email].map(text => text?.trim() ?? '') as [
    string,
    string,
    string,
  ]
  return (
    <Confirm
      act={relationship === Relationship.Client ? words.newClient : words.newCarrier}
      onClose={onClose}
      isDisabled={name === '' || code === ''}
      onConfirm={async () => {
        const { data } = await send('post', '/v1/partners', {
          body: { name, code, relationship, ...(email === '' ? {} : { email }) },
        })
        notify({ text: words.made(name) })
        await readAgain('/v1/partners')
        go(`/partners/${data.partnerId}`)
      }}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.all
      }}
    >
      <RegionFields fields={fields} typed={typed} onChange={setTyped} faults={faults} />
    </Confirm>
  )
}
