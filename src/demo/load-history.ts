// The history of the demo: how far its consignments have come and what was recorded on the way, what was
// billed, and what is being picked.

import {
  carriers,
  clients,
  type DemoConsignment,
  daysAfter,
  fuelRates,
  paths,
  seededRandom,
  taskTypes,
} from './demo-data.ts'
import { dateOf, racking } from './stock-data.ts'

/** Calls the API, and throws when it refuses. */
export type Call = (
  method: 'POST' | 'PUT' | 'GET',
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: Record<string, unknown> }>

/**
 * The id of what was set up, by the path of its collection and its code, or its name where it has none:
 * `/v1/task-types/WRAP`.
 */
export type IdOf = (path: string) => string

const Status = { Void: -2, ReadyToPick: 2, ReadyToReceive: 4, Closed: 6, InTransit: 7 }

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
 * Moves a consignment along to the status that it has by now, as people would have done it. `n` makes each
 * different, and the same in every demo.
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
  const statuses = paths[type] ?? []
  const passed = statuses.slice(1, statuses.indexOf(status) + 1)
  if (passed.length === 0) return
  const context = { call, idOf, path, consignment, random: seededRandom(n) }
  await loadWork(context)
  await loadCharges(context)
  if (passed.includes(Status.InTransit) && context.random() < 0.25) await loadTracking(context)
  const dates = {
    inTransitDispatchDateTime: daysAfter(entered, 2),
    closedTransactionDate: dateOf(daysAfter(entered, 10)),
  }
  if (passed.includes(Status.ReadyToReceive)) await loadReceipt(context)
  for (const next of stepsTo(status, passed)) await call('PUT', `${path}/status`, { status: next, ...dates })
}

/**
 * The statuses that are told on the way. What left the warehouse goes there in one step, so that it was
 * allocated and picked by the time it left; of a Closed one only the end is told, for speed.
 */
function stepsTo(status: number, passed: readonly number[]): readonly number[] {
  if (status === Status.Closed) return passed.slice(-2)
  return passed.includes(Status.InTransit) ? passed.slice(passed.indexOf(Status.InTransit)) : passed
}

/** Receives the goods of what has come, a day after it was entered, straight into the racking. */
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
  await call('POST', `${path}/receive`, { receipts, occurredUtc: earlier(daysAfter(entered, 1)) })
}

/** An instant, or now where it is still to come. */
const earlier = (instant: Date) => new Date(Math.min(instant.getTime(), Date.now()))

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

/**
 * Adds charges of the client and of the carrier, with the tax of the country that the warehouse is in.
 */
async function loadCharges({ call, idOf, path, consignment, random }: HistoryContext): Promise<void> {
  const { type, warehouse } = consignment
  const taxRateId = idOf(
    `/v1/tax-rates/${warehouse === 'AKL' ? 'GST 15%' : warehouse === 'PER' ? 'GST 10%' : 'Zero rated'}`,
  )
  const costCentreId = warehouse === undefined ? undefined : idOf(`/v1/cost-centres/${warehouse}`)
  const add = (kind: string, account: string, charge: object) =>
    call('POST', `${path}/charges/${kind}/adhoc`, {
      taxRateId,
      costCentreId,
      revenueAccountId: idOf(`/v1/revenue-accounts/${account}`),
      ...charge,
    })
  const pallets = 1 + Math.floor(random() * 8)
  if (random() < 0.4) {
    const rate = { chargeApplication: 1, metricValue: pallets, chargeRateExclTax: 14.5 }
    await add('client-activity', '4200', {
      particulars: type === 1 ? 'Unloading, by pallet' : 'Loading, by pallet',
      ...rate,
    })
  }
  if (type === 1 || random() > 0.35) return
  await add('client-freight', '4300', {
    particulars: 'Freight',
    chargeApplication: 2,
    chargeRateExclTax: 40 + 22.5 * pallets,
  })
  await add('carrier-freight', '4300', {
    particulars: 'Freight',
    chargeApplication: 2,
    chargeRateExclTax: 32 + 18 * pallets,
  })
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
  })
}

/**
 * Adds two schedules for each client, one billed a while ago and one that is being made, and the fuel rates
 * of carriers. /
 */
export async function loadBilling(call: Call, idOf: IdOf, now: Date): Promise<void> {
  for (const { code } of clients) {
    const partnerId = idOf(`/v1/partners/${code}`)
    for (const [nth, daysAgo] of [45, 0].entries()) {
      const schedule = {
        partnerId,
        date: dateOf(daysAfter(now, -daysAgo)),
        referenceNumber: `${code}-${nth + 1}`,
        description: 'Storage and freight',
      }
      const { partnerScheduleId } = (await call('POST', '/v1/schedules', schedule)).body
      if (daysAgo > 0) await call('PUT', `/v1/schedules/${partnerScheduleId}/status`, { status: 2 })
    }
  }
  const { fafProfileId } = (await call('POST', '/v1/faf-profiles', { name: 'Fuel' })).body
  for (const { carrier, fafPercent, daysAgo } of fuelRates) {
    const carrierId = carrier === undefined ? undefined : idOf(`/v1/partners/${carrier}`)
    await call('POST', `/v1/faf-profiles/${fafProfileId}/rates`, {
      carrierId,
      fafPercent,
      effectiveFromUtc: daysAfter(now, -daysAgo),
    })
  }
}
