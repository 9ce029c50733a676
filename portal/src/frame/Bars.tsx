// Bars above every screen: a new version of the portal, no connection, and a service that asks to wait.

import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { waiting } from '../api.ts'
import { useMe } from '../me.ts'
import { words } from '../words.ts'
import styles from './bars.module.css'

/** The bars that apply now. */
export function Bars() {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine)
  return (
    <div className={styles.bars} role="status">
      <Updated />
      {!isOnline && (
        <p>
          <b>{words.noConnection}</b> {words.noConnectionWhy}
        </p>
      )}
      <Waiting />
    </div>
  )
}

function subscribeToConnection(listener: () => void): () => void {
  for (const name of ['online', 'offline']) addEventListener(name, listener)
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, listener)
  }
}

/** The name of the script that this page runs, which differs with every version. */
const ownBuild = /\/assets\/(.+)\.js$/.exec(
  document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
)?.[1]

/** The service has another version of the portal than this page. */
function Updated() {
  const { build } = useMe()
  if (build === null || ownBuild === undefined || build === ownBuild) return null
  return (
    <p>
      <b>{words.updated}</b>{' '}
      <Button kind="quiet" onPress={() => location.reload()}>
        {words.reload}
      </Button>
    </p>
  )
}

/** Counts down while the service asks to wait; the client then repeats the request. */
function Waiting() {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((waiting.until - performance.now()) / 1000)))
    waiting.listeners.add(tick)
    const timer = left > 0 ? setInterval(tick, 1_000) : undefined
    return () => {
      waiting.listeners.delete(tick)
      clearInterval(timer)
    }
  }, [left])
  return left === 0 ? null : <p>{words.busyFor(left)}</p>
}
