// Notices at the edge of the page: what has just been done, with Undo where there is an opposite. Each goes
// away after ten seconds, but not while somebody points at it or has the focus in it.

import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from './Button.tsx'
import styles from './notices.module.css'
import { words } from './words.ts'

/** A notice. */
export interface Notice {
  text: string
  isAlert?: boolean
  /** undoes what was done */
  onUndo?: (() => void) | undefined
  /** what usually comes next */
  next?: { text: string; onAct: () => void } | undefined
}

const shownMs = 10_000
let notices: readonly (Notice & { id: number })[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: typeof notices): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Shows a notice. */
export function notify(notice: Notice): void {
  lastId++
  change([...notices.slice(-2), { ...notice, id: lastId }])
}

const dismiss = (id: number) => change(notices.filter(notice => notice.id !== id))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of the notices. Screen readers are told of each. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <section className={styles.notices} aria-label={words.notices} aria-live="polite">
      {shown.map(notice => (
        <OneNotice key={notice.id} notice={notice} onDismiss={() => dismiss(notice.id)} />
      ))}
    </section>
  )
}

function OneNotice({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onDismiss, shownMs)
    return () => clearTimeout(timer)
  }, [isHeld, onDismiss])
  const { onUndo, next } = notice
  const offered = onUndo === undefined ? next : { text: words.undo, onAct: onUndo }
  return (
    <div
      role="status"
      className={`${styles.notice} ${notice.isAlert ? styles.alert : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{notice.text}</span>
      {offered !== undefined && (
        <Button
          onPress={() => {
            offered.onAct()
            onDismiss()
          }}
        >
          {offered.text}
        </Button>
      )}
      <Button kind="quiet" onPress={onDismiss}>
        {words.dismiss}
      </Button>
    </div>
  )
}
