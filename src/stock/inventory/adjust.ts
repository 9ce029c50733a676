// Correcting how much is there: goods that are missing go, goods that were found come in. Spec 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { collectEntryFaults, isProblem, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
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
import type { Finding } from '../../platform/http/validation.ts'
import { TransactionType } from '../enumerations.ts'
import type { StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import {
  descriptionFields,
  emptyDescription,
  findAttributes,
  localDay,
  resolveDescription,
} from './goods-description.ts'
import { type IncomingGoods, newMovementFacts, planIncoming, prepareIncomingMoves } from './incoming-goods.ts'
import { findLocations, hasLocation, locationFields, unknownLocation } from './location-reference.ts'
import { type LockedEntries, lockEntries } from './lock-entries.ts'
import { numberOf, Serials, toItems } from './quantities.ts'
import { stockCommand } from './stock-command.ts'
import { findProducts } from './stock-products.ts'
import { selectorFaults, stockFields } from './stock-selector.ts'
import { type TakenPart, type TakeRequest, take } from './take.ts'
import { timeZonesOf } from './time-zones.ts'

const Adjustment = Type.Object({
  ...stockFields,
  warehouseId: optional({
    ...Uuid,
    description: 'of goods that are not in stock yet, with partnerProductId',
  }),
  partnerProductId: optional(Uuid),
  ...locationFields,
  logisticUnit: optional(UnitReference),
  ...descriptionFields,
  receivedDate: optional({ ...LocalTime, description: 'the day; default the day of the adjustment' }),
  quantity: Decimal(4),
  unitTypeId: optional({ ...Uuid, description: 'the unit that quantity is in; items, where it is left out' }),
  serials: optional(Serials),
  weightKG: optional({ ...WeightKG, description: 'of all of it' }),
  volumeM3: optional({ ...VolumeM3, description: 'of all of it' }),
})
type Adjustment = Static<typeof Adjustment>

/** What an entry must say, and must not. */
function adjustmentFaults(value: unknown): Finding[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { partnerProductId, warehouseId, quantity, ...rest } = (entry ?? {}) as Adjustment
    const isNone =
      quantity === 0 ? [{ path: `[${i}].quantity`, problem: 'must not be 0', code: 'range' as const }] : []
    if (!partnerProductId) return [...isNone, ...selectorFaults(`[${i}]`, rest)]
    if (rest.warehouseProductId || rest.stock)
      return [...isNone, { path: `[${i}]`, problem: 'must name its stock in one way' }]
    if (quantity < 0)
      return [
        {
          path: `[${i}].quantity`,
          problem: 'must be more than 0 of goods that are named by what they are',
          code: 'range',
        },
      ]
    return warehouseId
      ? isNone
      : [
          ...isNone,
          { path: `[${i}].warehouseId`, problem: 'is required with partnerProductId', code: 'required' },
        ]
  })
}

export const adjust = [
  stockCommand({
    post: '/v1/inventory/adjust',
    name: 'adjustStock',
    scope: 'inventory',
    summary: 'Correct how much stock there is',
    description:
      'quantity is what is added, and below 0 what is taken out of what is not allocated. Stock that is ' +
      'there is named by warehouseProductId or stock; goods that were found where none were, by ' +
      'partnerProductId, warehouseId, their place or unit, and what they are.',
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
      const attributeIds = await findAttributes(
        tx,
        organisationId,
        adjustments.map(({ attributes }) => attributes),
      )
      const further = adjustments.flatMap(({ partnerProductId, warehouseId }) =>
        partnerProductId && warehouseId
          ? [{ productId: partnerProductId.toLowerCase(), warehouseId: warehouseId.toLowerCase() }]
          : [],
      )
      const all = await lockEntries(tx, organisationId, adjustments, further)
      const wanted = toTakeRequests(adjustments, all, refuse)
      const takings = await take(tx, organisationId, wanted, { all: 'free' }, refuse)
      const found = await resolveIncomingGoods(tx, adjustments, all, { attributeIds, occurredUtc }, refuse)
      const plan = await planIncoming(tx, all.locked, found, refuse)
      refuseExcessWeights(takings, adjustments, refuse)
      throwIfAny()
      const facts = newMovementFacts(occurredUtc, reason, particulars ?? null)
      const incoming = await prepareIncomingMoves(tx, all.locked, source.userId, plan, facts)
      const outgoing = takings.map(
        (taking): StockMove => ({ ...facts, ...toOutgoingMove(taking, adjustments) }),
      )
      const [posted] = await post(tx, all.locked, source, [...outgoing, ...incoming])
      const told = [
        ...takings.map(({ n, row, quantity }) => ({ n, id: row.id, quantity: -quantity })),
        ...found.map(({ n, quantity }, i) => ({ n, id: incoming[i]?.to as string, quantity })),
      ].toSorted((one, other) => one.n - other.n)
      return {
        movementId: facts.movementId,
        effectiveUtc: posted?.effectiveUtc as string,
        adjustments: told.map(({ id, quantity }) => ({
          warehouseProductId: id,
          quantity: numberOf(quantity),
        })),
      }
    },
  }),
]

/** What entries take out of rows. */
const toTakeRequests = (
  adjustments: readonly Adjustment[],
  all: LockedEntries,
  refuse: ReportEntryFault,
): TakeRequest[] =>
  adjustments.flatMap((entry, n): TakeRequest[] => {
    if (entry.partnerProductId) return []
    const row = all.rowOf(n)
    if (isProblem(row)) refuse(n, ...row)
    else if (entry.quantity < 0) return [{ n, row, part: { ...entry, quantity: -entry.quantity } }]
    return []
  })

/** What leaves a row. The last of it takes what is left of the weight, whatever is said. */
function toOutgoingMove({ n, row, quantity, items }: TakenPart, adjustments: readonly Adjustment[]) {
  const { weightKG = null, volumeM3 = null } = adjustments[n] ?? {}
  return {
    type: TransactionType.Adjustment,
    from: row.id,
    to: null,
    quantity,
    items,
    ...(quantity === row.onHand ? {} : { weightKG, volumeM3 }),
  }
}

/** A part of a row cannot weigh more than the row, nor all of it in parts less. */
function refuseExcessWeights(
  takings: readonly TakenPart[],
  adjustments: readonly Adjustment[],
  refuse: ReportEntryFault,
): void {
  for (const parts of Map.groupBy(takings, ({ row }) => row.id).values()) {
    const { row } = parts[0] as TakenPart
    const entries = parts.map(({ n }) => adjustments[n] as Adjustment)
    const isAll = parts.length > 1 && parts.reduce((sum, { quantity }) => sum + quantity, 0n) === row.onHand
    const weight = entries.reduce((sum, { weightKG }) => sum + (weightKG ?? 0), 0)
    const volume = entries.reduce((sum, { volumeM3 }) => sum + (volumeM3 ?? 0), 0)
    const isTold = entries.some(({ weightKG, volumeM3 }) => weightKG != null || volumeM3 != null)
    const { n } = parts.at(-1) as TakenPart
    if (isAll && isTold) refuse(n, 'nothing is left of the row, so say no weight or volume', 'invalid')
    else if (weight > row.onHandWeightKG)
      refuse(n, `all of the row weighs only ${row.onHandWeightKG} kg`, 'range')
    else if (volume > row.onHandVolumeM3)
      refuse(n, `all of the row fills only ${row.onHandVolumeM3} m³`, 'range')
  }
}

interface DescriptionContext {
  attributeIds: Awaited<ReturnType<typeof findAttributes>>
  occurredUtc: string | null
}

/** The goods that entries add, to rows that are there or where none were. */
async function resolveIncomingGoods(
  tx: Tx,
  adjustments: readonly Adjustment[],
  all: LockedEntries,
  { attributeIds, occurredUtc }: DescriptionContext,
  refuse: ReportEntryFault,
): Promise<IncomingGoods[]> {
  const { organisationId } = all.locked
  const rowOf = (n: number) => {
    const row = adjustments[n]?.partnerProductId ? undefined : all.rowOf(n)
    return isProblem(row) ? undefined : row
  }
  const added = adjustments.flatMap((entry, n) => (entry.quantity > 0 ? [{ entry, n, row: rowOf(n) }] : []))
  const productIdOf = ({ entry, row }: (typeof added)[number]) =>
    row?.productId ?? entry.partnerProductId?.toLowerCase() ?? ''
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
  const placeOf = ({ entry }: (typeof added)[number]) => ({
    ...entry,
    warehouseId: entry.warehouseId?.toLowerCase() ?? '',
  })
  const find = await findLocations(
    tx,
    organisationId,
    added.filter(({ entry }) => entry.warehouseId).map(placeOf),
  )
  return added.flatMap((one): IncomingGoods[] => {
    const { entry, n, row } = one
    if (!row && !entry.partnerProductId) return []
    const product = products.get(productIdOf(one))
    if (product === undefined) {
      refuse(n, `there is no product ${entry.partnerProductId}`, 'unknown_reference')
      return []
    }
    const quantity = toItems(product, entry, (...fault) => refuse(n, ...fault))
    if (quantity === undefined) return []
    const goods = { n, product, quantity, ...serialsAndWeights(entry) }
    if (row) return [{ ...goods, to: { warehouseProductId: row.id } }]
    const reference = placeOf(one)
    const timezoneId = zones.get(reference.warehouseId)
    const location = hasLocation(reference) ? find(reference) : null
    if (timezoneId === undefined) refuse(n, `there is no warehouse ${entry.warehouseId}`, 'unknown_reference')
    else if (location === undefined) refuse(n, ...unknownLocation(reference))
    if (timezoneId === undefined || location === undefined) return []
    const to = {
      ...resolveDescription(entry, emptyDescription, { timezoneId, attributeIds }, (...fault) =>
        refuse(n, ...fault),
      ),
      warehouseId: reference.warehouseId,
      location,
      unit: entry.logisticUnit ?? null,
      mayCreateUnit: false,
      hold: null,
      receivedDate: entry.receivedDate?.slice(0, 10) ?? localDay(timezoneId, occurredUtc),
    }
    return [{ ...goods, to }]
  })
}

/** Serials and weights of what was found, as an entry says them. */
const serialsAndWeights = ({ serials, weightKG, volumeM3 }: Adjustment) => ({
  serials: (serials ?? []).map(serial => ({ serial })),
  weightKG: weightKG ?? null,
  volumeM3: volumeM3 ?? null,
})
