// The messages between the process and the thread of its lane.

import type { LargeRequest, LargeResponse } from '../http/large-body.ts'

/**
 * The maximum number of requests in the thread. One organisation can occupy only part of them, so that there
 * is room for another one.
 */
export const maxLaneRequests = 3

/** To the thread: serve a request, cancel one whose client has disconnected, or finish and exit. */
export type ToLane =
  | { kind: 'serve'; id: number; request: LargeRequest }
  | { kind: 'cancel'; id: number }
  | { kind: 'end' }

/**
 * From the thread: that it serves from now on, a response (undefined if the client disconnected), and what
 * only the process can do.
 */
export type FromLane =
  | { kind: 'ready' }
  | { kind: 'response'; id: number; response: LargeResponse | undefined }
  | { kind: 'hint'; name: string }
  | { kind: 'count'; name: string; help: string; labels: Record<string, string>; by: number }
  | { kind: 'observe'; name: string; help: string; labels: Record<string, string>; seconds: number }
  | { kind: 'log'; line: string }
