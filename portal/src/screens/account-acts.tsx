// The acts on the own account: another password, and signing out everywhere. Both end with the sign-in page,
// because they end the sign-in of this browser, too.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Region } from '../../../ui/Region.tsx'
import { send } from '../api.ts'
import { faultsOf } from '../faults.ts'
import { reasonsOf } from '../rehearse.ts'
import { signOut } from '../session.ts'
import { accountWords as words } from '../words/account.ts'
import styles from './me.module.css'

export function Security() {
  const [dialog, setDialog] = useState<'password' | 'signOut'>()
  const close = () => setDialog(undefined)
  return (
    <Region heading={words.security}>
      <div className={styles.form}>
        <div className={styles.acts}>
          <Button onPress={() => setDialog('password')}>{words.changePassword}</Button>
          <Button onPress={() => setDialog('signOut')}>{words.signOutEverywhere}</Button>
        </div>
      </div>
      {dialog === 'password' && <ChangePassword onClose={close} />}
      {dialog === 'signOut' && (
        <Confirm
          act={words.signOutEverywhere}
          onClose={close}
          reasonsOf={reasonsOf}
          onConfirm={async () => {
            await send('post', '/v1/me/end-sessions', {})
            await signOut()
          }}
        >
          <p>{words.signOutEverywhereWhy}</p>
        </Confirm>
      )}
    </Region>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState({ current: '', next: '', repeated: '' })
  const [faults, setFaults] = useState(faultsOf(undefined))
  const field = (name: keyof typeof typed) => ({
    ...{ type: 'password' as const, value: typed[name], isRequired: true },
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  const isRepeated = typed.repeated === typed.next
  return (
    <Confirm
      act={words.changePassword}
      onClose={onClose}
      isDisabled={typed.current === '' || typed.next === '' || !isRepeated}
      reasonsOf={error => {
        const found = faultsOf(error)
        setFaults(found)
        return found.other === undefined ? [] : [found.other]
      }}
      onConfirm={async () => {
        setFaults(faultsOf(undefined))
        await send('put', '/v1/me/password', {
          body: { currentPassword: typed.current, newPassword: typed.next },
        })
        await signOut()
      }}
    >
      <p>{words.changePasswordWhy}</p>
      <TextField
        label={words.currentPassword}
        autoComplete="current-password"
        fault={faults.at('currentPassword')}
        autoFocus
        {...field('current')}
      />
      <TextField
        label={words.newPassword}
        help={words.newPasswordHelp}
        autoComplete="new-password"
        fault={faults.at('newPassword')}
        {...field('next')}
      />
      <TextField
        label={words.repeatedPassword}
        autoComplete="new-password"
        fault={typed.repeated !== '' && !isRepeated ? words.notRepeated : undefined}
        {...field('repeated')}
      />
    </Confirm>
  )
}
