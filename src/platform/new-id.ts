// Ids of the records that the application makes: UUIDs of version 7, in the order in which this process made
// them.

import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

// Asking for random bytes costs more than all the rest, however few they are.
const pool = Buffer.alloc(8_192)
let used = pool.length

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

let msecs = 0
let seq = 0

/** A new id, greater than every id before it. */
export function newId(): string {
  const now = Date.now()
  const bytes = random()
  if (now > msecs) {
    msecs = now
    // Leaves room for as many more in the same millisecond.
    seq = pool.readUInt32BE(used - 16) >>> 1
  } else {
    seq++
  }
  return uuidv7({ random: bytes, msecs, seq })
}
