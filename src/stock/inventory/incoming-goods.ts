// Goods that come into stock without a consignment: found, or there from the beginning. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, divide, scale } from '../../platform/decimal.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../enumerations.ts'
import { type NewSerial, oneItem, type StockMove } from '../ledger/movement.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import { findOrCreateRows, type StockDescription, type StockIdentity } from '../ledger/stock-row.ts'
import { createAndPlaceUnits, resolveTargetUnits, type TargetUnit } from '../logistic-units/target-units.ts'
import { decideUnitLocation } from '../logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { findLocations, placementRefusal, type StockLocation } from './location-reference.ts'
import { type HoldInput, makeHolds } from './make-holds.ts'
import { repeatedSerials, serialFaults } from './quantities.ts'
import { refuseSerialsInStock } from './serials-in-stock.ts'
import { missingFaults, type StockProduct } from './stock-products.ts'

/** Goods of an entry. */
export interface IncomingGoods {
  n: number
  product: StockProduct
  /** ten-thousandths */
  quantity: bigint
  serials: readonly NewSerial[]
  /** of all of it; what the product weighs, where it is not said */
  weightKG: number | null
  volumeM3: number | null
  /** the row that they join, or where they lie and what they are */
  to: { warehouseProductId: string } | Placement
}

/** Where goods lie and what they are. */
export interface Placement extends StockDescription {
  warehouseId: string
  /** the location that is named; null where the unit says it */
  location: StockLocation | null
  unit: UnitReference | null
  /** the unit is made where there is none */
  mayCreateUnit: boolean
  hold: HoldInput | null
  receivedDate: string
}

/** Goods that can come in, with the units that they are put on. */
export interface IncomingPlan {
  goods: readonly IncomingGoods[]
  places: readonly ({ warehouseLocationId: string; filled: TargetUnit | null } | null)[]
}

/**
 * Checks goods under the lock, and locks their units: an empty one is moved without any stock's. `refuse` is
 * told what is wrong with each.
 */
export async function planIncoming(
  tx: Tx,
  locked: LockedStock,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<IncomingPlan> {
  for (const { n, product, quantity, serials, to } of goods) {
    const names = serials.map(({ serial }) => serial)
    for (const problem of serialFaults(product, quantity, names)) refuse(n, ...problem)
    if ('receivedDate' in to) for (const problem of missingFaults(product, to)) refuse(n, ...problem)
  }
  const repeated = repeatedSerials(
    goods.map(({ product, serials }) => ({
      productId: product.id,
      serials: serials.map(({ serial }) => serial),
    })),
  )
  const refuseOf: ReportEntryFault = (i, ...problem) => refuse((goods[i] as IncomingGoods).n, ...problem)
  for (const { entry, serial } of repeated)
    refuseOf(entry, `the serial ${serial} is given twice`, 'duplicate')
  const incoming = goods.map(({ product: { id: productId, code: productCode }, serials }) => ({
    productId,
    productCode,
    serials,
  }))
  await refuseSerialsInStock(tx, locked.organisationId, incoming, refuseOf)
  await lockUnits(tx, locked.organisationId, {
    ofRows: goods.flatMap(({ to }) => ('receivedDate' in to ? [] : [to.warehouseProductId])),
    named: goods.flatMap(({ to, product: { partnerId } }) =>
      'receivedDate' in to && to.unit ? [{ partnerId, unit: to.unit }] : [],
    ),
  })
  await refuseEmptyRows(tx, locked.organisationId, goods, refuse)
  return { goods, places: await findPlaces(tx, locked, goods, refuse) }
}

/**
 * Refuses to fill an empty row where its goods could not be put now: its unit stands elsewhere, its location
 * takes nothing, or it was held and its hold may be over. As long as something lies in a row, none of that
 * can be.
 */
async function refuseEmptyRows(
  tx: Tx,
  organisationId: string,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<void> {
  const joined = goods.flatMap(({ n, product, to }) =>
    'receivedDate' in to ? [] : [{ n, product, id: to.warehouseProductId }],
  )
  if (joined.length === 0) return
  const isEmpty = sql`p.organisation_id = ${organisationId} and p.id = any(${joined.map(({ id }) => id)})
    and p.is_depleted`
  const rows = await tx.rows<EmptyRow>(sql`
    select p.id, p.warehouse_id, p.warehouse_location_id, p.inventory_hold_id is not null as is_held,
      u.logistic_unit_number, u.warehouse_location_id <> p.warehouse_location_id as is_elsewhere
    from warehouse_product p
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where ${isEmpty}`)
  const find = await findLocations(tx, organisationId, rows)
  const byId = new Map(rows.map(row => [row.id, row]))
  for (const { n, product, id } of joined) {
    const row = byId.get(id)
    const location = row && find(row)
    if (!location) continue
    const refusal = placementRefusal(location, product.id)
    if (refusal) refuse(n, `${location.name} ${refusal}`, 'state')
    if (row.isElsewhere)
      refuse(
        n,
        `the logistic unit ${row.logisticUnitNumber} does not stand in ${location.name} any more`,
        'state',
      )
    if (row.isHeld)
      refuse(n, `nothing is left of what was held in ${location.name}, so add it without the hold`, 'state')
  }
}

interface EmptyRow {
  id: string
  warehouseId: string
  warehouseLocationId: string
  isHeld: boolean
  logisticUnitNumber: string | null
  isElsewhere: boolean | null
}

/** Where goods come to lie: in their location, or where their unit stands. Null for what joins a row. */
async function findPlaces(
  tx: Tx,
  locked: LockedStock,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<IncomingPlan['places']> {
  const wishes = goods.map(({ to, product: { partnerId, gs1CompanyPrefix } }) =>
    'receivedDate' in to && to.unit
      ? {
          unit: to.unit,
          partnerId,
          warehouseId: to.warehouseId,
          mayBeMade: to.mayCreateUnit,
          gs1CompanyPrefix,
        }
      : null,
  )
  const units = await resolveTargetUnits(tx, locked, wishes, (i, ...fault) =>
    refuse((goods[i] as IncomingGoods).n, ...fault),
  )
  const places = goods.map(({ n, to }, i) => {
    if (!('receivedDate' in to)) return null
    const filled = units[i] ?? null
    const wanted = to.location?.id ?? null
    if (to.unit) {
      const at = filled && decideUnitLocation(filled, wanted, null, (...fault) => refuse(n, ...fault))
      return at ? { warehouseLocationId: at, filled } : null
    }
    if (wanted === null)
      refuse(n, 'say where it is, by warehouseLocationId, locationName or logisticUnit', 'required')
    return wanted === null ? null : { warehouseLocationId: wanted, filled: null }
  })
  const find = await findLocations(
    tx,
    locked.organisationId,
    goods.flatMap(({ to }, i) => {
      const place = places[i]
      return place && 'receivedDate' in to
        ? [{ warehouseId: to.warehouseId, ...place, filled: undefined }]
        : []
    }),
  )
  for (const [i, { n, to, product }] of goods.entries()) {
    const place = places[i]
    if (!place || !('receivedDate' in to)) continue
    const location = find({ warehouseId: to.warehouseId, warehouseLocationId: place.warehouseLocationId })
    const refusal = location && placementRefusal(location, product.id)
    if (refusal) refuse(n, `${location.name} ${refusal}`, 'state')
  }
  return places
}

/** What the moves of one act have in common. */
type MovementFacts = Pick<StockMove, 'movementId' | 'occurredUtc' | 'reason' | 'particulars'>

/**
 * Makes the units, holds and rows of goods, and returns the moves that bring them in, in the order of the
 * goods. Goods that are held alike are in one hold.
 */
export async function prepareIncomingMoves(
  tx: Tx,
  locked: LockedStock,
  userId: string | null,
  { goods, places }: IncomingPlan,
  facts: MovementFacts,
): Promise<(StockMove & { to: string })[]> {
  const holds = new Map<string, HoldInput>()
  const holdKeys = goods.map(({ to }) => {
    if (!('receivedDate' in to) || to.hold === null) return null
    const key = JSON.stringify(to.hold)
    holds.set(key, to.hold)
    return key
  })
  const made = await makeHolds(tx, locked.organisationId, userId, [...holds.values()])
  const holdIds = new Map([...holds.keys()].map((key, i) => [key, made[i] as string]))
  const filled = await createAndPlaceUnits(tx, locked, new Set(places.flatMap(place => place?.filled ?? [])))
  const identities = goods.flatMap(({ to, product }, i): StockIdentity[] => {
    const place = places[i]
    if (!('receivedDate' in to) || !place) return []
    const { warehouseId, location: _, unit, mayCreateUnit, hold, ...description } = to
    return [
      {
        ...description,
        warehouseId,
        partnerId: product.partnerId,
        productId: product.id,
        warehouseLocationId: place.warehouseLocationId,
        logisticUnitId: place.filled ? (filled.get(place.filled) as string) : null,
        inventoryHoldId: holdIds.get(holdKeys[i] ?? '') ?? null,
      },
    ]
  })
  const rows = (await findOrCreateRows(tx, locked, identities)).values()
  return goods.map(({ quantity, serials, to, ...one }) => ({
    ...facts,
    type: TransactionType.Adjustment,
    from: null,
    to: 'receivedDate' in to ? (rows.next().value as string) : to.warehouseProductId,
    quantity,
    weightKG: one.weightKG ?? measureOf(4, one.product.weightKG, quantity),
    volumeM3: one.volumeM3 ?? measureOf(6, one.product.volumeM3, quantity),
    newSerials: serials,
  }))
}

/** What a quantity weighs or fills by what one item does, rounded to so many places. */
const measureOf = (places: number, ofItem: number | null, quantity: bigint): number =>
  ofItem === null ? 0 : Number(decimalText(places, divide(scale(places, ofItem) * quantity, oneItem)))

/** The id of a new movement, and what its lines say. */
export const newMovementFacts = (
  occurredUtc: string | null,
  reason: string,
  particulars: string | null = null,
): MovementFacts & { movementId: string } => ({ movementId: newId(), occurredUtc, reason, particulars })
