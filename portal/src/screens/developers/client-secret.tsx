// The dialog with a client secret. It is shown once, so the dialog stays until somebody says that they have
// kept it. Nothing else in the page holds the secret.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { TextField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { developerWords as words } from '../../words/developers.ts'
import styles from './developers.module.css'

export function ClientSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isKept, setKept] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => notify({ text: words.copied }),
      () => notify({ text: words.cannotCopy, isAlert: true }),
    )
  return (
    <Dialog
      title={words.clientSecret}
      onClose={() => isKept && onDone()}
      acts={
        <Button kind="main" isDisabled={!isKept} onPress={onDone}>
          {words.done}
        </Button>
      }
    >
      <TextField label={words.clientSecret} help={words.clientSecretWhy} value={secret} />
      <div>
        <Button onPress={() => void copy()}>{words.copyClientSecret}</Button>
      </div>
      <label className={styles.check}>
        <input type="checkbox" checked={isKept} onChange={event => setKept(event.target.checked)} />
        {words.kept}
      </label>
    </Dialog>
  )
}
