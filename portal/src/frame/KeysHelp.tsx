// The list of the keys of one letter, which `?` opens.

import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { areKeysOn, switchKeys } from '../../../ui/keys.ts'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../ui/words.ts'
import { accountWords as words } from '../words/account.ts'
import styles from './keys-help.module.css'

/** The list. It is open while it is rendered. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={uiWords.keyboard}
      onClose={onClose}
      acts={
        <Button onPress={onClose} autoFocus>
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
