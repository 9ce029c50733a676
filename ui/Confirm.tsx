// The dialog before an act that cannot be undone but changes neither status, stock nor money: it says what
// will be so, and offers the act under the words of its title.

import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Refusal } from './Refusal.tsx'
import { words } from './words.ts'

export interface ConfirmProps {
  /** the words of the act: the title, and the button that does it */
  act: string
  /** does it; the dialog closes when it is done, and stays with the reasons if it throws */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  /** the reasons of a refusal, as sentences */
  reasonsOf: (error: unknown) => readonly string[]
  children: ReactNode
  isDisabled?: boolean
  /** the act destroys something */
  isAlert?: boolean
}

/** The dialog. It is open while it is rendered. */
export function Confirm({ act, onConfirm, onClose, reasonsOf, children, isDisabled, isAlert }: ConfirmProps) {
  const [isPending, setPending] = useState(false)
  const [reasons, setReasons] = useState<readonly string[]>([])
  async function confirm(): Promise<void> {
    setPending(true)
    setReasons([])
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setReasons(reasonsOf(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog
      title={act}
      onClose={onClose}
      state={reasons.length > 0 ? 'refused' : 'ready'}
      acts={
        <>
          <Button
            kind={isAlert ? 'alert' : 'main'}
            onPress={() => void confirm()}
            isPending={isPending}
            isDisabled={isDisabled}
          >
            {act}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {words.notNow}
          </Button>
        </>
      }
    >
      {children}
      <Refusal heading={words.cannot} reasons={reasons} />
    </Dialog>
  )
}
