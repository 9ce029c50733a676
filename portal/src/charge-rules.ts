// Which fields and conditions a charge can have, by the kind of its rate and by what it is measured by.

import { RateBasis, RateBreaks, RateKind, RateMetric } from '../../client/src/waybill.ts'
import type { Rate, RateCharge, SelectorName } from './words/rate-charges.ts'

const ofConsignments: readonly SelectorName[] = [
  ...([
    'consignmentTypes',
    'serviceTypeIds',
    'carrierIds',
    'originLocalityIds',
    'destinationLocalityIds',
  ] as const),
  ...([
    'warehouseIds',
    'priorities',
    'isContainerised',
    'containerSizes',
    'containerTypes',
    'weekdays',
  ] as const),
]
const ofGoods: readonly SelectorName[] = [
  ...(['productIds', 'productGroupIds', 'productAttributes', 'dgHazardClassIds'] as const),
]
const ofPlaces: readonly SelectorName[] = ['warehouseIds', 'zoneIds', 'locationIds', 'locationTypes']

const isFreightKind = (kind: number) => kind === RateKind.ClientFreight || kind === RateKind.CarrierFreight

/** The conditions that a charge can have. Only the products of one client can be named. */
export function selectorsOf(
  { kind, basis }: Pick<Rate, 'kind' | 'basis'>,
  { metric }: RateCharge,
  hasProducts: boolean,
): readonly SelectorName[] {
  if (kind === RateKind.Periodic) return []
  const goods = ofGoods.filter(name => name !== 'productIds' || hasProducts)
  if (kind === RateKind.Storage) return [...ofPlaces, ...goods]
  if (metric === RateMetric.TaskValue) return ['taskTypeIds', ...ofConsignments]
  if (metric === RateMetric.ConsumableValue) return ['consumableTypeIds', ...ofConsignments]
  return basis === RateBasis.Product ? [...ofConsignments, ...goods, 'packageTypeCodes'] : ofConsignments
}

/** The conditions that a metric demands. */
export const isDemanded = (name: SelectorName): boolean =>
  name === 'taskTypeIds' || name === 'consumableTypeIds'

const ofStorage: readonly number[] = [
  ...[RateMetric.Quantity, RateMetric.WeightKG, RateMetric.VolumeM3, RateMetric.VirtualPallet],
  ...[RateMetric.UnitType, RateMetric.LogisticUnits, RateMetric.Locations],
]
const ofLines: readonly number[] = [
  ...[RateMetric.Quantity, RateMetric.WeightKG, RateMetric.VolumeM3, RateMetric.VirtualPallet],
  ...[RateMetric.UnitType, RateMetric.Lines, RateMetric.LogisticUnits, RateMetric.Serials],
  RateMetric.ChargeableWeightKG,
]

/** What the charges of a kind of rate can be measured by. */
export function metricsOf(kind: number): readonly RateCharge['metric'][] {
  const all = Object.values(RateMetric)
  if (kind === RateKind.Periodic) return [RateMetric.Consignment]
  return all.filter(metric =>
    kind === RateKind.Storage ? ofStorage.includes(metric) : metric !== RateMetric.Locations,
  )
}

/** What a charge can have beside its price. */
export function partsOf({ kind, basis }: Pick<Rate, 'kind' | 'basis'>, { metric, breaks }: RateCharge) {
  const isOfUnits = metric === RateMetric.UnitType || metric === RateMetric.VirtualPallet
  return {
    hasApplication: kind !== RateKind.Periodic,
    hasMetric: kind !== RateKind.Periodic,
    hasUnit: metric === RateMetric.UnitType,
    hasCascade: isOfUnits && kind !== RateKind.Storage,
    hasCubic: metric === RateMetric.ChargeableWeightKG,
    hasRounding: kind !== RateKind.Periodic && metric !== RateMetric.Consignment,
    hasProducts: basis === RateBasis.Product && ofLines.includes(metric),
    hasStorage: kind === RateKind.Storage,
    isFreight: isFreightKind(kind),
    hasBands: breaks != null && breaks.kind !== RateBreaks.None,
    isProgressive: breaks?.kind === RateBreaks.Progressive,
  }
}
