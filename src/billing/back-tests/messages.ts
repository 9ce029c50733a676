// The messages between the process and the thread that runs a back-test.

import type { Database } from '../../platform/database/db.ts'

/** A back-test to run. The lease number identifies the worker that claimed it. */
export interface BackTestJob {
  readonly connection: Database['connection']
  readonly organisationId: string
  readonly id: string
  readonly leaseNumber: number
}

/** A message from the thread: the progress in percent, that the result is stored, or what went wrong. */
export type FromBackTest =
  | { kind: 'progress'; percent: number }
  | { kind: 'stored' }
  | { kind: 'failed'; message: string; isTransient: boolean }
