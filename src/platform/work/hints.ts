// "There is work": wakes the loops of this process after a commit, and those of other processes by NOTIFY.
// A hint may get lost; polling finds the work then.

import type { Client } from 'pg'
import { type Database, sql } from '../database/db.ts'

const listeners = new Map<string, Set<() => void>>()

let elsewhere: ((name: string) => void) | undefined

/** Makes every hint of this thread go to `to`, which tells the thread that has the loops. */
export function forwardHints(to: (name: string) => void): void {
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
  if ((listeners.get(name)?.size ?? 0) === 0) unheard.add(name)
}

/** Calls `wake` at every hint of this name, until the function that it returns is called. */
export function onHint(name: string, wake: () => void): () => void {
  const ofName = listeners.get(name) ?? new Set()
  ofName.add(wake)
  listeners.set(name, ofName)
  return () => ofName.delete(wake)
}

// Hints that nobody in this process listens to; they are sent to the other processes.
const unheard = new Set<string>()

const channel = 'waybill_work'
const sendEveryMs = 1_000

/** Sends other processes the hints that nobody here listens to; called directly before a process ends. */
export async function sendHints(database: Database): Promise<void> {
  if (unheard.size === 0) return
  const names = [...unheard].join(',')
  unheard.clear()
  await database.inOneStatement(tx => tx.run(sql`select pg_notify(${channel}, ${names})`))
}

/**
 * Passes hints between processes: sends those that nobody here listens to, at most once a second, and
 * receives those of the others.
 */
export async function bridgeHints(
  database: Database,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let client: Client | undefined

  async function listen(): Promise<void> {
    const fresh = await database.openConnection()
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

  async function send(): Promise<void> {
    // The connection is lost when the database restarts.
    if (client === undefined) await listen()
    await sendHints(database)
  }

  await listen()
  let sending = Promise.resolve()
  let isClosed = false
  const timer = setInterval(() => {
    sending = sending.then(() => (isClosed ? undefined : send())).catch(onError)
  }, sendEveryMs)
  timer.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await sending
      await client?.end().catch(onError)
    },
  }
}
