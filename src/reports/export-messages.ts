// What the process and the thread that makes long reports tell each other.

import type { Database } from '../platform/database/db.ts'
import type { Question } from './report.ts'

/** A report to make. */
export interface ExportJob {
  readonly connection: Database['connection']
  /** the name of the report */
  readonly report: string
  readonly question: Question
  readonly form: 'json' | 'csv' | 'xlsx'
  /** what Excel says of the report */
  readonly about?: readonly (readonly [label: string, text: string])[]
}

/** To the thread: make this, one more piece may come, nobody waits for it any more. */
export type ToExports =
  | { kind: 'make'; id: number; job: ExportJob }
  | { kind: 'more'; id: number }
  | { kind: 'leave'; id: number }

/** From the thread: a piece, the end, or what went wrong, and whether that passes. */
export type FromExports =
  | { kind: 'piece'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string; retryAfterSeconds: number | undefined }

/** Pieces that the thread may be ahead of whoever takes them. */
export const maxAhead = 4
