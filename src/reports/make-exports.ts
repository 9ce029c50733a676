// The entry point of the thread that makes Excel files and long reports (export-thread.ts). It reads each
// report over a connection of its own.

import { availableParallelism } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Snapshot } from '../platform/database/db.ts'
import { limitConcurrency } from '../platform/database/limit-concurrency.ts'
import { connectSnapshot } from '../platform/database/snapshot.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import { lowerThreadPriority } from '../platform/priority.ts'
import { allReports } from './all-reports.ts'
import { csvChunks } from './csv.ts'
import {
  type ExportJob,
  type MessageFromThread,
  type MessageToThread,
  maxUnreadChunks,
} from './export-messages.ts'
import { jsonChunks } from './json.ts'
import { columnsOf, type Report, textRows } from './report.ts'
import { writeWorkbook } from './xlsx.ts'

/** A job in progress: how many chunks it may send now, and what to call when that number grows. */
interface RunningExport {
  readonly cancellation: AbortController
  credit: number
  onCredit(): void
}

const runningExports = new Map<number, RunningExport>()
const post = (message: MessageFromThread, transferred: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transferred)

// Requests have priority over exports: if there is more than one processor, the queries of reports leave one
// free.
lowerThreadPriority()
const runLimited = limitConcurrency(Math.max(1, availableParallelism() - 1))

parentPort?.on('message', (message: MessageToThread) => {
  const { id } = message
  if (message.kind === 'start') return void runExport(id, message.job)
  const running = runningExports.get(id)
  if (running === undefined) return
  if (message.kind === 'cancel') running.cancellation.abort()
  else running.credit++
  running.onCredit()
})

async function runExport(id: number, job: ExportJob): Promise<void> {
  const running: RunningExport = {
    cancellation: new AbortController(),
    credit: maxUnreadChunks,
    onCredit: () => {},
  }
  runningExports.set(id, running)
  try {
    await sendChunks(id, job, running)
    post({ kind: 'end', id })
  } catch (error) {
    const unavailability = unavailabilityOf(error)
    const message = unavailability?.messages.join(' ') ?? (error as Error).message
    post({ kind: 'failed', id, message, retryAfterSeconds: unavailability?.retryAfterSeconds })
  } finally {
    runningExports.delete(id)
  }
}

const encoder = new TextEncoder()

/** The bytes of a report in chunks, each with a buffer of its own that can be transferred. */
async function* encodeReport(
  { report: name, request, format, about = [] }: ExportJob,
  snapshot: Snapshot,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const report = allReports.find(candidate => candidate.name === name) as Report
  if (format !== 'xlsx') {
    for await (const text of (format === 'csv' ? csvChunks : jsonChunks)(report, request, snapshot))
      yield encoder.encode(text)
    return
  }
  const columns = columnsOf(report, request).map(([, column]) => column)
  const rows = snapshot.rows(textRows(report, request))
  for await (const chunk of writeWorkbook({ title: report.title, columns, rows, about }))
    yield new Uint8Array(chunk)
}

async function sendChunks(id: number, job: ExportJob, running: RunningExport) {
  const { signal } = running.cancellation
  const snapshot = await connectSnapshot(job.connection, signal, runLimited)
  try {
    for await (const bytes of encodeReport(job, snapshot)) {
      while (running.credit === 0 && !signal.aborted)
        await new Promise<void>(resolve => {
          running.onCredit = resolve
        })
      signal.throwIfAborted()
      running.credit--
      post({ kind: 'chunk', id, bytes }, [bytes.buffer])
    }
  } finally {
    await snapshot.close()
  }
}
