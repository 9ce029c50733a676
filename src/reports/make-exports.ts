// The thread that makes Excel files (export-thread.ts): reads each over a connection of its own and packs it,
// while the process goes on answering everybody else.

import { setPriority } from 'node:os'
import process from 'node:process'
import { parentPort } from 'node:worker_threads'
import { connectSnapshot } from '../platform/database/snapshot.ts'
import { unavailabilityOf } from '../platform/http/unavailability.ts'
import { allReports } from './all-reports.ts'
import { type ExportJob, type FromExports, maxAhead, type ToExports } from './export-messages.ts'
import { columnsOf, type Report, textRows } from './report.ts'
import { workbookOf } from './xlsx.ts'

/** A workbook under way: how many pieces it may send yet, and who waits for that to be more. */
interface Making {
  readonly leave: AbortController
  credit: number
  onCredit(): void
}

const makings = new Map<number, Making>()
const tell = (message: FromExports, given: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, given)

// Requests go before files where a thread has a priority of its own, which is Linux.
if (process.platform === 'linux') setPriority(10)

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

async function send(id: number, { connection, report: name, question, about }: ExportJob, making: Making) {
  const report = allReports.find(one => one.name === name) as Report
  const { signal } = making.leave
  const snapshot = await connectSnapshot(connection, signal)
  try {
    const columns = columnsOf(report, question).map(([, column]) => column)
    const rows = snapshot.rows(textRows(report, question))
    for await (const piece of workbookOf({ title: report.title, columns, rows, about })) {
      while (making.credit === 0 && !signal.aborted)
        await new Promise<void>(resolve => {
          making.onCredit = resolve
        })
      signal.throwIfAborted()
      making.credit--
      const bytes = new Uint8Array(piece)
      tell({ kind: 'piece', id, bytes }, [bytes.buffer])
    }
  } finally {
    await snapshot.close()
  }
}
