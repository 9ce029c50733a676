// Loads the bills of the demo: rate cards, Closed consignments that they charge, and a month of weekly bills.
// One pallet is scanned long after it arrived, so it is billed by a transaction that corrects an earlier
// bill.

import {
  BillingPeriod,
  BillingRunStatus,
  ChargeApplication,
  RateCardVersionStatus,
  ScheduleStatus,
} from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { clients, type DemoConsignment, daysAfter, fuelRates, warehouses } from './demo-data.ts'
import type { Call, IdOf } from './load-history.ts'
import { consignmentPathOf } from './load-stock.ts'
import { activityTypes, type DemoCard, localities, rateCards } from './rate-cards.ts'
import { dateOf } from './stock-data.ts'

/** Creates a record and returns its id. Afterwards `IdOf` finds it by its path and its code or name. */
export type Create = (path: string, body: Record<string, unknown>) => Promise<string>

/** Loads activities, localities, the fuel rates of carriers, and the rate cards. */
export async function loadRateCards(call: Call, create: Create, idOf: IdOf, now: Date): Promise<void> {
  for (const { account, ...activity } of activityTypes)
    await create('/v1/activity-types', {
      ...activity,
      revenueAccountId: idOf(`/v1/revenue-accounts/${account}`),
    })
  for (const { name, ...area } of localities) await create('/v1/localities', { name, areas: [area] })
  for (const { code } of warehouses)
    await call('PUT', `/v1/warehouses/${idOf(`/v1/warehouses/${code}`)}`, {
      costCentreId: idOf(`/v1/cost-centres/${code}`),
    })
  const fafProfileId = await loadFuelRates(call, create, idOf, now)
  for (const card of rateCards(idOf)) await loadCard(call, create, idOf, { card, fafProfileId, now })
}

async function loadFuelRates(call: Call, create: Create, idOf: IdOf, now: Date): Promise<string> {
  const fafProfileId = await create('/v1/faf-profiles', { name: 'Fuel' })
  for (const { carrier, fafPercent, daysAgo } of fuelRates)
    await call('POST', `/v1/faf-profiles/${fafProfileId}/rates`, {
      carrierId: carrier === undefined ? undefined : idOf(`/v1/partners/${carrier}`),
      fafPercent,
      effectiveFromUtc: daysAfter(now, -daysAgo),
    })
  return fafProfileId
}

/** The increases of the card for food: one three weeks ago, and one for next month, which is a Draft. */
const priceIncreases = [
  { percent: 6, daysAgo: 21, isApproved: true, note: 'Yearly increase' },
  { percent: 3, daysAgo: -30, isApproved: false, note: 'To be tried on the bills of last month' },
]

async function loadCard(
  call: Call,
  create: Create,
  idOf: IdOf,
  {
    card: { partner, rates, ...card },
    fafProfileId,
    now,
  }: { card: DemoCard; fafProfileId: string; now: Date },
): Promise<void> {
  const partnerId = partner === undefined ? undefined : idOf(`/v1/partners/${partner}`)
  const path = `/v1/rate-cards/${await create('/v1/rate-cards', { ...card, partnerId })}/versions`
  const version = async (daysAgo: number, body: object, isApproved = true) => {
    const effectiveFrom = dateOf(daysAfter(now, -daysAgo))
    const { rateCardVersionId } = (await call('POST', path, { effectiveFrom, ...body })).body
    if (isApproved) await call('PUT', `${path}/${rateCardVersionId}/status`, { status: 2 })
    return rateCardVersionId
  }
  const defaultTaxRateId = idOf('/v1/tax-rates/GST 15%')
  let copyOf = await version(120, { content: { fafProfileId, defaultTaxRateId, rates } })
  if (partner !== 'KAURI') return
  for (const { percent: raisePercent, daysAgo, isApproved, note } of priceIncreases)
    copyOf = await version(daysAgo, { copyOf, raisePercent, raiseRoundTo: 0.01, note }, isApproved)
}

/** A consignment of the demo with its id. */
export interface LoadedConsignment extends DemoConsignment {
  id: string
}

/** Bills are weekly. The last week ended four days ago, and the first began a month ago. */
const lastWeekEnd = 4
const weeksEndDaysAgo = [25, 18, 11, lastWeekEnd]

/** Closes consignments, and lets the service bill the past weeks by the rules of the clients. */
export async function loadBills(
  call: Call,
  idOf: IdOf,
  now: Date,
  consignments: readonly LoadedConsignment[],
): Promise<void> {
  const closed = consignments.filter(({ status }) => status === ConsignmentStatus.Closed)
  await excludeCharge(call, closed)
  await loadCredit(call, idOf, now)
  await closeByWeek(call, now, closed)
  // With a week of grace only the first three weeks are due.
  await runWeeklyBilling(call, idOf, now, { graceDays: 7, weeks: weeksEndDaysAgo.slice(0, -1) })
  await approveSchedules(call)
  await recordLateReceipt(call, now)
  await runWeeklyBilling(call, idOf, now, { graceDays: 1, weeks: weeksEndDaysAgo })
  await tryIncrease(call, idOf, now)
}

/** Tries the increase that is a Draft on the bills of the month. The service works on it while it serves. */
async function tryIncrease(call: Call, idOf: IdOf, now: Date): Promise<void> {
  const partnerId = idOf('/v1/partners/KAURI')
  const { rateCards: cards } = (await call('GET', `/v1/rate-cards?PartnerId=${partnerId}`)).body as {
    rateCards: { id: string }[]
  }
  const { rateCardVersions } = (await call('GET', `/v1/rate-cards/${cards[0]?.id}/versions`)).body as {
    rateCardVersions: { id: string; status: number }[]
  }
  await call('POST', '/v1/rate-card-back-tests', {
    dateFrom: dateOf(daysAfter(now, -(weeksEndDaysAgo[0] as number) - 6)),
    dateTo: dateOf(daysAfter(now, -lastWeekEnd)),
    rateCardVersionId: rateCardVersions.find(({ status }) => status === RateCardVersionStatus.Draft)?.id,
    partnerIds: [partnerId],
  })
}

/** Excludes one charge of the latest consignment of Tussock that has a charge. */
async function excludeCharge(call: Call, closed: readonly LoadedConsignment[]): Promise<void> {
  for (const { id, request } of closed.toReversed()) {
    if (request.clientCode !== 'TUSSOCK') continue
    const path = `/v1/consignments/${id}/charges`
    const { clientActivityCharges } = (await call('GET', path)).body as {
      clientActivityCharges: { id: string }[]
    }
    const [charge] = clientActivityCharges
    if (charge === undefined) continue
    await call('PUT', `${path}/${charge.id}`, { isIncluded: false })
    return
  }
}

async function loadCredit(call: Call, idOf: IdOf, now: Date): Promise<void> {
  await call('POST', '/v1/schedule-transactions', {
    partnerId: idOf('/v1/partners/TUSSOCK'),
    date: dateOf(daysAfter(now, -15)),
    particulars: 'Credit: two tents came wet',
    chargeApplication: ChargeApplication.Fee,
    chargeRateExclTax: -45,
    taxRateId: idOf('/v1/tax-rates/GST 15%'),
    revenueAccountId: idOf('/v1/revenue-accounts/4200'),
  })
}

/** Closes in each week the consignments that were ten days old at its end; older ones in the first week. */
async function closeByWeek(call: Call, now: Date, closed: readonly LoadedConsignment[]): Promise<void> {
  const weeks = Map.groupBy(
    closed,
    ({ entered }) =>
      weeksEndDaysAgo.find(daysAgo => daysAfter(entered, 10) <= daysAfter(now, -daysAgo)) ?? lastWeekEnd,
  )
  for (const [endedDaysAgo, dueConsignments] of weeks) {
    const { results } = (
      await call('POST', '/v1/consignments/close', {
        consignmentIds: dueConsignments.map(({ id }) => id),
        closedTransactionDate: dateOf(daysAfter(now, -endedDaysAgo - 6)),
      })
    ).body as { results: { messages: string[] }[] }
    const [message] = results.flatMap(({ messages }) => messages)
    if (message !== undefined) throw new Error(message)
  }
}

const maxBillingMs = 60_000

/** Sets the billing rules of the clients, and waits until the service has billed the weeks that are due. */
async function runWeeklyBilling(
  call: Call,
  idOf: IdOf,
  now: Date,
  { graceDays, weeks }: { graceDays: number; weeks: readonly number[] },
): Promise<void> {
  const rule = {
    ...{ period: BillingPeriod.Weekly, weekday: daysAfter(now, -lastWeekEnd).getUTCDay() || 7 },
    ...{ graceDays, closesComplete: false, descriptionTemplate: '{periodFrom} to {periodTo}' },
    billsFrom: dateOf(daysAfter(now, -(weeksEndDaysAgo[0] as number) - 6)),
  }
  for (const { code } of clients)
    await call('PUT', `/v1/partners/${idOf(`/v1/partners/${code}`)}/billing-rule`, rule)
  const end = Date.now() + maxBillingMs
  for (;;) {
    const { billingRuns } = (await call('GET', '/v1/billing-runs?PageSize=500')).body as {
      billingRuns: { status: number; failure: string | null }[]
    }
    const failure = billingRuns.find(({ status }) => status === BillingRunStatus.Failed)?.failure
    if (failure) throw new Error(failure)
    const done = billingRuns.filter(({ status }) => status === BillingRunStatus.Done)
    if (done.length >= clients.length * weeks.length) return
    if (Date.now() > end) throw new Error('The weeks of the demo were not billed in a minute.')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Approves all Draft bills, and marks all but the latest of each client as exported. */
async function approveSchedules(call: Call): Promise<void> {
  const { schedules } = (await call('GET', '/v1/schedules?Status=1&PageSize=500')).body as {
    schedules: { id: string; date: string }[]
  }
  const latest = schedules[0]?.date
  for (const { id, date } of schedules) {
    await call('PUT', `/v1/schedules/${id}/status`, { status: ScheduleStatus.Approved })
    if (date !== latest) await call('POST', `/v1/schedules/${id}/exported`)
  }
}

/**
 * Receives goods that came three weeks ago and were not scanned, of which two weeks were billed without them.
 */
async function recordLateReceipt(call: Call, now: Date): Promise<void> {
  const path = await consignmentPathOf(call, 'PO-LATE')
  await call('PUT', `${path}/status`, { status: ConsignmentStatus.ReadyToReceive })
  const { products } = (await call('GET', path)).body as {
    products: { id: string; expectedQuantity: number }[]
  }
  const receipts = products.map(({ id, expectedQuantity: quantity }) => ({
    ...{ consignmentProductId: id, quantity, locationName: 'C-04-5' },
  }))
  await call('POST', `${path}/receive`, { receipts, occurredUtc: daysAfter(now, -22) })
  await call('PUT', `${path}/status`, { status: ConsignmentStatus.Complete })
}
