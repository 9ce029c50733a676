// Printers for tests: a warehouse with a bridge, and a caller that acts as the bridge.

import assert from 'node:assert/strict'
import { type NewPrintJob, submitPrintJob } from '../../src/paper/print-jobs/submit.ts'
import { sql } from '../../src/platform/database/db.ts'
import { PrintJobKind } from '../../src/vocabulary/paper.ts'
import { setUp } from './given-imports.ts'
import { type Caller, openWorld, type World } from './harness.ts'

export const pdf = Buffer.from('%PDF-1.7 of a test')
export const zpl = Buffer.from('^XA^FO20,20^A0N,40,40^FDTest^FS^XZ')

export const office = { name: 'Office A4', type: 2, language: 1, media: ['iso_a4_210x297mm'] }
export const dock = { name: 'Dock labels', type: 1, language: 2, dotsPerMM: 8 }

/** A bridge, and the calls that a test makes as the bridge. */
export interface TestBridge {
  path: string
  printerBridgeId: string
  caller: Caller
  /** Claims jobs without waiting. By default all printers count as reachable. */
  claim(printers?: object[], more?: object): Promise<ClaimedJob[]>
  progress(job: ClaimedJob, report: object): Promise<number>
}

export interface ClaimedJob {
  printJobId: string
  leaseNumber: number
  printerName: string
}

/** Creates a bridge in a warehouse, and announces its printers. */
export async function givenBridge(
  world: World,
  warehouseId: string,
  printers: { name: string }[] = [office, dock],
  name = 'Site PC',
): Promise<TestBridge> {
  const made = await world.admin.post('/v1/printer-bridges', { name, warehouseId })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { printerBridgeId, clientId } = made.body
  const caller = world.as(world.admin, { scopes: ['print'], clientId })
  const path = `/v1/printer-bridges/${printerBridgeId}`
  assert.equal((await caller.put(`${path}/printers`, { printers, version: '1.0.0' })).status, 200)
  const reachable = printers.map(printer => ({ name: printer.name, isReachable: true }))
  return {
    path,
    printerBridgeId,
    caller,
    async claim(states = reachable, more = {}) {
      const { status, body } = await caller.post(`${path}/claim`, { printers: states, ...more })
      assert.equal(status, 200, JSON.stringify(body))
      return body.jobs
    },
    progress: async ({ printJobId, leaseNumber }, report) =>
      (await caller.put(`${path}/jobs/${printJobId}/progress`, { leaseNumber, ...report })).status,
  }
}

/** The ids of the printers to choose from, by name. */
export async function printerIds(by: Caller): Promise<Record<string, string>> {
  const { printers } = (await by.get('/v1/printer-bridges/printer/options')).body
  return Object.fromEntries(printers.map(({ id, name }: { id: string; name: string }) => [name, id]))
}

/** Opens a world with the warehouse AKL, its bridge and two reachable printers. */
export async function openPrinters() {
  const world = await openWorld()
  const { admin, database } = world
  const { clientId, carrierId, warehouseId } = await setUp(admin)
  const bridge = await givenBridge(world, warehouseId)
  assert.deepEqual(await bridge.claim(), [])
  const named = await printerIds(admin)
  const ids = { office: named[office.name] as string, dock: named[dock.name] as string }

  /** Sends a job, by default to the office printer. */
  async function print(given: Partial<NewPrintJob> & { printerId?: string } = {}): Promise<string> {
    const { printerId = ids.office, ...job } = given
    const { printJobId } = await database.inOneStatement(tx =>
      submitPrintJob(
        tx,
        admin.actor,
        { id: printerId, name: 'Printer' },
        {
          kind: PrintJobKind.TestPage,
          name: 'Test page',
          contentType: 'application/pdf',
          content: pdf,
          readScopes: 'consignment.read',
          ...job,
        },
      ),
    )
    return printJobId
  }
  /** Lets time pass for a job by moving its times into the past. */
  const pass = (printJobId: string, column: 'due_utc' | 'expires_utc' | 'finished_utc', interval: string) =>
    database.inOneStatement(tx =>
      tx.run(sql`
        update print_job set
          due_utc = due_utc - case when ${column} = 'due_utc' then ${interval}::interval else '0' end,
          expires_utc = expires_utc
            - case when ${column} = 'expires_utc' then ${interval}::interval else '0' end,
          finished_utc = finished_utc
            - case when ${column} = 'finished_utc' then ${interval}::interval else '0' end
        where id = ${printJobId}`),
    )
  const job = async (printJobId: string, by: Caller = admin) =>
    (await by.get(`/v1/print-jobs/${printJobId}`)).body
  return { world, admin, database, clientId, carrierId, warehouseId, bridge, ids, print, pass, job }
}
