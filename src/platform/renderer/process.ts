// The renderer's process. Its main thread only listens, so it notices at once when the service is gone or a
// task takes too much memory; the work is done in a thread (work.ts), whose native code nothing can interrupt
// but the end of the process.

import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { startThread } from '../thread.ts'
import type { FromProcess, FromRenderingThread, RenderingTask } from './messages.ts'

/** What tasks find in `workerData`. */
const data: unknown = JSON.parse(process.argv[2] ?? '{}')
const watchMs = 25
const mebibyte = 2 ** 20
// Room for the data of the largest documents and for a hundred labels as pictures.
const maxHeapMb = 512

const send = (message: FromProcess, onSent?: () => void): void => {
  process.send?.(message, undefined, undefined, onSent)
}
const residentMb = () => process.memoryUsage.rss() / mebibyte
/** Ends the process even if its thread is in native code, which `process.exit` would wait for. */
const end = () => process.kill(process.pid, 'SIGKILL')

let current: RenderingTask | undefined
let watch: NodeJS.Timeout | undefined

function endIfTooLarge(): void {
  if (current === undefined || residentMb() <= current.maxMb) return
  clearInterval(watch)
  send({ kind: 'too large', id: current.id }, end)
}

const thread = startThread<RenderingTask, FromRenderingThread>({
  file: new URL('./work.ts', import.meta.url),
  data,
  limits: { maxOldGenerationSizeMb: maxHeapMb },
  onMessage(message) {
    if (message.kind === 'free') {
      clearInterval(watch)
      current = undefined
      send({ kind: 'free', residentMb: residentMb() })
    } else send(message)
  },
})
void thread.ended.then(error => {
  const isOutOfMemory = (error as NodeJS.ErrnoException)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isOutOfMemory && current !== undefined) return send({ kind: 'too large', id: current.id }, end)
  console.error(error)
  end()
})

process.on('message', (task: RenderingTask) => {
  current = task
  watch = setInterval(endIfTooLarge, watchMs)
  thread.send(task)
})
// The service has ended, however it did.
process.on('disconnect', end)
// A terminal or a service manager may signal every process; the service finishes its tasks and ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
yieldToTheService()
send({ kind: 'ready' })

/** If the machine runs out of memory, Linux ends this process rather than the service. */
function yieldToTheService(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '800')
  } catch {
    // Another system, or a container that does not permit it.
  }
}
