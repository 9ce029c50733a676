// What the demo's organisation charges, and what its carriers ask: a card for each, and one for the clients
// that have none of their own.

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
} from '../billing/enumerations.ts'
import { ConsignmentType, ContainerSize } from '../consignments/enumerations.ts'
import { MetricResolution, Relationship } from '../partners/enumerations.ts'
import { warehouses } from './demo-data.ts'
import type { IdOf } from './load-history.ts'

/** What activities are called on bills, and the account that each goes to. */
export const activityTypes = [
  { code: 'HANDLING', name: 'Handling', account: '4200' },
  { code: 'SERVICES', name: 'Services and material', account: '4200' },
  { code: 'STORAGE', name: 'Storage', account: '4100' },
  { code: 'ACCOUNT', name: 'Account', account: '4200' },
]

/** Where freight goes to, by postcodes. */
export const localities = [
  { name: 'North Island', country: 'NZ', postcodeFrom: '0100', postcodeTo: '6999' },
  { name: 'South Island', country: 'NZ', postcodeFrom: '7000', postcodeTo: '9899' },
  { name: 'Western Australia', country: 'AU', postcodeFrom: '6000', postcodeTo: '6999' },
]

/** A card of the demo. */
export interface DemoCard {
  name: string
  relationship: number
  /** the code of the partner; undefined: for all clients without a card */
  partner?: string
  rates: object[]
}

const { Rate, Fee } = ChargeApplication
const at = (rateExclTax: number, metric: number, more: object = {}) => ({
  ...{ metric, application: Rate, rateExclTax },
  ...more,
})
const fee = (rateExclTax: number, more: object = {}) => ({
  ...{ metric: RateMetric.Consignment, application: Fee, rateExclTax },
  ...more,
})
const arriving = { consignmentTypes: [ConsignmentType.Inwards] }
const leaving = { consignmentTypes: [ConsignmentType.Outwards] }
const passing = { consignmentTypes: [ConsignmentType.PointToPoint] }

/** That nobody pays for it is agreed: it is not work that was forgotten. */
const free = (when: object) => at(0, RateMetric.Consignment, { when })
/** Who sends goods here pays their freight, and what only passes by is not handled. */
const broughtFree = free(arriving)
const untouchedFree = free(passing)

/** The rates of one kind. */
const rateOf =
  (kind: number, basis: number, activityTypeId?: string) =>
  (name: string, ...charges: object[]): object => ({ name, kind, basis, activityTypeId, charges })

/** All cards, of the records that the demo has set up. */
export function rateCards(idOf: IdOf): DemoCard[] {
  const words = vocabulary(idOf)
  return [
    { name: 'Kauri Foods', relationship: Relationship.Client, partner: 'KAURI', rates: ratesOfFood(words) },
    {
      name: 'Harbour Electronics',
      relationship: Relationship.Client,
      partner: 'HARBOUR',
      rates: ratesOfElectronics(words),
    },
    { name: 'Clients without a card', relationship: Relationship.Client, rates: ratesOfOthers(words) },
    ...carrierCards(words),
  ]
}

/** What cards are written in: rates of each activity, and the charges that more than one card has. */
function vocabulary(idOf: IdOf) {
  const activity = (code: string) => idOf(`/v1/activity-types/${code}`)
  const zoneIds = (name: string) =>
    warehouses.map(({ code }) => idOf(`/v1/warehouses/${idOf(`/v1/warehouses/${code}`)}/zones/${name}`))
  const unit = (name: string) => ({ metric: RateMetric.UnitType, unitTypeId: idOf(`/v1/unit-types/${name}`) })
  const task = (code: string, rate: number) =>
    at(rate, RateMetric.TaskValue, {
      when: { taskTypeIds: [idOf(`/v1/task-types/${code}`)] },
      particulars: '{taskType}: {metric}',
    })
  const used = (name: string, rate: number) =>
    at(rate, RateMetric.ConsumableValue, {
      when: { consumableTypeIds: [idOf(`/v1/consumable-types/${name}`)] },
      particulars: '{consumableType}: {metric}',
    })
  /** Freight that leaves or passes by, to one of the localities. */
  const freightTo = (name: string) => ({
    consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint],
    destinationLocalityIds: [idOf(`/v1/localities/${name}`)],
  })
  const express = { ...freightTo('North Island'), serviceTypeIds: [idOf('/v1/service-types/EXP')] }
  return {
    ...{ unit, task, used, freightTo, express, zoneIds },
    handling: rateOf(RateKind.Activity, RateBasis.Metric, activity('HANDLING')),
    services: rateOf(RateKind.Activity, RateBasis.Metric, activity('SERVICES')),
    storage: rateOf(RateKind.Storage, RateBasis.Product, activity('STORAGE')),
    account: rateOf(RateKind.Periodic, RateBasis.Metric, activity('ACCOUNT')),
    freight: rateOf(RateKind.ClientFreight, RateBasis.Metric),
    cost: rateOf(RateKind.CarrierFreight, RateBasis.Metric),
  }
}
type Vocabulary = ReturnType<typeof vocabulary>

const whole = { metricResolution: MetricResolution.Cascade }

/** Food: whole pallets and cartons, chilled pallets by the day, the cheaper of two ways of freight. */
function ratesOfFood(words: Vocabulary): object[] {
  const { unit, task, used, freightTo, zoneIds, handling, services, storage, account, freight } = words
  const pallets = unit('Pallet')
  const days = {
    rounding: MetricRounding.Up,
    storage: { count: StorageCount.Chronological, method: StorageMethod.SumOfDays },
  }
  return [
    handling(
      'Handling in',
      at(11.5, RateMetric.UnitType, { ...pallets, ...whole, when: arriving, particulars: 'Pallets in' }),
      at(0.55, RateMetric.UnitType, { ...unit('Carton'), when: arriving, particulars: 'Cartons in' }),
    ),
    handling(
      'Devanning',
      ...[ContainerSize.TwentyFoot, ContainerSize.FortyFoot].map((size, i) =>
        fee([380, 620][i] as number, {
          when: { ...arriving, containerSizes: [size] },
          particulars: 'Devanning {containerNumber}',
        }),
      ),
    ),
    handling(
      'Handling out',
      at(0.9, RateMetric.UnitType, {
        ...unit('Carton'),
        ...whole,
        when: leaving,
        particulars: 'Cartons out',
      }),
      at(0.22, RateMetric.Quantity, { when: leaving, particulars: 'Single items out' }),
      untouchedFree,
    ),
    services('Work', task('WRAP', 7.5), task('LABEL', 0.6)),
    services('Material', used('Stretch film (m)', 0.4), used('Pallet', 19)),
    freight(
      'Freight by weight',
      at(0.32, RateMetric.WeightKG, { when: freightTo('North Island'), baseExclTax: 18, minExclTax: 35 }),
      at(0.55, RateMetric.WeightKG, { when: freightTo('South Island'), baseExclTax: 24, minExclTax: 48 }),
      at(0.28, RateMetric.WeightKG, { when: freightTo('Western Australia'), minExclTax: 30 }),
      broughtFree,
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

/** Electronics: items that get cheaper the more there are, serials, and space on average. */
function ratesOfElectronics(words: Vocabulary): object[] {
  const { unit, task, used, handling, services, storage, account, freight } = words
  return [
    handling(
      'Handling in',
      at(0.8, RateMetric.UnitType, {
        ...unit('Carton'),
        ...whole,
        when: arriving,
        particulars: 'Cartons in',
      }),
      at(0.15, RateMetric.Quantity, { when: arriving, particulars: 'Single items in' }),
      untouchedFree,
    ),
    handling('Picking', {
      ...{ metric: RateMetric.Quantity, application: Rate, when: leaving },
      breaks: {
        kind: RateBreaks.Progressive,
        bands: [
          { upTo: 24, rateExclTax: 0.85 },
          { upTo: 120, rateExclTax: 0.6 },
          { upTo: null, rateExclTax: 0.45 },
        ],
      },
    }),
    services('Serials', at(0.4, RateMetric.Serials, { when: leaving })),
    services('Work', task('WRAP', 8.5), task('LABEL', 0.75)),
    services('Material', used('Stretch film (m)', 0.4), used('Pallet', 19)),
    freight(
      'Freight',
      at(0.62, RateMetric.ChargeableWeightKG, {
        ...{ cubicKGPerM3: 250, baseExclTax: 15, minExclTax: 28 },
        when: { consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint] },
      }),
      broughtFree,
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
 * Everybody else: by the item and, for storage, by the month, half of it for what comes after its middle.
 * Nobody has thought of stretch film.
 */
function ratesOfOthers(words: Vocabulary): object[] {
  const { unit, task, used, handling, services, storage, account, freight } = words
  return [
    handling('Handling in', at(0.12, RateMetric.Quantity, { when: arriving, minExclTax: 20 })),
    handling('Handling out', at(0.28, RateMetric.Quantity, { when: leaving, minExclTax: 15 }), untouchedFree),
    services('Work', task('WRAP', 9), task('LABEL', 0.8)),
    services('Material', used('Pallet', 21)),
    freight(
      'Freight',
      at(0.45, RateMetric.WeightKG, {
        ...{ baseExclTax: 20, minExclTax: 40 },
        when: { consignmentTypes: [ConsignmentType.Outwards, ConsignmentType.PointToPoint] },
      }),
      broughtFree,
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

/** What carriers ask; of the others nobody has given the prices in, so that what they cost is not known. */
function carrierCards({ freightTo, express, cost }: Vocabulary): DemoCard[] {
  const byWeight = at(0.41, RateMetric.ChargeableWeightKG, {
    ...{ cubicKGPerM3: 250, minExclTax: 22 },
    // Who sends goods here pays the carrier.
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
