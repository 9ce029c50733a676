// What the process and the thread that makes a back-test tell each other.

import type { Database } from '../../platform/database/db.ts'

/** A back-test to be made: by whom it is claimed is told by the number of the lease. */
export interface BackTestJob {
  readonly connection: Database['connection']
  readonly organisationId: string
  readonly id: string
  readonly leaseNumber: number
}

/** From the thread: how much is done, in percent; that all of it is stored; or what went wrong. */
export type FromBackTest =
  | { kind: 'progress'; percent: number }
  | { kind: 'stored' }
  | { kind: 'failed'; message: string; isTransient: boolean }
