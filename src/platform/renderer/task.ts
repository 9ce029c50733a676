// How the rest of the service has something rendered: a task is a module that only the renderer's process
// loads.

import { isMainThread } from 'node:worker_threads'
import { unavailable } from '../http/refusal.ts'
import { runInMainThread } from './other-threads.ts'
import { runTask } from './renderer.ts'

/** How a task is requested. */
export interface TaskOptions {
  /** the requesting organisation: organisations take turns */
  owner?: string | undefined
  /** it may take longer than a moment, so that others go first */
  isLong?: boolean
  /** fires if nobody wants the result any more */
  signal?: AbortSignal | undefined
}

/** A task took more memory than the renderer may have. */
export class TooLargeToRender extends Error {}

/**
 * Describes a task: the function `make` of a module, which the renderer's process calls with a copy of what
 * is given here, and whose result is copied back. `maxMb` is another limit for its memory than the 1 GiB of
 * other tasks. Throws `TooLargeToRender` for a task that takes too much
 * memory, and refuses (503) one that takes more than 20 s, has waited for 30 s, or whose process died.
 */
export function renderingTask<Given, Made>(
  module: URL,
  maxMb?: number,
): (given: Given, options?: TaskOptions) => Promise<Made> {
  return async (given, { owner = '', isLong = false, signal } = {}) => {
    signal?.throwIfAborted()
    const request = { module: module.href, given, owner, isLong, maxMb }
    const outcome = await (isMainThread ? runTask(request, signal) : runInMainThread(request, signal))
    signal?.throwIfAborted()
    switch (outcome.kind) {
      case 'made':
        return outcome.made as Made
      case 'failed':
        throw new Error(`${module.pathname}: ${outcome.error}`)
      case 'too large':
        throw new TooLargeToRender('It takes too much memory.')
      case 'stopped':
        throw unavailable('The service is stopping.')
      case 'died':
        throw unavailable('What makes documents was interrupted. Try again shortly.')
      default:
        throw unavailable('Documents take too long at the moment. Try again shortly.')
    }
  }
}
