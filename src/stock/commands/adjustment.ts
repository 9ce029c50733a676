// The entries of a request to adjust stock, and what they take out of rows. Spec 2.14.

import { roundTo } from '../../platform/decimal.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import {
  Decimal,
  LocalTime,
  optional,
  type Static,
  Type,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import { descriptionFields } from './goods-description.ts'
import { locationFields } from './location-reference.ts'
import type { TakenPart } from './plan-take.ts'
import { Serials } from './quantities.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'

export const Adjustment = Type.Object({
  ...stockFields,
  warehouseId: optional({
    ...Uuid,
    description: 'Only with partnerProductId, for goods that are not in stock yet.',
  }),
  partnerProductId: optional(Uuid),
  ...locationFields,
  logisticUnit: optional(UnitReference),
  ...descriptionFields,
  receivedDate: optional({ ...LocalTime, description: 'Only the day; default the day of the adjustment.' }),
  quantity: Decimal(4),
  unitTypeId: optional({ ...Uuid, description: 'The unit of quantity; default items.' }),
  serials: optional(Serials),
  weightKG: optional({ ...WeightKG, description: 'The weight of the whole quantity.' }),
  volumeM3: optional({ ...VolumeM3, description: 'The volume of the whole quantity.' }),
})
export type Adjustment = Static<typeof Adjustment>

/** Faults of entries whose fields do not go together. */
export function adjustmentFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { partnerProductId, warehouseId, quantity, ...rest } = (entry ?? {}) as Adjustment
    const zeroFaults =
      quantity === 0 ? [{ path: `[${i}].quantity`, problem: 'must not be 0', code: 'range' as const }] : []
    if (!partnerProductId) return [...zeroFaults, ...selectorFaults(`[${i}]`, rest)]
    if (rest.warehouseProductId || rest.stock)
      return [...zeroFaults, { path: `[${i}]`, problem: 'must name its stock in one way' }]
    if (quantity < 0)
      return [
        {
          path: `[${i}].quantity`,
          problem: 'must be more than 0 of goods that are named by what they are',
          code: 'range',
        },
      ]
    return warehouseId
      ? zeroFaults
      : [
          ...zeroFaults,
          { path: `[${i}].warehouseId`, problem: 'is required with partnerProductId', code: 'required' },
        ]
  })
}

/**
 * The move of a part out of its row. If the whole row leaves, it takes all the remaining weight and volume,
 * and those in the entry are ignored.
 */
export function toOutgoingMove({ n, row, quantity, items }: TakenPart, adjustments: readonly Adjustment[]) {
  const { weightKG = null, volumeM3 = null } = adjustments[n] ?? {}
  return {
    type: TransactionType.Adjustment,
    cause: MovementCause.Correction,
    from: row.id,
    to: null,
    quantity,
    items,
    ...(quantity === row.onHand ? {} : { weightKG, volumeM3 }),
  }
}

/**
 * Refuses parts of a row that together weigh more than the row, or fill more. Also refuses a weight or volume
 * if several parts together empty the row, because they must then add up to exactly that of the row.
 */
export function refuseExcessWeights(
  allParts: readonly TakenPart[],
  adjustments: readonly Adjustment[],
  refuse: ReportEntryFault,
): void {
  for (const parts of Map.groupBy(allParts, ({ row }) => row.id).values()) {
    const { row } = parts[0] as TakenPart
    const entries = parts.map(({ n }) => adjustments[n] as Adjustment)
    const isEmptied =
      parts.length > 1 && parts.reduce((sum, { quantity }) => sum + quantity, 0n) === row.onHand
    const weight = entries.reduce((sum, { weightKG }) => sum + roundTo(4, weightKG ?? 0), 0n)
    const volume = entries.reduce((sum, { volumeM3 }) => sum + roundTo(6, volumeM3 ?? 0), 0n)
    const isMeasured = entries.some(({ weightKG, volumeM3 }) => weightKG != null || volumeM3 != null)
    const { n } = parts.at(-1) as TakenPart
    if (isEmptied && isMeasured)
      refuse(n, 'nothing is left of the row, so say no weight or volume', 'invalid')
    else if (weight > roundTo(4, row.onHandWeightKG))
      refuse(n, `all of the row weighs only ${row.onHandWeightKG} kg`, 'range')
    else if (volume > roundTo(6, row.onHandVolumeM3))
      refuse(n, `all of the row fills only ${row.onHandVolumeM3} m³`, 'range')
  }
}

/** The serials, weight and volume that an entry gives for its goods. */
export const serialsAndWeights = ({ serials, weightKG, volumeM3 }: Adjustment) => ({
  serials: (serials ?? []).map(serial => ({ serial })),
  weightKG: weightKG ?? null,
  volumeM3: volumeM3 ?? null,
})
