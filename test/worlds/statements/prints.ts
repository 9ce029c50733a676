// What was sent to printers: in how many copies, to which, by whom, what became of it, and what it said then.

import assert from 'node:assert/strict'
import type { Caller } from '../../support/harness.ts'
import { linesOf } from '../../support/pdf.ts'
import { type PrintJob, PrintStatus } from '../notebook/prints.ts'
import { ask, untilNotBusy, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

/** What something printed says: a label in the commands of its printer, a document in lines without its time. */
export async function contentOf(caller: Caller, path: string, isLabel: boolean): Promise<string> {
  const { status, bytes, body } = await untilNotBusy(() => caller.get(path))
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  if (isLabel) return Buffer.from(bytes).toString('utf8')
  const lines = (await linesOf(bytes)).flat()
  return lines.filter(line => !line.includes(' Printed ')).join('\n')
}

export async function printJobs(world: World): Promise<void> {
  const { prints } = world.notebook
  if (prints.all.length === 0) return
  const { printJobs: told } = await ask(world, 'get', '/v1/print-jobs?PageSize=500')
  const what = 'what was sent to printers'
  sameText(ids(told), ids(prints.all.toReversed()), what)
  for (const [i, job] of prints.all.toReversed().entries()) compareJob(world, job, told[i])
  for (const status of Object.values(PrintStatus)) {
    const { printJobs: some } = await ask(world, 'get', `/v1/print-jobs?PageSize=500&Status=${status}`)
    sameText(
      ids(some),
      ids(prints.all.filter(job => job.status === status).toReversed()),
      `${what}, ${status}`,
    )
  }
  const latest = prints.all.findLast(({ consignment }) => consignment !== null)?.consignment
  if (latest) {
    const { printJobs: own } = await ask(
      world,
      'get',
      `/v1/print-jobs?PageSize=500&ConsignmentId=${latest.id}`,
    )
    const known = prints.all.filter(({ consignment }) => consignment === latest).toReversed()
    sameText(ids(own), ids(known), `${what} of ${latest.number}`)
  }
  for (const job of prints.all) await compareDetail(world, job)
}

const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)

function compareJob({ clientId, warehouseId, notebook }: World, job: PrintJob, told: Row): void {
  const { id, printer, kind, copies, isLabel, consignment, status, phase, message, isInDoubt, isClients } =
    job
  const what = `the print of ${job.subject}`
  const { name, printerId, pages, orientation, media, createdUtc, expiresUtc, finishedUtc, ...facts } = told
  sameText(
    facts,
    {
      ...{ id, printerName: printer, warehouseId, kind, copies, status, phase, isInDoubt, message },
      ...{
        contentType: isLabel ? 'application/zpl' : 'application/pdf',
        partnerId: isClients ? clientId : null,
      },
      ...{ consignmentId: consignment?.id ?? null, requestedByName: notebook.person, isContentKept: true },
      ...{ retriedByName: job.retries.at(-1) ?? null, cancelledByName: job.cancellations.at(-1) ?? null },
    },
    what,
  )
  assert.ok(name.includes(job.subject), `${what} is called ${name}`)
  sameText(finishedUtc !== null, status >= PrintStatus.Success, `${what}, whether it is over`)
}

async function compareDetail(world: World, job: PrintJob): Promise<void> {
  const path = `/v1/print-jobs/${job.id}`
  const { attempts, retries, cancellations } = await ask(world, 'get', path)
  const withoutTimes = (rows: readonly Row[]) => rows.map(({ atUtc, ...row }) => row)
  const what = `the print of ${job.subject}`
  sameText(withoutTimes(attempts), job.attempts, `${what}, what printers said`)
  const retried = job.retries.map(userName => ({ userName, printerName: job.printer }))
  sameText(withoutTimes(retries), retried, `${what}, its retries`)
  sameText(
    withoutTimes(cancellations),
    job.cancellations.map(userName => ({ userName })),
    `${what}, its ends`,
  )
  const content = await contentOf(world.caller, `${path}/content`, job.isLabel)
  sameText(content, job.content, `${what}, what it said then`)
}
