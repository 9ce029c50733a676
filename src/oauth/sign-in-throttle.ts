// Limits how fast passwords can be tried and sign-ins begun: a few attempts are free, then the pause before
// the next one grows. Attempts are counted in the database, so that all processes count together.
//
// Failures with a user's password slow down everyone who tries to sign in as this user, including the user,
// but never by more than the longest pause. A browser in which the user has signed in before is a known
// browser and has a counter of its own, so that strangers cannot keep the user out.

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Database, sql, type Tx } from '../platform/database/db.ts'
import { networkOf } from './network-of.ts'

/**
 * Attempts that are counted together. The first `free` of them need no pause, and the count goes down by one
 * every `forgetSeconds`.
 */
export interface AttemptCounter {
  readonly key: string
  readonly free: number
  readonly forgetSeconds: number
}

const firstPauseSeconds = 60
const maxPauseSeconds = 900

const passwordLimits = { free: 5, forgetSeconds: 900 }

/** Failures with the password of a user, however the email address was spelt. */
export const userCounter = (userId: string): AttemptCounter => ({ key: `user ${userId}`, ...passwordLimits })

/**
 * Failures with an email address that nobody in the organisation has. The database puts it into lower case,
 * so that spellings that it considers equal share a counter.
 */
export const unknownEmailCounter = (organisationId: string, lowerCaseEmail: string): AttemptCounter => ({
  key: `email ${organisationId} ${lowerCaseEmail}`,
  ...passwordLimits,
})

/** Failures in a browser in which the user has signed in before. */
export const browserCounter = (userId: string, browser: string): AttemptCounter => ({
  key: `browser ${userId} ${browser}`,
  ...passwordLimits,
})

/** Failures from one network. */
export const networkCounter = (address: string): AttemptCounter => ({
  key: `address ${networkOf(address)}`,
  free: 30,
  forgetSeconds: 30,
})

/**
 * Sign-ins that were begun from this network and not finished. Anyone can begin one, and each is stored for
 * an hour, so their number is limited.
 */
export const unfinishedSignInsCounter = (address: string): AttemptCounter => ({
  key: `unfinished sign-ins ${networkOf(address)}`,
  free: 100,
  forgetSeconds: 15,
})

/** Rolls back the transaction of an attempt that comes too early. */
class TooManyAttempts extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`Too early by ${seconds} s.`)
    this.seconds = seconds
  }
}

/**
 * Counts an attempt as a failure in all of these counters before it is made, so that concurrent attempts
 * cannot exceed the limit. Returns 0, or the whole seconds to wait until the next attempt, and then counts
 * nothing.
 */
export async function takeAttempt(database: Database, counters: readonly AttemptCounter[]): Promise<number> {
  try {
    await database.atomically(async tx => {
      let seconds = 0
      // Always locking the counters in the same order avoids deadlocks.
      for (const counter of counters.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
        seconds = Math.max(seconds, await count(tx, counter))
      if (seconds > 0) throw new TooManyAttempts(seconds)
    })
    return 0
  } catch (error) {
    if (error instanceof TooManyAttempts) return error.seconds
    throw error
  }
}

const hashOf = ({ key }: AttemptCounter) => hash('sha256', key, 'buffer')

/** Counts a failure and returns 0, or the whole seconds by which it comes too early. */
async function count(tx: Tx, counter: AttemptCounter): Promise<number> {
  const { free, forgetSeconds } = counter
  const elapsed = sql`greatest(0, extract(epoch from now() - f.last_utc)::double precision)`
  const pause = sql`case when ceil(f.failures) < ${free} then 0
    else least(${maxPauseSeconds},
      ${firstPauseSeconds} * power(2, least(10, ceil(f.failures) - ${free}))) end`
  const countedRows = await tx.run(sql`
    insert into sign_in_failure as f (key_hash, failures, last_utc) values (${hashOf(counter)}, 1, now())
    on conflict (key_hash) do update
    set failures = greatest(0, f.failures - ${elapsed} / ${forgetSeconds}) + 1,
      last_utc = greatest(f.last_utc, now())
    where ${elapsed} >= ${pause}`)
  if (countedRows > 0) return 0
  const { seconds } = await tx.row<{ seconds: number }>(
    sql`select ${pause} - ${elapsed} as seconds from sign_in_failure f where key_hash = ${hashOf(counter)}`,
  )
  return Math.max(1, Math.ceil(seconds))
}

/** Takes back an attempt that `takeAttempt` counted, because it succeeded or was never checked. */
export async function refundAttempt(database: Database, counter: AttemptCounter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(
      sql`
        update sign_in_failure set failures = greatest(0, failures - 1)
        where key_hash = ${hashOf(counter)}`,
    ),
  )
}

/** Resets a counter after the user has signed in. */
export async function forgetFailures(database: Database, counter: AttemptCounter): Promise<void> {
  await database.inOneStatement(tx =>
    tx.run(sql`delete from sign_in_failure where key_hash = ${hashOf(counter)}`),
  )
}

const sign = (key: Buffer, userId: string, browser: string) =>
  createHmac('sha256', key).update(`${userId} ${browser}`).digest()

/**
 * The cookie value that a browser keeps after a user has signed in: a random id of the
 * browser, signed together with the user id.
 */
export function newKnownBrowserToken(key: Buffer, userId: string): string {
  const browser = randomBytes(16).toString('base64url')
  return `${browser}.${sign(key, userId, browser).toString('base64url')}`
}

/** The id of the browser if its token was made for this user, else undefined. */
export function verifyKnownBrowserToken(
  key: Buffer,
  userId: string,
  token: string | undefined,
): string | undefined {
  const [, browser, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(token ?? '') ?? []
  if (browser === undefined || signature === undefined) return undefined
  return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(key, userId, browser))
    ? browser
    : undefined
}
