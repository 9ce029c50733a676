// The prices that a client agrees to, as the service knows them: a rate card with its versions.

import assert from 'node:assert/strict'
import type { Caller } from '../support/harness.ts'
import { make } from './make.ts'
import type { ExtraType } from './notebook/extras.ts'
import type { Counted, Price, PriceList, Service } from './notebook/money.ts'
import type { StoragePrice } from './notebook/storage.ts'

/** What prices refer to. */
export interface Books {
  taxRateId: string
  activityTypeId: string
  revenueAccountId: string
  rateCardId: string
  carrierId: string
  carrierCardId: string
  /** where it is named, freight is raised */
  fuelProfileId: string
}

/** By how much freight is raised where it is. */
export const fuel = 0.125

export async function openBooks(caller: Caller, partnerId: string): Promise<Books> {
  const revenueAccountId = await make(caller, '/v1/revenue-accounts', { code: 'SALES', name: 'Sales' })
  const [taxRateId, activityTypeId, rateCardId, fuelProfileId] = await Promise.all([
    make(caller, '/v1/tax-rates', { name: 'GST', percent: 15, accountingCode: 'OUTPUT' }),
    make(caller, '/v1/activity-types', { code: 'HANDLING', name: 'Handling', revenueAccountId }),
    make(caller, '/v1/rate-cards', { name: 'Prices', relationship: 1, partnerId }),
    make(caller, '/v1/faf-profiles', { name: 'Fuel' }),
  ])
  await make(caller, `/v1/faf-profiles/${fuelProfileId}/rates`, {
    ...{ fafPercent: fuel, effectiveFromUtc: '2020-01-01T00:00:00Z' },
  })
  const carrierId = await make(caller, '/v1/partners', { name: 'Swift', code: 'SWF', relationship: 2 })
  const carrierCard = { name: 'Costs', relationship: 2, partnerId: carrierId }
  const carrierCardId = await make(caller, '/v1/rate-cards', carrierCard)
  return { carrierId, carrierCardId, taxRateId, activityTypeId, revenueAccountId, rateCardId, fuelProfileId }
}

const metrics: Record<Counted, number> = {
  ...{ consignment: 1, items: 2, kg: 3, m3: 4, task: 7, consumable: 8, lines: 9, pallets: 10, serials: 11 },
}

export const priceOf = (counted: Counted, each: number, more: Partial<Price> = {}): Price => ({
  ...{ counted, each, base: 0, least: 0, only: null, of: [] },
  ...more,
})

const service = (name: string, prices: Price[], more: Partial<Service> = {}): Service => ({
  ...{ name, isFreight: false, isByProduct: false, prices },
  ...more,
})

/** What the client pays for at first: of what is done besides, the wrapping, and the cartons that it takes. */
export const basicServices = (extraTypes: readonly ExtraType[]): Service[] => [
  service('Papers', [priceOf('consignment', 3.1)]),
  service('Lines', [priceOf('lines', 1.25)]),
  service('Handling', [priceOf('pallets', 4.5), priceOf('items', 0.35)]),
  service('Weight', [priceOf('kg', 0.12, { least: 2.5, only: 'outwards' })]),
  service('Space', [priceOf('m3', 38.5, { base: 1, only: 'inwards' })]),
  service('Scanning', [priceOf('serials', 0.955555)]),
  service('Sorting', [priceOf('items', 0.05)], { isByProduct: true }),
  service('Freight', [priceOf('kg', 0.77, { only: 'outwards' })], { isFreight: true }),
  service('Wrapping', [
    priceOf('task', 2.5, { of: idsOf(extraTypes, 'Wrapping') }),
    priceOf('consumable', 1.15, { base: 0.4, of: idsOf(extraTypes, 'Carton') }),
  ]),
]

const idsOf = (extraTypes: readonly ExtraType[], name: string) =>
  extraTypes.filter(type => type.name === name).map(({ id }) => id)

const chargeOf = ({ counted, each, base, least, only, of }: Price) => ({
  ...{ metric: metrics[counted], application: 1, rateExclTax: each },
  ...(base === 0 ? {} : { baseExclTax: base }),
  ...(least === 0 ? {} : { minExclTax: least }),
  when: {
    ...(only === null ? {} : { consignmentTypes: [only === 'inwards' ? 1 : 2] }),
    ...(counted === 'task' ? { taskTypeIds: of } : {}),
    ...(counted === 'consumable' ? { consumableTypeIds: of } : {}),
  },
})

export const storedMetrics = { items: 2, places: 13, pallets: 10 }
const ofDays = { sum: 1, average: 2, greatest: 3 }
/** The names of what storage is charged by, in a rate. */
export const groups = { zone: 'zone', place: 'location', product: 'product', pallet: 'logisticUnit' } as const
const ofDay = { closing: 1, opening: 2, peak: 3 }

const rateOfStorage = (price: StoragePrice, activityTypeId: string) => ({
  ...{ name: price.name, kind: 4, basis: 2, activityTypeId },
  charges: [
    {
      ...{ metric: storedMetrics[price.counted], application: 1, rateExclTax: price.each },
      ...(price.least === 0 ? {} : { minExclTax: price.least }),
      storage: {
        count: ofDay[price.ofDay],
        method: ofDays[price.ofDays],
        groupBy: price.by.map(name => groups[name]),
      },
    },
  ],
})

const rateOfFee = (rateExclTax: number, activityTypeId: string) => ({
  ...{ name: 'Account', kind: 5, basis: 1, activityTypeId },
  charges: [{ metric: 1, application: 2, rateExclTax }],
})

/** What is agreed besides the prices of services. */
export type Terms = Pick<PriceList, 'storage' | 'fee' | 'minimum' | 'hasMinimumAccount'>
export const noTerms: Terms = { storage: [], fee: 0, minimum: 0, hasMinimumAccount: false }

/** Puts prices in force from a day on. */
export async function agreeOn(
  { caller, books }: { caller: Caller; books: Books },
  services: readonly Service[],
  {
    from,
    isRaised,
    terms = noTerms,
    rateCardId = books.rateCardId,
  }: { from: string; isRaised: boolean; terms?: Terms; rateCardId?: string },
): Promise<PriceList> {
  const freightKind = rateCardId === books.rateCardId ? 2 : 3
  const { activityTypeId, revenueAccountId, taxRateId, fuelProfileId } = books
  const path = `/v1/rate-cards/${rateCardId}/versions`
  const id = await make(caller, path, {
    effectiveFrom: from,
    content: {
      ...{ defaultTaxRateId: taxRateId, fafProfileId: isRaised ? fuelProfileId : null },
      ...(terms.minimum === 0 ? {} : { minimumSpendPerPeriod: terms.minimum }),
      ...(terms.hasMinimumAccount ? { minimumSpendRevenueAccountId: revenueAccountId } : {}),
      rates: [
        ...services.map(({ name, isFreight, isByProduct, prices }) => ({
          ...{ name, kind: isFreight ? freightKind : 1, basis: isByProduct ? 2 : 1 },
          ...(isFreight ? {} : { activityTypeId }),
          charges: prices.map(price => ({
            ...chargeOf(price),
            ...(isByProduct ? { isPerProduct: true } : {}),
            ...(isFreight ? { revenueAccountId } : {}),
          })),
        })),
        ...terms.storage.map(price => rateOfStorage(price, activityTypeId)),
        ...(terms.fee === 0 ? [] : [rateOfFee(terms.fee, activityTypeId)]),
      ],
    },
  })
  const { status, body } = await caller.put(`${path}/${id}/status`, { status: 2 })
  assert.equal(status, 200, JSON.stringify(body))
  return { id, from, services, fuel: isRaised ? fuel : 0, ...terms }
}
