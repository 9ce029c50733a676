// Loads the history of the demo: the progress of its consignments and what was recorded on the way.

import { readFile } from 'node:fs/promises'
import {
  carriers,
  type DemoConsignment,
  daysAfter,
  seededRandom,
  statusPaths,
  taskTypes,
} from './demo-data.ts'
import { racking } from './stock-data.ts'

/** Calls the API. Throws if the call is refused. */
export type Call = (
  method: 'POST' | 'PUT' | 'GET',
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

/**
 * Returns the id of a record that was set up. `path` is the path of its collection and its code, or its name
 * if it has no code: `/v1/task-types/WRAP`.
 */
export type IdOf = (path: string) => string

const Status = { Void: -2, Complete: 0, ReadyToDispatch: 3, ReadyToReceive: 4, Closed: 6, InTransit: 7 }

/** What a driver photographs at the door. */
const photo = readFile(new URL('./pictures/delivered.png', import.meta.url), 'base64')

/** How many stops the run of a carrier has. */
const stopsOfRun = 9

const signatories = ['A. Ngata', 'P. Williams', 'S. Chen', 'J. Patel', 'R. Tui']

/** The consignment whose history is loaded, and the means to do so. */
interface HistoryContext {
  call: Call
  idOf: IdOf
  /** its path in the API */
  path: string
  consignment: DemoConsignment
  random: () => number
}

/**
 * Takes a consignment to its present status by the steps that people would have taken. `n` is the seed of its
 * random details, which are therefore the same in every demo.
 */
export async function loadHistory(
  call: Call,
  idOf: IdOf,
  consignmentId: string,
  consignment: DemoConsignment,
  n: number,
): Promise<void> {
  const { entered, type, status } = consignment
  const path = `/v1/consignments/${consignmentId}`
  if (status === Status.Void) {
    await call('PUT', `${path}/void`, { reason: 'Ordered twice.' })
    return
  }
  const statuses = statusPaths[type] ?? []
  const pastStatuses = statuses.slice(1, statuses.indexOf(status) + 1)
  if (pastStatuses.length === 0) return
  const context = { call, idOf, path, consignment, random: seededRandom(n) }
  await loadWork(context)
  if (pastStatuses.includes(Status.InTransit) && context.random() < 0.25) await loadTracking(context)
  const dates = { inTransitDispatchDateTime: daysAfter(entered, 2) }
  if (pastStatuses.includes(Status.ReadyToReceive)) await loadReceipt(context)
  for (const next of statusesTo(status, pastStatuses))
    await call('PUT', `${path}/status`, { status: next, ...dates })
  if (status === Status.ReadyToDispatch || status === Status.InTransit)
    await call('PUT', `${path}/route`, {
      carrierRunNumber: `${consignment.carrier}-1`,
      carrierRunOrdinal: (n % stopsOfRun) + 1,
    })
}

/**
 * The statuses that are set on the way. Goods that have left the warehouse become InTransit in one step,
 * which allocates and picks them. A consignment that is Closed becomes Complete in one step, for speed, and
 * is Closed with many others when it is billed.
 */
function statusesTo(status: number, pastStatuses: readonly number[]): readonly number[] {
  if (status === Status.Closed) return [Status.Complete]
  return pastStatuses.includes(Status.InTransit)
    ? pastStatuses.slice(pastStatuses.indexOf(Status.InTransit))
    : pastStatuses
}

/** Receives the goods of a consignment into the racking, a day after it was entered. */
async function loadReceipt({ call, path, consignment, random }: HistoryContext): Promise<void> {
  const { entered, status } = consignment
  await call('PUT', `${path}/status`, { status: Status.ReadyToReceive })
  if (status === Status.ReadyToReceive) return
  const { products } = (await call('GET', path)).body as {
    products: { id: string; expectedQuantity: number }[]
  }
  const receipts = products.map(({ id, expectedQuantity: quantity }) => ({
    consignmentProductId: id,
    quantity,
    locationName: racking[Math.floor(random() * racking.length)],
  }))
  await call('POST', `${path}/receive`, { receipts, occurredUtc: notAfterNow(daysAfter(entered, 1)) })
}

/** An instant, or now if it is in the future. */
const notAfterNow = (instant: Date) => new Date(Math.min(instant.getTime(), Date.now()))

/** Records the tasks that were done and the consumables that were used. */
async function loadWork({ call, idOf, path, random }: HistoryContext): Promise<void> {
  if (random() > 0.2) return
  const [code] = taskTypes[random() < 0.6 ? 0 : 1]
  await call('PUT', `${path}/tasks`, {
    tasks: [{ taskTypeId: idOf(`/v1/task-types/${code}`), value: 1 + Math.floor(random() * 6) }],
  })
  const consumables = [
    {
      consumableTypeId: idOf('/v1/consumable-types/Stretch film (m)'),
      value: 5 + Math.floor(random() * 40) / 2,
    },
    { consumableTypeId: idOf('/v1/consumable-types/Pallet'), value: 1 + Math.floor(random() * 3) },
  ]
  await call('PUT', `${path}/consumables`, { consumables })
}

/** Adds tracking events and, once the goods have arrived, the proof of delivery. */
async function loadTracking({ call, path, consignment, random }: HistoryContext): Promise<void> {
  const { carrier, entered, status } = consignment
  const carrierName = carriers.find(({ code }) => code === carrier)?.name
  const trackingNumber = `${carrier}${100_000_000 + Math.floor(random() * 899_999_999)}`
  const record = {
    carrierName,
    trackingNumber,
    trackingUrl: `https://track.example/${trackingNumber}`,
    status: 2,
  }
  const { consignmentTrackingId } = (await call('POST', `${path}/tracking`, record)).body
  const addEvent = (event: { status: number; details: string; eventDateTime: Date }) =>
    call('POST', `${path}/tracking/${consignmentTrackingId}/event`, { carrierName, ...event })
  await addEvent({ status: 3, details: 'Linehaul departed', eventDateTime: daysAfter(entered, 2.3) })
  if (status === Status.InTransit) return
  const arrived = daysAfter(entered, 3 + random())
  const signatoryName = signatories[Math.floor(random() * signatories.length)]
  await addEvent({ status: 5, details: `Signed by ${signatoryName}`, eventDateTime: arrived })
  await call('POST', `${path}/pods`, {
    eventUtc: arrived,
    signatoryName,
    description: 'All cartons, no damage.',
    attachmentFile: { fileName: 'delivered.png', contentType: 'image/png', content: await photo },
  })
}
