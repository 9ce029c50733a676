// The messages between the main thread and the thread that makes long reports.

import type { Database } from '../platform/database/db.ts'
import type { ReportRequest } from './report.ts'

/** A report to make. */
export interface ExportJob {
  readonly connection: Database['connection']
  /** the name of the report */
  readonly report: string
  readonly request: ReportRequest
  readonly format: 'json' | 'csv' | 'xlsx'
  /** the lines of the last sheet of Excel */
  readonly about?: readonly (readonly [label: string, text: string])[]
}

/** To the thread: start a job, send one more chunk, or cancel the job. */
export type MessageToThread =
  | { kind: 'start'; id: number; job: ExportJob }
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }

/**
 * From the thread: a chunk, the end, or the error of a job. `retryAfterSeconds` is undefined for an error
 * that is not temporary.
 */
export type MessageFromThread =
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string; retryAfterSeconds: number | undefined }

/** How many chunks of a job the thread sends before the first is read. */
export const maxUnreadChunks = 4
