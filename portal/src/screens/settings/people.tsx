// The people of the organisation, `/settings/people`, with the dialog that invites somebody.

import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { peopleList } from '../../lists/people.tsx'
import { hasScope, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { peopleWords as words } from '../../words/people.ts'
import { type Invitation, InvitationLink, invite } from './invitation-link.tsx'
import { usePersonFields } from './person-fields.ts'

type NewPerson = Schemas['NewUser']

export function Screen() {
  const mayAct = hasScope(useMe(), 'organisation')
  const [isInviting, setInviting] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>()
  useKeys(mayAct ? { c: () => setInviting(true) } : {})
  return (
    <>
      <Listing
        list={peopleList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setInviting(true)}>
              {words.invite}
            </Button>
          )
        }
      />
      {isInviting && <Invite onClose={() => setInviting(false)} onInvited={setInvitation} />}
      {invitation !== undefined && !isInviting && (
        <InvitationLink invitation={invitation} onDone={() => setInvitation(undefined)} />
      )}
    </>
  )
}

function Invite({ onClose, onInvited }: { onClose: () => void; onInvited: (made: Invitation) => void }) {
  const go = useGo()
  const fields = usePersonFields()
  return (
    <RecordDialog
      act={words.invite}
      groups={[{ fields }]}
      initial={{ role: 'member' }}
      path="/v1/users"
      save={async change => {
        const person = change as NewPerson
        const { data } = await send('post', '/v1/users', { body: person })
        try {
          onInvited(await invite(data.userId, person.fullName))
        } catch {
          // The person is there; asking again would be refused.
          notify({ text: words.notInvited(person.fullName), isAlert: true })
          go(`/settings/people/${data.userId}`)
        }
      }}
      onClose={onClose}
    />
  )
}
