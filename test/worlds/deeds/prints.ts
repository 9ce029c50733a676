// Labels and papers are printed, in copies; printers print them, fail, or never say; people cancel and retry.

import assert from 'node:assert/strict'
import type { Caller } from '../../support/harness.ts'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { Phase, type PrintJob, PrintStatus } from '../notebook/prints.ts'
import { contentOf } from '../statements/prints.ts'
import { ask, say, untilNotBusy, type World } from '../world.ts'

const office = { name: 'Office', type: 2, language: 1, media: ['iso_a4_210x297mm'] }
const dock = { name: 'Dock labels', type: 1, language: 2, dotsPerMM: 8 }

/** The bridge of a world: the caller that it is, its path, and the ids of its printers. */
interface Bridge {
  caller: Caller
  path: string
  printerIds: Map<string, string>
}
const bridges = new WeakMap<World, Bridge>()

/** The bridge of the world, which is set up once there is something to print. */
async function bridgeOf(world: World): Promise<Bridge | null> {
  const { service, caller, warehouseId } = world
  const known = bridges.get(world)
  if (known || service.asBridge === undefined) return known ?? null
  const made = await ask(world, 'post', '/v1/printer-bridges', { name: 'Site PC', warehouseId })
  const path = `/v1/printer-bridges/${made.printerBridgeId}`
  const bridge = { caller: service.asBridge(caller, made.clientId), path, printerIds: new Map() }
  const printers = await bridge.caller.put(`${path}/printers`, { printers: [office, dock], version: '1.0.0' })
  assert.equal(printers.status, 200, JSON.stringify(printers.body))
  const options = await ask(world, 'get', '/v1/printer-bridges/printer/options')
  for (const { id, name } of options.printers) bridge.printerIds.set(name, id)
  bridges.set(world, bridge)
  world.notebook.prints.isSetUp = true
  return bridge
}

/** The bridge asks for work, and gets the next job of each printer that has none. */
async function claim(world: World, { caller, path }: Bridge): Promise<void> {
  const { prints } = world.notebook
  const printers = [office, dock].map(({ name }) => ({ name, isReachable: true }))
  const { status, body } = await untilNotBusy(() => caller.post(`${path}/claim`, { printers }))
  assert.equal(status, 200, JSON.stringify(body))
  world.told.clear()
  const known = prints.next()
  const told = new Map<string, number>()
  for (const { printJobId, leaseNumber } of body.jobs) told.set(printJobId, leaseNumber)
  const ids = (jobs: Iterable<string>) => [...jobs].toSorted()
  assert.deepEqual(ids(told.keys()), ids(known.map(({ id }) => id)), 'what the printers are given')
  for (const { printJobId, copies, printerName } of body.jobs) {
    const job = known.find(({ id }) => id === printJobId) as PrintJob
    assert.deepEqual([copies, printerName], [job.isLabel ? 1 : job.copies, job.printer], 'what is given')
    Object.assign(job, { status: PrintStatus.InProgress, phase: Phase.Claimed, lease: told.get(job.id) })
  }
}

const kinds = { detail: 1, product: 8, pallet: 9, location: 10 }

/** What there is to print: a path, and what it is about. */
function subjectOf({ notebook, clientId, warehouseId }: World, choices: Choices) {
  const { products, places, floor, consignments } = notebook
  const which = choices.below(4)
  const unit = choices.among([...floor.units.values()], ({ name }) => name)
  const consignment = choices.among(consignments, ({ tag }) => tag)
  if (which === 3 && consignment) {
    const path = `/v1/consignments/${consignment.id}/detail-pdf`
    return { path, kind: kinds.detail, subject: consignment.number, consignment, isClients: true }
  }
  const more = { consignment: null, isClients: which !== 1 }
  if (which === 2 && unit?.id) {
    const path = `/v1/logistic-units/${unit.id}/label`
    return { path, kind: kinds.pallet, subject: unit.number as string, ...more }
  }
  if (which === 1) {
    const { id, name } = choices.of(places) as (typeof places)[number]
    const path = `/v1/warehouses/${warehouseId}/locations/${id}/label`
    return { path, kind: kinds.location, subject: name, ...more }
  }
  const { id, code } = choices.of(products) as (typeof products)[number]
  const path = `/v1/partners/${clientId}/products/${id}/label`
  return { path, kind: kinds.product, subject: code, ...more, isClients: true }
}

async function print(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const bridge = await bridgeOf(world)
  if (bridge === null) return
  await claim(world, bridge)
  const { path, ...facts } = subjectOf(world, choices)
  const isLabel = facts.kind !== kinds.detail
  const copies = 1 + choices.below(3)
  const printer = (isLabel ? dock : office).name
  say(world, `print ${copies} of ${path}`)
  const content = await contentOf(world.caller, isLabel ? `${path}?Format=2&Copies=${copies}` : path, isLabel)
  world.way = 'once'
  const printOption = { printerId: bridge.printerIds.get(printer), ...(copies === 1 ? {} : { copies }) }
  const { printJobId } = await ask(world, 'post', `${path}/print`, { printOption })
  notebook.prints.all.push({
    ...{ id: printJobId, tag: notebook.tag, printer, copies, content, isLabel, ...facts },
    ...{ status: PrintStatus.Pending, phase: Phase.Waiting, lease: 0, message: null, isInDoubt: false },
    ...{ attempts: [], retries: [], cancellations: [] },
  })
}

/** A printer says how far it is, or what became of what it was given. */
async function report(world: World, choices: Choices): Promise<void> {
  const bridge = bridges.get(world)
  if (bridge === undefined) return
  await claim(world, bridge)
  const job = choices.among(world.notebook.prints.printing, ({ tag }) => tag)
  if (job === undefined) return
  const what = choices.of(['print', 'fail', 'begin', 'print', 'fail late'] as const)
  const phase = what === 'print' ? Phase.Sent : what === 'fail' ? Phase.Claimed : Phase.Sending
  const result = what === 'begin' ? null : what === 'print' ? 1 : 2
  const message = result === 2 ? `Jam ${world.notebook.tag}` : null
  const isInDoubt = what === 'fail late'
  say(world, `${job.printer}: ${what} ${job.subject}`)
  const { status, body } = await untilNotBusy(() =>
    bridge.caller.put(`${bridge.path}/jobs/${job.id}/progress`, {
      ...{ leaseNumber: job.lease, phase, message },
      ...(result === null ? {} : { result }),
      ...(isInDoubt ? { isInDoubt } : {}),
    }),
  )
  assert.ok(status < 300, JSON.stringify(body))
  world.told.clear()
  job.phase = Math.max(job.phase, phase)
  if (result === null) return
  Object.assign(job, { message, isInDoubt, status: result === 1 ? PrintStatus.Success : PrintStatus.Failed })
  job.attempts.push({ printerName: job.printer, result, phase: job.phase, message })
}

/** Somebody cancels what is not on paper yet, or prints again what never was. */
async function change(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const bridge = bridges.get(world)
  if (bridge === undefined) return
  await claim(world, bridge)
  const { Pending, InProgress, Success, Cancelled } = PrintStatus
  const candidates = notebook.prints.all.filter(
    ({ status, phase }) => status !== Success && !(status === InProgress && phase >= Phase.Sending),
  )
  const job = choices.among(candidates, ({ tag }) => tag)
  if (job === undefined) return
  const isOpen = job.status === Pending || job.status === InProgress
  const path = `/v1/print-jobs/${job.id}`
  say(world, `${isOpen ? 'cancel' : 'retry'} what was sent to ${job.printer}: ${job.subject}`)
  if (isOpen) {
    await ask(world, 'put', `${path}/cancel`)
    job.status = Cancelled
    job.cancellations.push(notebook.person)
    return
  }
  await ask(world, 'put', `${path}/retry`)
  Object.assign(job, { status: Pending, phase: Phase.Waiting, message: null, isInDoubt: false })
  job.retries.push(notebook.person)
}

export const printKinds: DeedKind[] = [
  { name: 'print', often: 2, perform: print },
  { name: 'have printed', often: 1, perform: report },
  { name: 'print again or never', often: 1, perform: change },
]
