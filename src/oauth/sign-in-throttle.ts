// How fast somebody may try passwords and begin sign-ins: a few attempts are free, then the pauses grow.
// Counted in the database, so that all processes count together.
//
// An account's failures slow down everybody who tries it, its owner too, but never for longer than the
// longest pause; and a browser from which the owner has signed in before is counted by itself, so that
// strangers cannot keep the owner out.

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, sql, type Tx } from '../platform/database/db.ts'
import { networkOf } from './network-of.ts'

/**
 * Attempts that are counted together: `free` of them come without a pause, and one is forgotten after every
 * `forgetSeconds`.
 */
export interface Counter {
  readonly key: string
  readonly free: number
  readonly forgetSeconds: number
}

const firstPauseSeconds = 60
const maxPauseSeconds = 900

const ofAccount = { free: 5, forgetSeconds: 900 }

/** Failures with the password of a user, however the email address was spelt. */
export const userCounter = (userId: string): Counter => ({ key: `user ${userId}`, ...ofAccount })

/**
 * Failures with an email address that nobody in the organisation has, as the database writes it in lower
 * case: only what it takes for another address has a counter of its own.
 */
export const unknownEmailCounter = (organisationId: string, lowerCaseEmail: string): Counter => ({
  key: `account ${organisationId} ${lowerCaseEmail}`,
  ...ofAccount,
})

/** Failures in a browser that has signed in to this account before. */
export const browserCounter = (userId: string, browser: string): Counter => ({
  key: `browser ${userId} ${browser}`,
  ...ofAccount,
})

/** Failures from one network. */
export const networkCounter = (address: string): Counter => ({
  key: `address ${networkOf(address)}`,
  free: 30,
  forgetSeconds: 30,
})

/**
 * Sign-ins that somebody in this network has begun and not finished. Each is stored for an hour, and nobody
 * has to be known to begin one.
 */
export const beginningsCounter = (address: string): Counter => ({
  key: `beginnings ${networkOf(address)}`,
  free: 100,
  forgetSeconds: 15,
})

/** Thrown inside the transaction of an attempt that comes too early. */
class TooEarly extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`Too early by ${seconds} s.`)
    this.seconds = seconds
  }
}

/**
 * Counts an attempt in advance as a failure in all of these counters, so that of many at once no more pass
 * than may. Returns 0, or the whole seconds after which the next attempt is let through; then nothing is
 * counted.
 */
export async function takeAttempt(database: Database, counters: readonly Counter[]): Promise<number> {
  try {
    await database.atomically(async tx => {
      let seconds = 0
      // Everybody in the same order, so that nobody waits in a circle.
      for (const counter of counters.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
        seconds = Math.max(seconds, await count(tx, counter))
      if (seconds > 0) throw new TooEarly(seconds)
    })
    return 0
  } catch (error) {
    if (error instanceof TooEarly) return error.seconds
    throw error
  }
}

const hashOf = ({ key }: Counter) => hash('sha256', key, 'buffer')

/** Counts a failure and returns 0, or the whole seconds by which it comes too early. */
async function count(tx: Tx, counter: Counter): Promise<number> {
  const { free, forgetSeconds } = counter
  const elapsed = sql`greatest(0, extract(epoch from now() - f.last_utc)::double precision)`
  const pause = sql`case when ceil(f.failures) < ${free} then 0
    else least(${maxPauseSeconds}, ${firstPauseSeconds} * power(2, least(10, ceil(f.failures) - ${free})))
      end`
  const counts = await tx.run(sql`
    insert into sign_in_failure as f (key_hash, failures, last_utc) values (${hashOf(counter)}, 1, now())
    on conflict (key_hash) do update set failures = greatest(0, f.failures - ${elapsed} / ${forgetSeconds})
      + 1, last_utc = greatest(f.last_utc, now())
    where ${elapsed} >= ${pause}`)
  if (counts > 0) return 0
  const { seconds } = await tx.row<{ seconds: number }>(
    sql`select ${pause} - ${elapsed} as seconds from sign_in_failure f where key_hash = ${hashOf(counter)}`,
  )
  return Math.max(1, Math.ceil(seconds))
}

/** Takes back what `takeAttempt` counted: the attempt succeeded, or was not looked at. */
export async function takeBack(database: Database, counter: Counter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(
      sql`update sign_in_failure set failures = greatest(0, failures - 1)
        where key_hash = ${hashOf(counter)}`,
    ),
  )
}

/** Forgets every failure: the owner is here. */
export async function forgetAll(database: Database, counter: Counter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(sql`delete from sign_in_failure where key_hash = ${hashOf(counter)}`),
  )
}

const signed = (key: Buffer, userId: string, browser: string) =>
  createHmac('sha256', key).update(`${userId} ${browser}`).digest()

/**
 * What a browser keeps after the owner of an account has signed in: the name of the browser, signed together
 * with the owner.
 */
export function newBrowserMark(key: Buffer, userId: string): string {
  const browser = randomBytes(16).toString('base64url')
  return `${browser}.${signed(key, userId, browser).toString('base64url')}`
}

/** The name of the browser when its mark is one for this person, else undefined. */
export function browserOf(key: Buffer, userId: string, mark: string | undefined): string | undefined {
  const [, browser, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(mark ?? '') ?? []
  if (browser === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signed(key, userId, browser))
    ? browser
    : undefined
}
