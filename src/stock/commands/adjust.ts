// Corrects how much stock there is: takes out missing goods and brings in goods that were found. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { roundTo } from '../../platform/decimal.ts'
import {
  collectEntryFaults,
  isFieldFault,
  type ReportEntryFault,
  type ReportFault,
} from '../../platform/http/entry-faults.ts'
import {
  Decimal,
  LocalTime,
  Name,
  named,
  optional,
  type Static,
  Text,
  Type,
  UtcTime,
  Uuid,
  VolumeM3,
  WeightKG,
} from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import type { StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import {
  descriptionFields,
  emptyDescription,
  findOrCreateAttributes,
  receivedDay,
  resolveDescription,
} from './goods-description.ts'
import {
  type IncomingGoods,
  planIncomingGoods,
  prepareIncomingMoves,
  startMovement,
} from './incoming-goods.ts'
import { findLocations, hasLocation, locationFields, unknownLocation } from './location-reference.ts'
import { lockSelectedStock, type SelectedStock } from './lock-selected-stock.ts'
import { planTake, type TakenPart, type TakeRequest } from './plan-take.ts'
import { numberOf, Serials, toItems } from './quantities.ts'
import { stockCommand } from './stock-command.ts'
import { findProducts } from './stock-products.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'
import { timeZonesOf } from './time-zones.ts'

const Adjustment = Type.Object({
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
type Adjustment = Static<typeof Adjustment>

/** Faults of entries whose fields do not go together. */
function adjustmentFaults(value: unknown): ValidationError[] {
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

export const adjustStock = [
  stockCommand({
    post: '/v1/inventory/adjust',
    name: 'adjustStock',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Correct how much stock there is',
    description:
      'A positive quantity is added; a negative one is taken out of what is not allocated. Select existing ' +
      'stock by warehouseProductId or stock. Describe found goods that have no row of stock yet by ' +
      'partnerProductId, warehouseId, their location or logistic unit, batch, dates and attributes.',
    bodyName: 'StockAdjustment',
    body: {
      adjustments: Type.Array(Adjustment, { minItems: 1, maxItems: 1_000, rule: adjustmentFaults }),
      reason: Name,
      particulars: optional(Text),
    },
    answer: named(
      'StockAdjusted',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        adjustments: Type.Array(Type.Object({ warehouseProductId: Uuid, quantity: Type.Number() })),
      }),
    ),
    async run({ tx, actor, body: { adjustments, reason, particulars }, source, occurredUtc }) {
      const { organisationId } = actor
      const { refuse, throwIfAny } = collectEntryFaults('adjustments')
      const attributeIds = await findOrCreateAttributes(
        tx,
        organisationId,
        adjustments.map(({ attributes }) => attributes),
      )
      const further = adjustments.flatMap(({ partnerProductId, warehouseId }) =>
        partnerProductId && warehouseId ? [{ productId: partnerProductId, warehouseId }] : [],
      )
      const entries = await lockSelectedStock(tx, organisationId, adjustments, further)
      const requests = toTakeRequests(adjustments, entries, refuse)
      const parts = await planTake(tx, organisationId, requests, { all: 'free' }, refuse)
      const goods = await resolveIncomingGoods(
        tx,
        adjustments,
        entries,
        { attributeIds, occurredUtc },
        refuse,
      )
      const plan = await planIncomingGoods(tx, entries.locked, goods, refuse)
      refuseExcessWeights(parts, adjustments, refuse)
      throwIfAny()
      const movement = startMovement(occurredUtc, MovementCause.Correction, reason, particulars ?? null)
      const incoming = await prepareIncomingMoves(tx, entries.locked, source.userId, plan, movement)
      const outgoing = parts.map((part): StockMove => ({ ...movement, ...toOutgoingMove(part, adjustments) }))
      const [posted] = await post(tx, entries.locked, source, [...outgoing, ...incoming])
      const results = [
        ...parts.map(({ n, row, quantity }) => ({ n, id: row.id, quantity: -quantity })),
        ...goods.map(({ n, quantity }, i) => ({ n, id: incoming[i]?.to as string, quantity })),
      ].toSorted((a, b) => a.n - b.n)
      return {
        movementId: movement.movementId,
        effectiveUtc: posted?.effectiveUtc as string,
        adjustments: results.map(({ id, quantity }) => ({
          warehouseProductId: id,
          quantity: numberOf(quantity),
        })),
      }
    },
  }),
]

/** The requests of the entries that take stock out of rows. */
const toTakeRequests = (
  adjustments: readonly Adjustment[],
  entries: SelectedStock,
  refuse: ReportEntryFault,
): TakeRequest[] =>
  adjustments.flatMap((entry, n): TakeRequest[] => {
    if (entry.partnerProductId) return []
    const row = entries.rowOf(n)
    if (isFieldFault(row)) refuse(n, ...row)
    else if (entry.quantity < 0) return [{ n, row, part: { ...entry, quantity: -entry.quantity } }]
    return []
  })

/**
 * The move of a part out of its row. If the whole row leaves, it takes all the remaining weight and volume,
 * and those in the entry are ignored.
 */
function toOutgoingMove({ n, row, quantity, items }: TakenPart, adjustments: readonly Adjustment[]) {
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
function refuseExcessWeights(
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

interface DescriptionContext {
  attributeIds: Awaited<ReturnType<typeof findOrCreateAttributes>>
  occurredUtc: string | null
}

/** Resolves the goods that entries add to existing rows or put into new ones. */
async function resolveIncomingGoods(
  tx: Tx,
  adjustments: readonly Adjustment[],
  entries: SelectedStock,
  { attributeIds, occurredUtc }: DescriptionContext,
  refuse: ReportEntryFault,
): Promise<IncomingGoods[]> {
  const { organisationId } = entries.locked
  const rowOf = (n: number) => {
    const row = adjustments[n]?.partnerProductId ? undefined : entries.rowOf(n)
    return isFieldFault(row) ? undefined : row
  }
  const added = adjustments.flatMap((entry, n) => (entry.quantity > 0 ? [{ entry, n, row: rowOf(n) }] : []))
  const productIdOf = ({ entry, row }: (typeof added)[number]) =>
    row?.productId ?? entry.partnerProductId ?? ''
  const products = await findProducts(
    tx,
    organisationId,
    added.map(productIdOf).filter(id => id !== ''),
  )
  const zones = await timeZonesOf(
    tx,
    organisationId,
    added.flatMap(({ entry }) => entry.warehouseId ?? []),
  )
  const referenceOf = ({ entry }: (typeof added)[number]) => ({
    ...entry,
    warehouseId: entry.warehouseId ?? '',
  })
  const locationOf = await findLocations(
    tx,
    organisationId,
    added.filter(({ entry }) => entry.warehouseId).map(referenceOf),
  )
  return added.flatMap((addition): IncomingGoods[] => {
    const { entry, n, row } = addition
    if (!row && !entry.partnerProductId) return []
    const product = products.get(productIdOf(addition))
    if (product === undefined) {
      refuse(n, `there is no product ${entry.partnerProductId}`, 'unknown_reference')
      return []
    }
    const refuseEntry: ReportFault = (...fault) => refuse(n, ...fault)
    const quantity = toItems(product, entry, refuseEntry)
    if (quantity === undefined) return []
    const goods = { n, product, quantity, ...serialsAndWeights(entry) }
    if (row) return [{ ...goods, to: { warehouseProductId: row.id } }]
    const reference = referenceOf(addition)
    const timezoneId = zones.get(reference.warehouseId)
    const location = hasLocation(reference) ? locationOf(reference) : null
    if (timezoneId === undefined) refuse(n, `there is no warehouse ${entry.warehouseId}`, 'unknown_reference')
    else if (location === undefined) refuse(n, ...unknownLocation(reference))
    if (timezoneId === undefined || location === undefined) return []
    const to = {
      ...resolveDescription(entry, emptyDescription, { timezoneId, attributeIds }, refuseEntry),
      warehouseId: reference.warehouseId,
      location,
      unit: entry.logisticUnit ?? null,
      mayCreateUnit: false,
      hold: null,
      receivedDate: receivedDay(entry.receivedDate, timezoneId, occurredUtc, refuseEntry),
    }
    return [{ ...goods, to }]
  })
}

/** The serials, weight and volume that an entry gives for its goods. */
const serialsAndWeights = ({ serials, weightKG, volumeM3 }: Adjustment) => ({
  serials: (serials ?? []).map(serial => ({ serial })),
  weightKG: weightKG ?? null,
  volumeM3: volumeM3 ?? null,
})
