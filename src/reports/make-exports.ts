// The thread that makes Excel files and long reports (export-thread.ts): reads each over a connection of its
// own and writes it, while the process goes on answering everybody else.

import { availableParallelism } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Snapshot } from '../platform/database/db.ts'
import { limitConcurrency } from '../platform/database/limit-concurrency.ts'
import { connectSnapshot } from '../platform/database/snapshot.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import { lowerThreadPriority } from '../platform/priority.ts'
import { allReports } from './all-reports.ts'
import { csvOf } from './csv.ts'
import { type ExportJob, type FromExports, maxAhead, type ToExports } from './export-messages.ts'
import { jsonOf } from './json.ts'
import { columnsOf, type Report, textRows } from './report.ts'
import { workbookOf } from './xlsx.ts'

/** A report under way: how many pieces it may send yet, and who waits for that to be more. */
interface Making {
  readonly leave: AbortController
  credit: number
  onCredit(): void
}

const makings = new Map<number, Making>()
const tell = (message: FromExports, given: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, given)

// Requests go before files, and have a processor that no report's query is at, where there is more than one.
lowerThreadPriority()
const runLimited = limitConcurrency(Math.max(1, availableParallelism() - 1))

parentPort?.on('message', (message: ToExports) => {
  const { id } = message
  if (message.kind === 'make') return void make(id, message.job)
  const making = makings.get(id)
  if (making === undefined) return
  if (message.kind === 'leave') making.leave.abort()
  else making.credit++
  making.onCredit()
})

async function make(id: number, job: ExportJob): Promise<void> {
  const making: Making = { leave: new AbortController(), credit: maxAhead, onCredit: () => {} }
  makings.set(id, making)
  try {
    await send(id, job, making)
    tell({ kind: 'end', id })
  } catch (error) {
    const passing = unavailabilityOf(error)
    const { message } = passing === undefined ? (error as Error) : { message: passing.messages.join(' ') }
    tell({ kind: 'failed', id, message, retryAfterSeconds: passing?.retryAfterSeconds })
  } finally {
    makings.delete(id)
  }
}

const encoder = new TextEncoder()

/** The bytes of a report, in pieces that may be given away. */
async function* bytesOf(
  { report: name, question, form, about = [] }: ExportJob,
  snapshot: Snapshot,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const report = allReports.find(one => one.name === name) as Report
  if (form !== 'xlsx') {
    for await (const text of (form === 'csv' ? csvOf : jsonOf)(report, question, snapshot))
      yield encoder.encode(text)
    return
  }
  const columns = columnsOf(report, question).map(([, column]) => column)
  const rows = snapshot.rows(textRows(report, question))
  for await (const piece of workbookOf({ title: report.title, columns, rows, about }))
    yield new Uint8Array(piece)
}

async function send(id: number, job: ExportJob, making: Making) {
  const { signal } = making.leave
  const snapshot = await connectSnapshot(job.connection, signal, runLimited)
  try {
    for await (const bytes of bytesOf(job, snapshot)) {
      while (making.credit === 0 && !signal.aborted)
        await new Promise<void>(resolve => {
          making.onCredit = resolve
        })
      signal.throwIfAborted()
      making.credit--
      tell({ kind: 'piece', id, bytes }, [bytes.buffer])
    }
  } finally {
    await snapshot.close()
  }
}
