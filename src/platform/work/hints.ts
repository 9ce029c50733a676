// Hints say that there is work of some kind. They wake the work loops of this process, and those of other
// processes through NOTIFY. A hint may get lost; polling then finds the work.

import type { Client } from 'pg'
import { type Database, sql } from '../database/db.ts'

const listeners = new Map<string, Set<() => void>>()

let forward: ((name: string) => void) | undefined

/** Makes every hint of this thread go to `send`, which passes it to the thread that runs the loops. */
export function forwardHints(send: (name: string) => void): void {
  forward = send
}

/** Wakes the loops called `name`, and those that listen to `*`. */
export function hint(name: string): void {
  if (forward !== undefined) {
    forward(name)
    return
  }
  for (const listener of listeners.get(name) ?? []) listener()
  for (const listener of listeners.get('*') ?? []) listener()
  if ((listeners.get(name)?.size ?? 0) === 0) unheard.add(name)
}

/** Calls `wake` at every hint of this name. Returns a function that stops this. */
export function onHint(name: string, wake: () => void): () => void {
  const ofName = listeners.get(name) ?? new Set()
  ofName.add(wake)
  listeners.set(name, ofName)
  return () => {
    ofName.delete(wake)
    if (ofName.size === 0 && listeners.get(name) === ofName) listeners.delete(name)
  }
}

// Hints for loops that this process does not have; they are sent to the other processes.
const unheard = new Set<string>()

const channel = 'waybill_work'
const sendEveryMs = 1_000
// PostgreSQL takes 8,000 bytes in a message.
const namesPerMessage = 100

/** Sends other processes the hints for loops that this one does not have. Also called before it ends. */
export async function sendHints(database: Database): Promise<void> {
  if (unheard.size === 0) return
  const names = [...unheard]
  unheard.clear()
  const payloads: string[] = []
  for (let at = 0; at < names.length; at += namesPerMessage)
    payloads.push(names.slice(at, at + namesPerMessage).join(','))
  await database.inOneStatement(tx =>
    tx.run(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`),
  )
}

/**
 * Exchanges hints between processes: sends those for loops that this process does not have, at most once a
 * second, and receives those of the others.
 */
export async function bridgeHints(
  database: Database,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let client: Client | undefined

  async function listen(): Promise<void> {
    const newClient = await database.openConnection()
    newClient.once('end', () => {
      client = undefined
    })
    newClient.on('notification', ({ payload }) => {
      for (const name of payload?.split(',') ?? [])
        for (const listener of listeners.get(name) ?? []) listener()
    })
    try {
      await newClient.query(`listen ${channel}`)
      client = newClient
    } catch (error) {
      await newClient.end().catch(onError)
      throw error
    }
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
