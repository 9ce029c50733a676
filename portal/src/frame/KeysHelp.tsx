// The list of the keys of one letter, which `?` opens.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { areKeysOn, switchKeys, useKeys } from '../../../ui/keys.ts'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { accountWords as words } from '../words/account.ts'
import styles from './keys-help.module.css'

/** Opens the list when somebody presses `?`. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false)
  useKeys({ '?': () => setOpen(true) })
  if (!isOpen) return null
  const close = () => setOpen(false)
  return (
    <Dialog
      title={uiWords.keyboard}
      onClose={close}
      acts={
        <Button onPress={close} autoFocus>
          {uiWords.close}
        </Button>
      }
    >
      <dl className={styles.keys}>
        {words.keys.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <KeysSwitch />
    </Dialog>
  )
}

/** Turns keys of one letter on or off. */
export function KeysSwitch() {
  const [isOn, setOn] = useState(areKeysOn)
  return (
    <SwitchField
      label={words.keysOn}
      isOn={isOn}
      onChange={on => {
        switchKeys(on)
        setOn(on)
      }}
    />
  )
}
