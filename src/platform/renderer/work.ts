// The thread of the renderer's process: it does one task after the other. A task is a module with a function
// `make`; it is loaded with its first task and kept.

import process from 'node:process'
import { parentPort } from 'node:worker_threads'
import type { FromRenderingThread, RenderingTask } from './messages.ts'

const send = (message: FromRenderingThread): void => parentPort?.postMessage(message)
// The native memory of documents and pictures is freed only by garbage collection, but V8 does not see its
// size and would collect too late.
const tasksBetweenCollections = 50
const collectAboveMb = 448
let tasks = 0

parentPort?.on('message', async ({ id, module, given }: RenderingTask) => {
  try {
    const { make } = (await import(module)) as { make(given: unknown): Promise<unknown> }
    send({ kind: 'began', id })
    send({ kind: 'made', id, made: await make(given) })
  } catch (error) {
    // The thread goes on, so that one faulty document does not affect others.
    send({ kind: 'failed', id, error: String(error) })
  }
  if (++tasks % tasksBetweenCollections === 0 || process.memoryUsage.rss() > collectAboveMb * 2 ** 20)
    globalThis.gc?.()
  send({ kind: 'free' })
})
