// The acts on a person: another role, a link or a password, and disabling.

import { useState } from 'react'
import type { Schemas } from '../../../../client/src/waybill.ts'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { entityTagOf, send } from '../../api.ts'
import { faultsOf } from '../../faults.ts'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { peopleWords as words } from '../../words/people.ts'
import { words as shared } from '../../words.ts'
import { type Invitation, invite } from './invitation-link.tsx'
import type { Person } from './person.tsx'
import { roleField } from './person-fields.ts'

interface DialogProps {
  person: Person
  onClose: () => void
}

/** Changes fields of a person, and tells it. */
export async function changePerson({ id }: Person, change: object, ifMatch?: string | undefined) {
  const answer = await send('put', '/v1/users/{userId}', {
    path: { userId: id },
    body: change as Schemas['UserChange'],
    ifMatch,
  })
  await readAgain('/v1/users', '/v1/organisation/history', '/v1/me')
  return answer
}

export const NewLink = ({
  person,
  onClose,
  onMade,
}: DialogProps & { onMade: (invitation: Invitation) => void }) => (
  <Confirm
    act={words.newLink}
    onClose={onClose}
    reasonsOf={reasonsOf}
    onConfirm={async () => onMade(await invite(person.id, person.fullName))}
  >
    <p>{words.newLinkWhy(person.fullName)}</p>
  </Confirm>
)

export const ChangeRole = ({ person, onClose }: DialogProps) => (
  <RecordDialog
    act={words.changeRole}
    groups={[{ fields: [roleField] }]}
    record={person}
    path="/v1/users"
    save={async (change, ifMatch) => {
      const { hasChanged } = await changePerson(person, change, ifMatch)
      notify({ text: hasChanged ? words.changed(person.fullName) : shared.unchanged })
    }}
    onClose={onClose}
  >
    <p>{words.changeRoleWhy(person.fullName)}</p>
  </RecordDialog>
)

export function SetPassword({ person, onClose }: DialogProps) {
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState(faultsOf(undefined))
  return (
    <Confirm
      act={words.setPassword}
      onClose={onClose}
      isDisabled={password === ''}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.other === undefined ? [] : [found.other]
      }}
      onConfirm={async () => {
        setFaults(faultsOf(undefined))
        await send('put', '/v1/users/{userId}/password', { path: { userId: person.id }, body: { password } })
        notify({ text: words.passwordSet(person.fullName) })
        await readAgain('/v1/users', '/v1/organisation/history')
      }}
    >
      <p>{words.setPasswordWhy(person.fullName)}</p>
      <TextField
        label={words.newPassword}
        help={words.newPasswordHelp}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        fault={faults.at('password')}
        isRequired
        autoFocus
      />
    </Confirm>
  )
}

export const Disable = ({ person, onClose }: DialogProps) => (
  <Confirm
    act={words.disable}
    isAlert
    onClose={onClose}
    reasonsOf={reasonsOf}
    onConfirm={async () => {
      await changePerson(person, { isDisabled: true }, entityTagOf(person))
      notify({ text: words.disabledNow(person.fullName) })
    }}
  >
    <p>{words.disableWhy(person.fullName)}</p>
  </Confirm>
)
