// Inviting a person: the button, the dialog that asks who it is, and then the link by which they choose a
// password.

import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { useGo } from '../../router.tsx'
import { peopleWords as words } from '../../words/people.ts'
import { type Invitation, InvitationLink, invite } from './invitation-link.tsx'
import { usePersonFields } from './person-fields.ts'

type NewPerson = Schemas['NewUser']

interface InviteProps {
  /** for whom the person is to act, unless another is chosen; without it for the operator */
  partnerId?: string
  /** the main act of its screen */
  isMain?: boolean
}

/** The button with its dialogs. */
export function Invite({ partnerId, isMain = false }: InviteProps) {
  const [isInviting, setInviting] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>()
  const ask = () => setInviting(true)
  useKeys(isMain ? { c: ask } : {})
  return (
    <>
      <Button {...(isMain ? { kind: 'main', hint: 'C' } : {})} onPress={ask}>
        {words.invite}
      </Button>
      {isInviting && (
        <Ask partnerId={partnerId} onClose={() => setInviting(false)} onInvited={setInvitation} />
      )}
      {invitation !== undefined && !isInviting && (
        <InvitationLink invitation={invitation} onDone={() => setInvitation(undefined)} />
      )}
    </>
  )
}

interface AskProps {
  partnerId: string | undefined
  onClose: () => void
  onInvited: (made: Invitation) => void
}

function Ask({ partnerId, onClose, onInvited }: AskProps) {
  const go = useGo()
  const fields = usePersonFields()
  return (
    <RecordDialog
      act={words.invite}
      groups={[{ fields }]}
      initial={partnerId === undefined ? { role: 'member' } : { role: 'member', partnerId }}
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
