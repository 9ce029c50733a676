// The dialog with something that is shown only once, such as a secret. It stays until somebody says that they
// have kept it. Nothing else in the page holds it.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { notify } from '../../../ui/Notices.tsx'
import { words } from '../words.ts'
import styles from './shown-once.module.css'

export interface ShownOnceProps {
  /** the title of the dialog, and the label of what is shown */
  title: string
  why: string
  value: string
  /** the words of the button that copies it */
  copy: string
  isMultiline?: boolean
  onDone: () => void
}

export function ShownOnce({ title, why, value, copy, isMultiline = false, onDone }: ShownOnceProps) {
  const [isKept, setKept] = useState(false)
  const copyIt = () =>
    navigator.clipboard.writeText(value).then(
      () => notify({ text: words.copied }),
      () => notify({ text: words.cannotCopy, isAlert: true }),
    )
  return (
    <Dialog
      title={title}
      isWide={isMultiline}
      onClose={() => isKept && onDone()}
      acts={
        <Button kind="main" isDisabled={!isKept} onPress={onDone}>
          {words.done}
        </Button>
      }
    >
      <div className={isMultiline ? styles.command : ''}>
        <TextField label={title} help={why} value={value} isMultiline={isMultiline} />
      </div>
      <div>
        <Button onPress={() => void copyIt()}>{copy}</Button>
      </div>
      <label className={styles.check}>
        <input type="checkbox" checked={isKept} onChange={event => setKept(event.target.checked)} />
        {words.kept}
      </label>
    </Dialog>
  )
}
