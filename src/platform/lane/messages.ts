// What the process and the thread of its lane tell each other, and how much at a time.

import type { LargeRequest, LargeResponse } from '../http/large-body.ts'

/** Requests in the thread at a time. An organisation has two turns: a place is left for another one. */
export const laneAtOnce = 3

/** To the thread: serve this, its client has left, finish and end. */
export type ToThread =
  | { kind: 'serve'; id: number; request: LargeRequest }
  | { kind: 'leave'; id: number }
  | { kind: 'end' }

/** From the thread: an answer (none for a client that left), and what only the process itself can do. */
export type FromThread =
  | { kind: 'answer'; id: number; answer: LargeResponse | undefined }
  | { kind: 'hint'; name: string }
  | { kind: 'count'; name: string; help: string; labels: Record<string, string>; by: number }
  | { kind: 'observe'; name: string; help: string; labels: Record<string, string>; seconds: number }
  | { kind: 'log'; line: string }
