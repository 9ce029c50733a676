// The rate cards of the demo: those of clients and carriers, and one for all clients without a card of their
// own.

import {
  BillingPeriod,
  ChargeApplication,
  MetricRounding,
  RateBasis,
  RateBreaks,
  RateKind,
  RateMetric,
  ReceiptsCharged,
  StorageCount,
  StorageMethod,
} from '../vocabulary/billing.ts'
import { ConsignmentType, ContainerSize } from '../vocabulary/consignments.ts'
import { MetricResolution, Relationship } from '../vocabulary/partners.ts'
import { warehouses } from './demo-data.ts'
import type { IdOf } from './load-history.ts'

/** The activity types, with the revenue account of each. */
export const activityTypes = [
  { code: 'HANDLING', name: 'Handling', account: '4200' },
  { code: 'SERVICES', name: 'Services and material', account: '4200' },
  { code: 'STORAGE', name: 'Storage', account: '4100' },
  { code: 'ACCOUNT', name: 'Account', account: '4200' },
]

/** The destinations of freight, as ranges of postcodes. */
export const localities = [
  { name: 'North Island', country: 'NZ', postcodeFrom: '0100', postcodeTo: '6999' },
  { name: 'South Island', country: 'NZ', postcodeFrom: '7000', postcodeTo: '9899' },
  { name: 'Western Australia', country: 'AU', postcodeFrom: '6000', postcodeTo: '6999' },
]

/** A rate card of the demo. */
export interface DemoCard {
  name: string
  relationship: number
  /** the code of the partner; undefined for the card of all clients without one */
  partner?: string
  rates: object[]
}

const { Rate, Fee } = ChargeApplication
/** A charge of `rateExclTax` for each unit of a metric. */
const at = (rateExclTax: number, metric: number, more: object = {}) => ({
  ...{ metric, application: Rate, rateExclTax },
  ...more,
})
/** A fixed charge for a consignment. */
const fee = (rateExclTax: number, more: object = {}) => ({
  ...{ metric: RateMetric.Consignment, application: Fee, rateExclTax },
  ...more,
})
const inwards = { consignmentTypes: [ConsignmentType.Inwards] }
const outwards = { consignmentTypes: [ConsignmentType.Outwards] }
const pointToPoint = { consignmentTypes: [ConsignmentType.PointToPoint] }

/** A charge of zero, which shows that the work is free by agreement rather than forgotten. */
const free = (when: object) => at(0, RateMetric.Consignment, { when })
/** The sender pays the freight of inwards goods, and point-to-point goods are not handled. */
const inwardsFree = free(inwards)
const pointToPointFree = free(pointToPoint)

/** Returns a function that makes rates of one kind. */
const rateOf =
  (kind: number, basis: number, activityTypeId?: string) =>
  (name: string, ...charges: object[]): object => ({ name, kind, basis, activityTypeId, charges })

/** All rate cards. `idOf` finds the records to which they refer. */
export function rateCards(idOf: IdOf): DemoCard[] {
  const build = rateBuilders(idOf)
  return [
    { name: 'Kauri Foods', relationship: Relationship.Client, partner: 'KAURI', rates: foodRates(build) },
    {
      name: 'Harbour Electronics',
      relationship: Relationship.Client,
      partner: 'HARBOUR',
      rates: electronicsRates(build),
    },
    { name: 'Clients without a card', relationship: Relationship.Client, rates: defaultRates(build) },
    ...carrierCards(build),
  ]
}

/** Functions that make the rates of each activity, and the charges that several cards share. */
function rateBuilders(idOf: IdOf) {
  const activity = (code: string) => idOf(`/v1/activity-types/${code}`)
  const zoneIds = (name: string) =>
    warehouses.map(({ code }) => idOf(`/v1/warehouses/${idOf(`/v1/warehouses/${code}`)}/zones/${name}`))
  const unit = (name: string) => ({ metric: RateMetric.UnitType, unitTypeId: idOf(`/v1/unit-types/${name}`) })
  const task = (code: string, rate: number) =>
    at(rate, RateMetric.TaskValue, {
      when: { taskTypeIds: [idOf(`/v1/task-types/${code}`)] },
      particulars: '{taskType}: {metric}',
    })
  const consumable = (name: string, rate: number) =>
    at(rate, RateMetric.ConsumableValue, {
      when: { consumableTypeIds: [idOf(`/v1/consumable-types/${name}`)] },
      particulars: '{consumableType}: {metric}',
    })
  /** The condition for outwards and point-to-point freight to a locality. */
  const freightTo = (name: string) => ({
    consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint],
    destinationLocalityIds: [idOf(`/v1/localities/${name}`)],
  })
  const express = { ...freightTo('North Island'), serviceTypeIds: [idOf('/v1/service-types/EXP')] }
  return {
    ...{ unit, task, consumable, freightTo, express, zoneIds },
    handling: rateOf(RateKind.Activity, RateBasis.Metric, activity('HANDLING')),
    services: rateOf(RateKind.Activity, RateBasis.Metric, activity('SERVICES')),
    storage: rateOf(RateKind.Storage, RateBasis.Product, activity('STORAGE')),
    account: rateOf(RateKind.Periodic, RateBasis.Metric, activity('ACCOUNT')),
    freight: rateOf(RateKind.ClientFreight, RateBasis.Metric),
    cost: rateOf(RateKind.CarrierFreight, RateBasis.Metric),
  }
}
type RateBuilders = ReturnType<typeof rateBuilders>

const cascade = { metricResolution: MetricResolution.Cascade }

/**
 * Rates for food: whole pallets and cartons, chilled pallets by the day, and the cheaper of two freight
 * rates.
 */
function foodRates(build: RateBuilders): object[] {
  const { unit, task, consumable, freightTo, zoneIds, handling, services, storage, account, freight } = build
  const pallets = unit('Pallet')
  const days = {
    rounding: MetricRounding.Up,
    storage: { count: StorageCount.Chronological, method: StorageMethod.SumOfDays },
  }
  return [
    handling(
      'Handling in',
      at(11.5, RateMetric.UnitType, { ...pallets, ...cascade, when: inwards, particulars: 'Pallets in' }),
      at(0.55, RateMetric.UnitType, { ...unit('Carton'), when: inwards, particulars: 'Cartons in' }),
    ),
    handling(
      'Devanning',
      ...[ContainerSize.TwentyFoot, ContainerSize.FortyFoot].map((size, i) =>
        fee([380, 620][i] as number, {
          when: { ...inwards, containerSizes: [size] },
          particulars: 'Devanning {containerNumber}',
        }),
      ),
    ),
    handling(
      'Handling out',
      at(0.9, RateMetric.UnitType, {
        ...unit('Carton'),
        ...cascade,
        when: outwards,
        particulars: 'Cartons out',
      }),
      at(0.22, RateMetric.Quantity, { when: outwards, particulars: 'Single items out' }),
      pointToPointFree,
    ),
    services('Work', task('WRAP', 7.5), task('LABEL', 0.6)),
    services('Material', consumable('Stretch film (m)', 0.4), consumable('Pallet', 19)),
    freight(
      'Freight by weight',
      at(0.32, RateMetric.WeightKG, { when: freightTo('North Island'), baseExclTax: 18, minExclTax: 35 }),
      at(0.55, RateMetric.WeightKG, { when: freightTo('South Island'), baseExclTax: 24, minExclTax: 48 }),
      at(0.28, RateMetric.WeightKG, { when: freightTo('Western Australia'), minExclTax: 30 }),
      inwardsFree,
    ),
    freight(
      'Freight by pallet',
      at(92, RateMetric.UnitType, { ...pallets, when: freightTo('North Island'), minExclTax: 60 }),
      at(148, RateMetric.UnitType, { ...pallets, when: freightTo('South Island'), minExclTax: 90 }),
    ),
    storage(
      'Storage',
      at(1.35, RateMetric.UnitType, {
        ...pallets,
        ...days,
        when: { zoneIds: zoneIds('C') },
        particulars: 'Chilled pallets by the day',
      }),
      at(0.62, RateMetric.UnitType, { ...pallets, ...days, particulars: 'Pallets by the day' }),
    ),
    account('Account', fee(45, { particulars: 'Account fee' })),
  ]
}

/** Rates for electronics: prices that fall with the quantity, serials, and average storage space. */
function electronicsRates(build: RateBuilders): object[] {
  const { unit, task, consumable, handling, services, storage, account, freight } = build
  return [
    handling(
      'Handling in',
      at(0.8, RateMetric.UnitType, {
        ...unit('Carton'),
        ...cascade,
        when: inwards,
        particulars: 'Cartons in',
      }),
      at(0.15, RateMetric.Quantity, { when: inwards, particulars: 'Single items in' }),
      pointToPointFree,
    ),
    handling('Picking', {
      ...{ metric: RateMetric.Quantity, application: Rate, when: outwards },
      breaks: {
        kind: RateBreaks.Progressive,
        bands: [
          { upTo: 24, rateExclTax: 0.85 },
          { upTo: 120, rateExclTax: 0.6 },
          { upTo: null, rateExclTax: 0.45 },
        ],
      },
    }),
    services('Serials', at(0.4, RateMetric.Serials, { when: outwards })),
    services('Work', task('WRAP', 8.5), task('LABEL', 0.75)),
    services('Material', consumable('Stretch film (m)', 0.4), consumable('Pallet', 19)),
    freight(
      'Freight',
      at(0.62, RateMetric.ChargeableWeightKG, {
        ...{ cubicKGPerM3: 250, baseExclTax: 15, minExclTax: 28 },
        when: { consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint] },
      }),
      inwardsFree,
    ),
    storage(
      'Storage',
      at(9.5, RateMetric.VolumeM3, {
        storage: { count: StorageCount.Closing, method: StorageMethod.Average },
        particulars: 'Cubic metres on average',
      }),
    ),
    account('Account', fee(30, { particulars: 'Account fee' })),
  ]
}

/**
 * Rates for all other clients: by the item and, for storage, by the month, of which goods received in its
 * second half are charged half. Stretch film has no rate, so that a report on unbilled work has something to
 * show.
 */
function defaultRates(build: RateBuilders): object[] {
  const { unit, task, consumable, handling, services, storage, account, freight } = build
  return [
    handling('Handling in', at(0.12, RateMetric.Quantity, { when: inwards, minExclTax: 20 })),
    handling(
      'Handling out',
      at(0.28, RateMetric.Quantity, { when: outwards, minExclTax: 15 }),
      pointToPointFree,
    ),
    services('Work', task('WRAP', 9), task('LABEL', 0.8)),
    services('Material', consumable('Pallet', 21)),
    freight(
      'Freight',
      at(0.45, RateMetric.WeightKG, {
        ...{ baseExclTax: 20, minExclTax: 40 },
        when: { consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint] },
      }),
      inwardsFree,
    ),
    storage(
      'Storage',
      at(22, RateMetric.UnitType, {
        ...unit('Pallet'),
        rounding: MetricRounding.Up,
        storage: {
          ...{ count: StorageCount.Closing, method: StorageMethod.StartOfPeriod },
          ...{ period: BillingPeriod.Monthly, receiptsCharged: ReceiptsCharged.HalfAfterMid },
        },
        particulars: 'Pallets by the month',
      }),
    ),
    account('Account', fee(20, { particulars: 'Account fee' })),
  ]
}

/** The rates of two carriers. The others have no card, so their costs are unknown. */
function carrierCards({ freightTo, express, cost }: RateBuilders): DemoCard[] {
  const byWeight = at(0.41, RateMetric.ChargeableWeightKG, {
    ...{ cubicKGPerM3: 250, minExclTax: 22 },
    // The sender of inwards goods pays the carrier.
    when: { consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint] },
  })
  return [
    {
      ...{ name: 'Swift Freight', relationship: Relationship.Carrier, partner: 'SWF' },
      rates: [
        cost(
          'Freight by zone',
          at(0.45, RateMetric.WeightKG, { when: express, baseExclTax: 27 }),
          at(0.27, RateMetric.WeightKG, { when: freightTo('North Island'), baseExclTax: 15 }),
          at(0.46, RateMetric.WeightKG, { when: freightTo('South Island'), baseExclTax: 19 }),
          at(0.24, RateMetric.WeightKG, { when: freightTo('Western Australia'), baseExclTax: 12 }),
        ),
      ],
    },
    {
      ...{ name: 'Northern Express', relationship: Relationship.Carrier, partner: 'NRX' },
      rates: [cost('Freight', byWeight)],
    },
  ]
}
