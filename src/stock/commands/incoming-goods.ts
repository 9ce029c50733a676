// Goods that come into stock without a consignment: found in the warehouse, or part of an opening balance.
// Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, divide, scale } from '../../platform/decimal.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { type MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { type NewSerial, oneItem, type StockMove } from '../ledger/movement.ts'
import { findOrCreateStockRows, type StockDescription, type StockIdentity } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import {
  createAndMoveUnits,
  type DestinationUnit,
  resolveDestinationUnits,
} from '../logistic-units/destination-units.ts'
import { resolveUnitLocation } from '../logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { createHolds, type HoldInput } from './create-holds.ts'
import { refuseDuplicateSerials } from './duplicate-serials.ts'
import { findLocations, inactiveRefusal, placementRefusal, type StockLocation } from './location-reference.ts'
import { repeatedSerials, serialFaults } from './quantities.ts'
import { missingFieldFaults, type StockProduct } from './stock-products.ts'

/** The goods of one entry. `n` is the index of the entry. */
export interface IncomingGoods {
  n: number
  product: StockProduct
  /** ten-thousandths */
  quantity: bigint
  serials: readonly NewSerial[]
  /** weight of the whole quantity in kg; null: computed from the product */
  weightKG: number | null
  /** volume of the whole quantity in m³; null: computed from the product */
  volumeM3: number | null
  /** the row that they are added to, or where to put them and how to describe them */
  to: { warehouseProductId: string } | Placement
  /** whether a count found them there, so that it does not matter what the place is for */
  isFound?: true
}

/** Where goods are put, and how they are described. */
export interface Placement extends StockDescription {
  warehouseId: string
  /** the location that the entry names; null: the location of the unit */
  location: StockLocation | null
  unit: UnitReference | null
  /** whether the unit is created if it does not exist */
  mayCreateUnit: boolean
  hold: HoldInput | null
  receivedDate: string
}

/** Checked goods, with the location and unit that each is put on; null for goods that are added to a row. */
export interface IncomingGoodsPlan {
  goods: readonly IncomingGoods[]
  places: readonly ({ warehouseLocationId: string; targetUnit: DestinationUnit | null } | null)[]
}

/**
 * Checks goods under the stock lock. It also locks their logistic units, because the stock lock does not
 * protect an empty unit from being moved. Problems are reported to `refuse`.
 */
export async function planIncomingGoods(
  tx: Tx,
  locked: LockedStock,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<IncomingGoodsPlan> {
  for (const { n, product, quantity, serials, to } of goods) {
    const serialTexts = serials.map(({ serial }) => serial)
    for (const problem of serialFaults(product, quantity, serialTexts)) refuse(n, ...problem)
    if ('receivedDate' in to) for (const problem of missingFieldFaults(product, to)) refuse(n, ...problem)
  }
  const repeated = repeatedSerials(
    goods.map(({ product, serials }) => ({
      productId: product.id,
      serials: serials.map(({ serial }) => serial),
    })),
  )
  const refuseGoods: ReportEntryFault = (i, ...problem) => refuse((goods[i] as IncomingGoods).n, ...problem)
  for (const { entry, serial } of repeated)
    refuseGoods(entry, `the serial ${serial} is listed twice`, 'duplicate')
  const incoming = goods.map(({ product: { id: productId, code: productCode }, serials }) => ({
    productId,
    productCode,
    serials,
  }))
  await refuseDuplicateSerials(tx, locked.organisationId, incoming, refuseGoods)
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
 * Refuses to add goods to an empty row that could not be created now, because its unit has moved, its
 * location does not accept goods, or its hold may be over. None of this can happen to a row with stock in it.
 */
async function refuseEmptyRows(
  tx: Tx,
  organisationId: string,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<void> {
  const joined = goods.flatMap(({ n, product, to, isFound }) =>
    'receivedDate' in to ? [] : [{ n, product, id: to.warehouseProductId, isFound }],
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
  const locationOf = await findLocations(tx, organisationId, rows)
  const byId = new Map(rows.map(row => [row.id, row]))
  for (const { n, product, id, isFound } of joined) {
    const row = byId.get(id)
    const location = row && locationOf(row)
    if (!location) continue
    const refusal = isFound ? inactiveRefusal(location) : placementRefusal(location, product.id)
    if (refusal) refuse(n, `${location.name} ${refusal}`, 'wrong_place')
    if (row.isElsewhere)
      refuse(
        n,
        `the logistic unit ${row.logisticUnitNumber} does not stand in ${location.name} any more`,
        'wrong_place',
      )
    if (row.isHeld)
      refuse(
        n,
        `nothing is left of what was held in ${location.name}, so add it without the hold`,
        'not_here',
      )
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

/** Finds where goods are put: their own location or that of their unit. Null for goods that join a row. */
async function findPlaces(
  tx: Tx,
  locked: LockedStock,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<IncomingGoodsPlan['places']> {
  const unitRequests = goods.map(({ to, product: { partnerId, gs1CompanyPrefix } }) =>
    'receivedDate' in to && to.unit
      ? {
          unit: to.unit,
          partnerId,
          warehouseId: to.warehouseId,
          mayBeCreated: to.mayCreateUnit,
          gs1CompanyPrefix,
        }
      : null,
  )
  const units = await resolveDestinationUnits(tx, locked, unitRequests, (i, ...fault) =>
    refuse((goods[i] as IncomingGoods).n, ...fault),
  )
  const places = goods.map(({ n, to }, i) => {
    if (!('receivedDate' in to)) return null
    const targetUnit = units[i] ?? null
    const locationId = to.location?.id ?? null
    if (to.unit) {
      const unitLocationId =
        targetUnit && resolveUnitLocation(targetUnit, locationId, null, (...fault) => refuse(n, ...fault))
      return unitLocationId ? { warehouseLocationId: unitLocationId, targetUnit } : null
    }
    if (locationId === null)
      refuse(n, 'say where it is, by warehouseLocationId, locationName or logisticUnit', 'required')
    return locationId === null ? null : { warehouseLocationId: locationId, targetUnit: null }
  })
  const locationOf = await findLocations(
    tx,
    locked.organisationId,
    goods.flatMap(({ to }, i) => {
      const place = places[i]
      return place && 'receivedDate' in to
        ? [{ warehouseId: to.warehouseId, warehouseLocationId: place.warehouseLocationId }]
        : []
    }),
  )
  for (const [i, { n, to, product, isFound }] of goods.entries()) {
    const place = places[i]
    if (!place || !('receivedDate' in to)) continue
    const { warehouseLocationId } = place
    const location = locationOf({ warehouseId: to.warehouseId, warehouseLocationId })
    const refusal = location && (isFound ? inactiveRefusal(location) : placementRefusal(location, product.id))
    if (refusal) refuse(n, `${location.name} ${refusal}`, 'wrong_place')
  }
  return places
}

/** What all moves of one movement have in common. */
type MovementHeader = Pick<StockMove, 'movementId' | 'occurredUtc' | 'cause' | 'reason' | 'particulars'>

/**
 * Creates the units, holds and rows that checked goods need. Returns the moves that bring the goods in, in
 * the order of the goods. Goods with the same kind and reason of hold share one hold.
 */
export async function prepareIncomingMoves(
  tx: Tx,
  locked: LockedStock,
  userId: string | null,
  { goods, places }: IncomingGoodsPlan,
  movement: MovementHeader,
): Promise<(StockMove & { to: string })[]> {
  const holds = new Map<string, HoldInput>()
  const holdKeys = goods.map(({ to }) => {
    if (!('receivedDate' in to) || to.hold === null) return null
    const key = JSON.stringify(to.hold)
    holds.set(key, to.hold)
    return key
  })
  const newHoldIds = await createHolds(
    tx,
    locked.organisationId,
    [...holds.values()].map(hold => ({ ...hold, createdBy: userId })),
  )
  const holdIds = new Map([...holds.keys()].map((key, i) => [key, newHoldIds[i] as string]))
  const unitIds = await createAndMoveUnits(
    tx,
    locked,
    new Set(places.flatMap(place => place?.targetUnit ?? [])),
  )
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
        logisticUnitId: place.targetUnit ? (unitIds.get(place.targetUnit) as string) : null,
        inventoryHoldId: holdIds.get(holdKeys[i] ?? '') ?? null,
      },
    ]
  })
  const rows = (await findOrCreateStockRows(tx, locked, identities)).values()
  return goods.map(({ product, quantity, serials, weightKG, volumeM3, to }) => ({
    ...movement,
    type: TransactionType.Adjustment,
    from: null,
    to: 'receivedDate' in to ? (rows.next().value as string) : to.warehouseProductId,
    quantity,
    weightKG: weightKG ?? measureOf(4, product.weightKG, quantity),
    volumeM3: volumeM3 ?? measureOf(6, product.volumeM3, quantity),
    newSerials: serials,
  }))
}

/** Computes the weight or volume of a quantity from that of one item, rounded to decimal places. */
const measureOf = (places: number, ofItem: number | null, quantity: bigint): number =>
  ofItem === null ? 0 : Number(decimalText(places, divide(scale(places, ofItem) * quantity, oneItem)))

/** Creates the id of a new movement, with the facts that all its lines carry. */
export const startMovement = (
  occurredUtc: string | null,
  cause: MovementCause,
  reason: string,
  particulars: string | null = null,
): MovementHeader & { movementId: string } => ({
  movementId: newId(),
  occurredUtc,
  cause,
  reason,
  particulars,
})
