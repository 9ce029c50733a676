// Limits how fast somebody may try passwords and begin sign-ins: a few attempts are free, then each has to
// wait longer. Counted in the database, so that all processes count together.
//
// Failures of an account slow down everybody who tries it, its owner too, but never by more than the longest
// pause. A browser from which the owner has signed in before is counted by itself, so that strangers cannot
// keep the owner out.

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

const accountLimits = { free: 5, forgetSeconds: 900 }

/** Failures with the password of a user, however the email address was spelt. */
export const userCounter = (userId: string): Counter => ({ key: `user ${userId}`, ...accountLimits })

/**
 * Failures with an email address that nobody in the organisation has. It is in lower case as the database
 * writes it, so that spellings that the database takes for one address share a counter.
 */
export const unknownEmailCounter = (organisationId: string, lowerCaseEmail: string): Counter => ({
  key: `account ${organisationId} ${lowerCaseEmail}`,
  ...accountLimits,
})

/** Failures in a browser that has signed in to this account before. */
export const browserCounter = (userId: string, browser: string): Counter => ({
  key: `browser ${userId} ${browser}`,
  ...accountLimits,
})

/** Failures from one network. */
export const networkCounter = (address: string): Counter => ({
  key: `address ${networkOf(address)}`,
  free: 30,
  forgetSeconds: 30,
})

/**
 * Sign-ins begun from this network and not finished. Anybody can begin one, and each is stored for an hour,
 * so their number is limited. /
 */
export const startedSignInsCounter = (address: string): Counter => ({
  key: `beginnings ${networkOf(address)}`,
  free: 100,
  forgetSeconds: 15,
})

/** Thrown inside the transaction of an attempt that comes too early. */
class TooEarlyError extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`Too early by ${seconds} s.`)
    this.seconds = seconds
  }
}

/**
 * Counts an attempt as a failure in all of these counters before it is made, so that of many at once no more
 * get through than are allowed. Returns 0, or the whole seconds to wait for the next attempt; then nothing is
 * counted.
 */
export async function takeAttempt(database: Database, counters: readonly Counter[]): Promise<number> {
  try {
    await database.atomically(async tx => {
      let seconds = 0
      // Always in the same order, so that there is no deadlock.
      for (const counter of counters.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
        seconds = Math.max(seconds, await count(tx, counter))
      if (seconds > 0) throw new TooEarlyError(seconds)
    })
    return 0
  } catch (error) {
    if (error instanceof TooEarlyError) return error.seconds
    throw error
  }
}

const hashOf = ({ key }: Counter) => hash('sha256', key, 'buffer')

/** Counts a failure and returns 0, or the whole seconds by which it comes too early. */
async function count(tx: Tx, counter: Counter): Promise<number> {
  const { free, forgetSeconds } = counter
  const elapsed = sql`greatest(0, extract(epoch from now() - f.last_utc)::double precision)`
  const pause = sql`case when ceil(f.failures) < ${free} then 0
    else least(${maxPauseSeconds},
      ${firstPauseSeconds} * power(2, least(10, ceil(f.failures) - ${free}))) end`
  const counted = await tx.run(sql`
    insert into sign_in_failure as f (key_hash, failures, last_utc) values (${hashOf(counter)}, 1, now())
    on conflict (key_hash) do update
    set failures = greatest(0, f.failures - ${elapsed} / ${forgetSeconds}) + 1,
      last_utc = greatest(f.last_utc, now())
    where ${elapsed} >= ${pause}`)
  if (counted > 0) return 0
  const { seconds } = await tx.row<{ seconds: number }>(
    sql`select ${pause} - ${elapsed} as seconds from sign_in_failure f where key_hash = ${hashOf(counter)}`,
  )
  return Math.max(1, Math.ceil(seconds))
}

/** Uncounts an attempt of `takeAttempt` that succeeded or was not examined. */
export async function returnAttempt(database: Database, counter: Counter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(
      sql`
        update sign_in_failure set failures = greatest(0, failures - 1)
        where key_hash = ${hashOf(counter)}`,
    ),
  )
}

/** Forgets every failure, after the owner has signed in. */
export async function forgetFailures(database: Database, counter: Counter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(sql`delete from sign_in_failure where key_hash = ${hashOf(counter)}`),
  )
}

const signatureOf = (key: Buffer, userId: string, browser: string) =>
  createHmac('sha256', key).update(`${userId} ${browser}`).digest()

/**
 * What a browser keeps after the owner of an account has signed in: a random name of the browser, signed
 * together with the user id.
 */
export function newBrowserMark(key: Buffer, userId: string): string {
  const browser = randomBytes(16).toString('base64url')
  return `${browser}.${signatureOf(key, userId, browser).toString('base64url')}`
}

/** The name of the browser when its mark was made for this person, else undefined. */
export function browserOf(key: Buffer, userId: string, mark: string | undefined): string | undefined {
  const [, browser, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(mark ?? '') ?? []
  if (browser === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(key, userId, browser))
    ? browser
    : undefined
}
