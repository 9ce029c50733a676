// A database for servers whose endpoints use none.

import assert from 'node:assert/strict'
import type { Database, Tx } from '../../src/platform/database/db.ts'

const handle = {} as Tx

/** Transactions begin and end, and do nothing; all else fails. */
export const noDatabase: Database = {
  db: handle,
  atomically: work => work(handle),
  inOneStatement: work => work(handle),
  openConnection: () => assert.fail('no database here'),
  snapshot: () => assert.fail('no database here'),
  takeReadSlot: () => assert.fail('no database here'),
  poolSize: 1,
  get original() {
    return noDatabase
  },
  connection: {},
  stats: () => ({ busy: 0, idle: 0, waiting: 0 }),
  state: () => ({ isUnavailable: false, sinceUtc: '' }),
  close: async () => {},
}
