// The dialog before an act that changes status, stock or money. It asks the service what the act would do,
// shows the effects and warnings, and offers the act under the same words. If the service refuses, it shows
// why and offers nothing.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { ArrowIcon, WarningIcon } from './icons.tsx'
import { Refusal } from './Refusal.tsx'
import { Refused, type RefusedOfMany } from './Refused.tsx'
import styles from './this-will.module.css'
import { useSettled } from './use-settled.ts'
import { words } from './words.ts'

/** What an act would do, as the service says. */
export interface Rehearsal {
  effects: readonly { kind: string; text: string }[]
  warnings: readonly { kind: string; text: string }[]
  /** of an act on many */
  refused?: RefusedOfMany | undefined
}

export interface ThisWillProps {
  /** the words of the act: the title, and the button that does it */
  act: string
  /** asks the service; null if it cannot say, and throws if the act would be refused */
  rehearse: () => Promise<Rehearsal | null>
  /** does it; the dialog closes when it is done, but for what was refused of many, which it shows */
  onConfirm: () => Promise<RefusedOfMany | undefined>
  onClose: () => void
  /** the reasons of a refusal, as sentences */
  reasonsOf: (error: unknown) => readonly string[]
  /** the fields that the act needs */
  children?: ReactNode
  /** changes whenever a field does, so that the service is asked again; null while a field is missing */
  given?: string | null
}

type State =
  | { name: 'loading' }
  | { name: 'ready'; rehearsal: Rehearsal | null }
  | { name: 'refused'; reasons: readonly string[] }

/** The dialog. It is open while it is rendered. */
export function ThisWill(props: ThisWillProps) {
  const { act, onConfirm, onClose, reasonsOf, children, given: givenNow = '' } = props
  // What was confirmed and is being done: the dialog stays as it is, though the record is read again
  // meanwhile.
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const given = confirmed ?? givenNow
  const [state, setState] = useRehearsal({ ...props, given })
  const [refused, setRefused] = useState<RefusedOfMany>()
  async function confirm(): Promise<void> {
    setConfirmed(given)
    try {
      const left = await onConfirm()
      if (left === undefined || left.rows.length === 0) onClose()
      else setRefused(left)
    } catch (error) {
      setState({ name: 'refused', reasons: reasonsOf(error) })
    } finally {
      setConfirmed(null)
    }
  }
  if (refused !== undefined) return <Left {...{ act, onClose, refused }} />
  return (
    <Dialog
      title={act}
      onClose={onClose}
      state={state.name}
      acts={
        <>
          {state.name !== 'refused' && (
            <Button
              kind="main"
              onPress={() => void confirm()}
              isPending={confirmed !== null}
              isDisabled={given === null || state.name === 'loading' || takesNone(state)}
            >
              {act}
            </Button>
          )}
          <Button kind="quiet" onPress={onClose} autoFocus={state.name === 'refused'}>
            {words.notNow}
          </Button>
        </>
      }
    >
      {children}
      {given !== null && <Outcome state={state} />}
    </Dialog>
  )
}

/** What was refused of many, once the others are done. */
const Left = ({
  act,
  onClose,
  refused,
}: Pick<ThisWillProps, 'act' | 'onClose'> & { refused: RefusedOfMany }) => (
  <Dialog
    title={act}
    onClose={onClose}
    state="ready"
    acts={
      <Button autoFocus onPress={onClose}>
        {words.close}
      </Button>
    }
  >
    <Refused refused={refused} isDone />
  </Dialog>
)

/** Whether an act on many would be refused for each of them. */
const takesNone = (state: State): boolean => state.name === 'ready' && state.rehearsal?.refused?.taken === 0

/**
 * Asks the service again once what is given has changed and stays the same for a moment. Until the answer to
 * what is given now is there, the state is loading: an answer to something else confirms nothing.
 */
function useRehearsal({ rehearse, reasonsOf, given }: ThisWillProps & { given: string | null }) {
  const [answered, setAnswered] = useState<{ given: string | null; state: State }>()
  const asked = useSettled(given)
  // The latest functions; only what is asked says when to ask.
  const latest = useRef({ rehearse, reasonsOf })
  latest.current = { rehearse, reasonsOf }
  useEffect(() => {
    if (asked === null) return
    let isLate = false
    const settle = (state: State) => {
      if (!isLate) setAnswered({ given: asked, state })
    }
    latest.current.rehearse().then(
      rehearsal => settle({ name: 'ready', rehearsal }),
      error => settle({ name: 'refused', reasons: latest.current.reasonsOf(error) }),
    )
    return () => {
      isLate = true
    }
  }, [asked])
  const state: State = answered?.given === given ? answered.state : { name: 'loading' }
  return [state, (next: State) => setAnswered({ given, state: next })] as const
}

const Effects = ({ effects }: Pick<Rehearsal, 'effects'>) => (
  <>
    <h3 className={styles.heading}>{words.thisWill}</h3>
    <ul aria-label={words.effects} className={styles.list}>
      {effects.map(({ text }) => (
        <li key={text}>
          <ArrowIcon />
          <span>{text}</span>
        </li>
      ))}
      {effects.length === 0 && <li>{words.nothingElse}</li>}
    </ul>
  </>
)

function Outcome({ state }: { state: State }) {
  if (state.name === 'loading') return <p className={styles.asking}>{words.asking}</p>
  if (state.name === 'refused') return <Refusal heading={words.cannot} reasons={state.reasons} />
  if (state.rehearsal === null) return <p className={styles.asking}>{words.notTold}</p>
  const { effects, warnings, refused } = state.rehearsal
  return (
    <>
      {/* Where all are refused, nothing is done that could be told. */}
      {!takesNone(state) && <Effects effects={effects} />}
      {warnings.length > 0 && (
        <ul aria-label={words.warnings} className={`${styles.list} ${styles.warnings}`}>
          {warnings.map(({ text }) => (
            <li key={text}>
              <WarningIcon />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {refused !== undefined && <Refused refused={refused} isDone={false} />}
    </>
  )
}
