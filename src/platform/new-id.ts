// Ids for new records: UUIDs of version 7, ascending in the order in which this process makes them.

import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

// Random bytes are drawn in bulk: each call for them costs more than the rest of making an id.
const pool = Buffer.alloc(8_192)
let used = pool.length

function nextRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

let msecs = 0
let seq = 0

/** Returns a new id, greater than all earlier ones of this process. */
export function newId(): string {
  const now = Date.now()
  const bytes = nextRandom()
  if (now > msecs) {
    msecs = now
    // Halved, so that the counter has room for more ids in the same millisecond.
    seq = pool.readUInt32BE(used - 16) >>> 1
  } else {
    seq++
  }
  return uuidv7({ random: bytes, msecs, seq })
}
