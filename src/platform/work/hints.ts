// "There is work": wakes the loops of this process after a commit, and those of other processes by NOTIFY.
// Only ever a hint; polling is the floor.

import type { Client } from 'pg'
import { type Database, sql } from '../database/db.ts'

const listeners = new Map<string, Set<() => void>>()

let elsewhere: ((name: string) => void) | undefined

/** Makes every hint of this thread go to `to`, which tells the thread that has the loops. */
export function passHints(to: (name: string) => void): void {
  elsewhere = to
}

/** Says that there is work of this kind. */
export function hint(name: string): void {
  if (elsewhere !== undefined) {
    elsewhere(name)
    return
  }
  for (const listener of listeners.get(name) ?? []) listener()
  for (const listener of listeners.get('*') ?? []) listener()
  if ((listeners.get(name)?.size ?? 0) === 0) absent.add(name)
}

/** Calls `wake` at every hint of this name until the answered function is called. */
export function onHint(name: string, wake: () => void): () => void {
  const ofName = listeners.get(name) ?? new Set()
  ofName.add(wake)
  listeners.set(name, ofName)
  return () => ofName.delete(wake)
}

// Hints that nobody in this process listens to: another process has to be told.
const absent = new Set<string>()

const channel = 'waybill_work'
const everyMs = 1_000

/** Tells other processes what nobody in this one listens to; at once, for a process that is about to end. */
export async function tellHints(database: Database): Promise<void> {
  if (absent.size === 0) return
  const names = [...absent].join(',')
  absent.clear()
  await database.inOneStatement(tx => tx.run(sql`select pg_notify(${channel}, ${names})`))
}

/**
 * Passes hints between processes: tells others what nobody here listens to, at most once a second, and
 * listens to what they tell.
 */
export async function bridgeHints(
  database: Database,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let client: Client | undefined

  async function listen(): Promise<void> {
    const fresh = await database.dedicated()
    client = fresh
    fresh.once('end', () => {
      client = undefined
    })
    fresh.on('notification', ({ payload }) => {
      for (const name of payload?.split(',') ?? [])
        for (const listener of listeners.get(name) ?? []) listener()
    })
    await fresh.query(`listen ${channel}`)
  }

  async function tell(): Promise<void> {
    // The connection is lost when the database restarts.
    if (client === undefined) await listen()
    await tellHints(database)
  }

  await listen()
  let telling = Promise.resolve()
  let closed = false
  const timer = setInterval(() => {
    telling = telling.then(() => (closed ? undefined : tell())).catch(onError)
  }, everyMs)
  timer.unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await telling
      await client?.end().catch(onError)
    },
  }
}
