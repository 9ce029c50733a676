// Brings goods into stock for the lines of an inwards consignment. Both the receive command and completing a
// consignment without that command use it. Spec 2.3, 2.14.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, scale } from '../../platform/decimal.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { createHolds, type HoldInput } from '../../stock/commands/create-holds.ts'
import { refuseDuplicateSerials } from '../../stock/commands/duplicate-serials.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
} from '../../stock/commands/location-reference.ts'
import { missingFieldFaults, type StockProduct } from '../../stock/commands/stock-products.ts'
import { type MovementSource, type NewSerial, oneItem, type StockMove } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import {
  findOrCreateStockRows,
  type StockDescription,
  type StockIdentity,
} from '../../stock/ledger/stock-identity.ts'
import { type LockedStock, lockStock } from '../../stock/ledger/stock-lock.ts'
import {
  createAndMoveUnits,
  type DestinationUnit,
  resolveDestinationUnits,
} from '../../stock/logistic-units/destination-units.ts'
import { leftWithId } from '../../stock/logistic-units/left-with.ts'
import type { UnitReference } from '../../stock/logistic-units/unit-references.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { estimateMeasure, type InwardsLine, insertUnannouncedLines } from './inwards-line.ts'
import { refuseMoreThanSent } from './returned-goods.ts'

/** Goods of one line that are received together. */
export interface Receipt {
  /** its name in messages, such as `receipts[2]` */
  name: string
  line: InwardsLine
  product: StockProduct
  /** ten-thousandths */
  quantity: bigint
  serials: readonly NewSerial[]
  /** of the whole receipt, if the request gives it */
  weightKG: number | null
  volumeM3: number | null
  description: StockDescription
  /** the target; empty for the default location or the location of the unit */
  location: Omit<LocationReference, 'warehouseId'>
  unit: UnitReference | null
  /** the unit was announced, so it is created if it does not exist */
  isUnitAnnounced: boolean
  hold: Omit<HoldInput, 'consignmentProductId'> | null
}

/** When, where and by whom goods are received. */
export interface Arrival {
  source: MovementSource
  consignment: LockedConsignment & { warehouseId: string }
  defaultLocationId: string
  /** the day on which the stock is received, in the warehouse's time zone */
  receivedDate: string
  /** the instant for the ledger; null for now */
  occurredUtc: string | null
  /** whether goods of a dispatched consignment come back */
  isReturn: boolean
}

/** A receipt with the row of stock that it went into. */
export interface ReceiptOutcome {
  receipt: Receipt
  warehouseProductId: string
}

/**
 * Receives goods, or refuses all of them (400) with every fault, including those already in `faults`. The
 * consignment must be locked. Locks the stock, and creates new lines, holds and logistic units.
 */
export async function receiveGoods(
  tx: Tx,
  arrival: Arrival,
  receipts: readonly Receipt[],
  faults: FaultCollector,
): Promise<{ movementId: string; effectiveUtc: string; received: ReceiptOutcome[] }> {
  const { consignment, source } = arrival
  const { organisationId, warehouseId } = consignment
  const locked = await lockStock(
    tx,
    organisationId,
    receipts.map(({ line }) => ({ warehouseId, productId: line.productId })),
  )
  for (const { name, product, description } of receipts)
    for (const problem of missingFieldFaults(product, description)) faults.add(name, ...problem)
  await refuseReceivedSerials(tx, organisationId, receipts, faults)
  if (arrival.isReturn) await refuseMoreThanSent(tx, consignment, receipts, faults)
  const { units, places } = await resolvePlaces(tx, locked, arrival, receipts, faults)
  faults.throwIfAny()

  const lines = new Set(receipts.map(({ line }) => line))
  await insertUnannouncedLines(
    tx,
    organisationId,
    consignment.id,
    [...lines].filter(({ isNew }) => isNew),
  )
  const holdIds = await createHoldsFor(tx, organisationId, source.userId, receipts)
  const unitIds = await createAndMoveUnits(tx, locked, new Set(units.filter(unit => unit !== undefined)))
  const rows = await findOrCreateStockRows(
    tx,
    locked,
    receipts.map(({ description, line, product }, i): StockIdentity => {
      const unit = units[i]
      return {
        ...description,
        warehouseId,
        partnerId: product.partnerId,
        productId: line.productId,
        warehouseLocationId: (places[i] as StockLocation).id,
        logisticUnitId: unit === undefined ? null : (unitIds.get(unit) as string),
        inventoryHoldId: holdIds[i] ?? null,
        receivedDate: arrival.receivedDate,
      }
    }),
  )
  const movementId = newId()
  const moves = toMoves(arrival, movementId, receipts, rows)
  const [posted] = await post(tx, locked, source, moves)
  return {
    movementId,
    effectiveUtc: posted?.effectiveUtc as string,
    received: receipts.map((receipt, i) => ({ receipt, warehouseProductId: rows[i] as string })),
  }
}

/** The ledger movements of the receipts. */
function toMoves(
  { consignment, occurredUtc }: Arrival,
  movementId: string,
  receipts: readonly Receipt[],
  rows: readonly string[],
): StockMove[] {
  // The weights of several receipts for one line have to add up, so each counts what came before it.
  const receivedSoFar = new Map<InwardsLine, bigint>()
  return receipts.map((receipt, i) => {
    const { line, quantity, serials } = receipt
    const received = receivedSoFar.get(line) ?? line.received
    receivedSoFar.set(line, received + quantity)
    return {
      movementId,
      type: TransactionType.Receive,
      from: null,
      to: rows[i] as string,
      quantity,
      weightKG: measureReceipt(4, receipt, received),
      volumeM3: measureReceipt(6, receipt, received),
      newSerials: serials,
      occurredUtc,
      consignmentId: consignment.id,
      consignmentProductId: line.id,
    }
  })
}

/**
 * Weight in kg (four places) or volume in m³ (six) of a receipt: the figure of the request, otherwise the sum
 * of its serials' own figures and, for the other goods, their share of what was announced.
 */
function measureReceipt(places: 4 | 6, receipt: Receipt, received: bigint): number {
  const { line, product, quantity, serials } = receipt
  const [requested, ofLine, ofItem] =
    places === 4
      ? [receipt.weightKG, line.expectedWeightKG, product.weightKG]
      : [receipt.volumeM3, line.expectedVolumeM3, product.volumeM3]
  if (requested !== null) return requested
  // The announced total of a line already includes the figures of its serials.
  const isWhole = received === 0n && quantity === line.expected
  const ownAmounts = isWhole
    ? []
    : serials.flatMap(({ weightKG, volumeM3 }) => (places === 4 ? weightKG : volumeM3) ?? [])
  const otherQuantity = quantity - BigInt(ownAmounts.length) * oneItem
  const amount =
    ownAmounts.reduce((sum, value) => sum + scale(places, value), 0n) +
    estimateMeasure(places, { expected: line.expected, received }, ofLine, ofItem, otherQuantity)
  return Number(decimalText(places, amount))
}

/** The serials that a receipt brings into stock for a line. */
export type SerialsOfLine = Pick<Receipt, 'name' | 'serials'> & {
  line: Pick<InwardsLine, 'productId' | 'productCode'>
}

/** Adds a fault for each serial that is already in stock. Call it with the stock locked. */
export const refuseReceivedSerials = (
  tx: Tx,
  organisationId: string,
  receipts: readonly SerialsOfLine[],
  faults: FaultCollector,
): Promise<void> =>
  refuseDuplicateSerials(
    tx,
    organisationId,
    receipts.map(({ line: { productId, productCode }, serials }) => ({ productId, productCode, serials })),
    (i, ...fault) => faults.add(receipts[i]?.name as string, ...fault),
  )

/**
 * Where units without goods stand in the warehouse, by their id. One that left with its goods does not stand
 * where it left from.
 */
async function placesOfEmptyUnits(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  units: readonly (DestinationUnit | undefined)[],
): Promise<Map<string, string>> {
  const unitIds = units.flatMap(unit => (unit?.known?.isEmpty ? [unit.known.id] : []))
  if (unitIds.length === 0) return new Map()
  const rows = await tx.rows<{ id: string; locationId: string }>(sql`
    select u.id, u.warehouse_location_id as location_id from logistic_unit u
    where u.organisation_id = ${organisationId} and u.id = any(${unitIds})
      and u.warehouse_id = ${warehouseId} and ${leftWithId} is null`)
  return new Map(rows.map(({ id, locationId }) => [id, locationId]))
}

/** The logistic unit and the location of each receipt. A location is undefined only if it has a fault. */
async function resolvePlaces(
  tx: Tx,
  locked: LockedStock,
  arrival: Arrival,
  receipts: readonly Receipt[],
  faults: FaultCollector,
): Promise<{ units: (DestinationUnit | undefined)[]; places: (StockLocation | undefined)[] }> {
  const { consignment, defaultLocationId } = arrival
  const { organisationId, warehouseId } = consignment
  const units = await resolveDestinationUnits(
    tx,
    locked,
    receipts.map(({ unit, product, isUnitAnnounced }) =>
      unit === null
        ? null
        : {
            unit,
            partnerId: product.partnerId,
            warehouseId,
            mayBeCreated: isUnitAnnounced,
            gs1CompanyPrefix: product.gs1CompanyPrefix,
          },
    ),
    (entry, ...fault) => faults.add(receipts[entry]?.name as string, ...fault),
  )
  const byId = (warehouseLocationId: string) => ({ warehouseId, warehouseLocationId })
  const ownPlaces = await placesOfEmptyUnits(tx, organisationId, warehouseId, units)
  const find = await findLocations(tx, organisationId, [
    byId(defaultLocationId),
    ...ownPlaces.values().map(byId),
    ...receipts.map(({ location }) => ({ warehouseId, ...location })),
    ...units.flatMap(unit => (unit?.fixedLocationId ? [byId(unit.fixedLocationId)] : [])),
  ])
  // A location that one receipt names for a unit also counts for receipts on that unit that name none.
  const namedPlaces = receipts.map(({ name, location }, i) => {
    const reference = { warehouseId, ...location }
    if (!hasLocation(reference)) return undefined
    const place = find(reference)
    if (place === undefined)
      faults.add(
        name,
        `the warehouse has no location ${location.warehouseLocationId ?? location.locationName}`,
        'unknown_reference',
      )
    const unit = units[i]
    if (unit !== undefined && place !== undefined) unit.warehouseLocationId ??= place.id
    return place
  })
  const places = receipts.map(({ name, location, product }, i) => {
    const [place, unit] = [namedPlaces[i], units[i]]
    if (place === undefined && hasLocation({ warehouseId, ...location })) return undefined
    if (unit) unit.warehouseLocationId ??= ownPlaces.get(unit.known?.id ?? '') ?? defaultLocationId
    const stands = unit && find(byId(unit.fixedLocationId ?? (unit.warehouseLocationId as string)))
    if (place && stands && place.id !== stands.id)
      faults.add(name, `its logistic unit stands in ${stands.name}, not in ${place.name}`, 'wrong_place')
    const final = stands ?? place ?? find(byId(defaultLocationId))
    const refusal = final && placementRefusal(final, product.id)
    if (refusal) faults.add(name, `${final.name} ${refusal}`, 'wrong_place')
    return final
  })
  return { units, places }
}

/**
 * The hold of each receipt, undefined if its goods are free. Goods of one line with equal holds share a hold.
 */
async function createHoldsFor(
  tx: Tx,
  organisationId: string,
  userId: string | null,
  receipts: readonly Receipt[],
): Promise<(string | undefined)[]> {
  const holds = new Map<string, HoldInput>()
  const keys = receipts.map(({ hold, line }) => {
    if (hold === null) return undefined
    const key = JSON.stringify([line.id, hold.kind, hold.reason, hold.reference ?? null])
    holds.set(key, { ...hold, consignmentProductId: line.id })
    return key
  })
  const ids = await createHolds(tx, organisationId, userId, [...holds.values()])
  const idOf = new Map([...holds.keys()].map((key, i) => [key, ids[i]]))
  return keys.map(key => (key === undefined ? undefined : idOf.get(key)))
}
