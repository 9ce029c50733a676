// Goods come into stock for the lines of an inwards consignment: what both the command and a consignment that
// becomes Complete on paper do. Spec 2.3, 2.14.

import type { Tx } from '../../platform/database/db.ts'
import { decimalText, scale } from '../../platform/decimal.ts'
import type { FaultCollector } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../../stock/enumerations.ts'
import {
  findLocations,
  hasLocation,
  type LocationReference,
  placementRefusal,
  type StockLocation,
} from '../../stock/inventory/location-reference.ts'
import { type HoldInput, makeHolds } from '../../stock/inventory/make-holds.ts'
import { refuseSerialsInStock } from '../../stock/inventory/serials-in-stock.ts'
import { missingFaults, type StockProduct } from '../../stock/inventory/stock-products.ts'
import { type MovementSource, type NewSerial, oneItem, type StockMove } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import { type LockedStock, lockStock } from '../../stock/ledger/stock-lock.ts'
import { findOrMakeRows, type StockDescription, type StockIdentity } from '../../stock/ledger/stock-row.ts'
import {
  createAndPlaceUnits,
  resolveTargetUnits,
  type TargetUnit,
} from '../../stock/logistic-units/target-units.ts'
import type { UnitReference } from '../../stock/logistic-units/unit-references.ts'
import type { LockedConsignment } from '../consignment.ts'
import { estimateMeasure, type InwardsLine, insertUnannounced } from './inwards-line.ts'

/** Goods of one line that come in together. */
export interface Receipt {
  /** what a refusal calls it: `receipts[2]` */
  name: string
  line: InwardsLine
  product: StockProduct
  /** ten-thousandths */
  quantity: bigint
  serials: readonly NewSerial[]
  /** of all of it, where it was said */
  weightKG: number | null
  volumeM3: number | null
  description: StockDescription
  /** where it goes; the default location, or to its unit, where that is not said */
  location: Omit<LocationReference, 'warehouseId'>
  unit: UnitReference | null
  /** the unit was announced: it is made where there is none */
  isUnitAnnounced: boolean
  hold: Omit<HoldInput, 'consignmentProductId'> | null
}

/** When and by whom goods are received. */
export interface Arrival {
  source: MovementSource
  consignment: LockedConsignment & { warehouseId: string }
  defaultLocationId: string
  /** the day that the stock is received on, in the warehouse */
  receivedDate: string
  /** the instant that counts for the ledger; now, where it is null */
  occurredUtc: string | null
}

/** What came of a receipt. */
export interface ReceiptOutcome {
  receipt: Receipt
  warehouseProductId: string
}

/**
 * Receives goods, or refuses all of them (400) with everything that is wrong, `faults` of before included.
 * The consignment is locked; the stock is locked here, once. Makes the lines, holds and units that are new.
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
    for (const problem of missingFaults(product, description)) faults.add(name, ...problem)
  await refuseReceivedSerials(tx, organisationId, receipts, faults)
  const { units, places } = await placesFor(tx, locked, arrival, receipts, faults)
  faults.throwIfAny()

  const lines = new Set(receipts.map(({ line }) => line))
  await insertUnannounced(
    tx,
    organisationId,
    consignment.id,
    [...lines].filter(({ isNew }) => isNew),
  )
  const holdIds = await holdsFor(tx, organisationId, source.userId, receipts)
  const unitIds = await createAndPlaceUnits(tx, locked, new Set(units.filter(unit => unit !== undefined)))
  const rows = await findOrMakeRows(
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
  const moves = movesFor(arrival, movementId, receipts, rows)
  const [posted] = await post(tx, locked, source, moves)
  return {
    movementId,
    effectiveUtc: posted?.effectiveUtc as string,
    received: receipts.map((receipt, i) => ({ receipt, warehouseProductId: rows[i] as string })),
  }
}

/** What the ledger is told of each receipt. */
function movesFor(
  { consignment, occurredUtc }: Arrival,
  movementId: string,
  receipts: readonly Receipt[],
  rows: readonly string[],
): StockMove[] {
  // A line that comes in several pieces gets its weight in parts that add up.
  const upTo = new Map<InwardsLine, bigint>()
  return receipts.map((receipt, i) => {
    const { line, quantity, serials } = receipt
    const received = upTo.get(line) ?? line.received
    upTo.set(line, received + quantity)
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
 * Weight in kg (four places) or volume in m³ (six) of a receipt: what was said; else what its serials have of
 * their own, and for the others their part of what was announced.
 */
function measureReceipt(places: 4 | 6, receipt: Receipt, received: bigint): number {
  const { line, product, quantity, serials } = receipt
  const [said, ofLine, ofItem] =
    places === 4
      ? [receipt.weightKG, line.expectedWeightKG, product.weightKG]
      : [receipt.volumeM3, line.expectedVolumeM3, product.volumeM3]
  if (said !== null) return said
  // What was announced for a line holds what its serials were announced with.
  const isWhole = received === 0n && quantity === line.expected
  const own = isWhole
    ? []
    : serials.flatMap(({ weightKG, volumeM3 }) => (places === 4 ? weightKG : volumeM3) ?? [])
  const others = quantity - BigInt(own.length) * oneItem
  const amount =
    own.reduce((sum, value) => sum + scale(places, value), 0n) +
    estimateMeasure(places, { expected: line.expected, received }, ofLine, ofItem, others)
  return Number(decimalText(places, amount))
}

/** Serials that entries bring into stock for a line. */
export type SerialsOfLine = Pick<Receipt, 'name' | 'serials'> & {
  line: Pick<InwardsLine, 'productId' | 'productCode'>
}

/** Refuses serials that are in stock already. Ask under the lock. */
export const refuseReceivedSerials = (
  tx: Tx,
  organisationId: string,
  receipts: readonly SerialsOfLine[],
  faults: FaultCollector,
): Promise<void> =>
  refuseSerialsInStock(
    tx,
    organisationId,
    receipts.map(({ line: { productId, productCode }, serials }) => ({ productId, productCode, serials })),
    (i, ...fault) => faults.add(receipts[i]?.name as string, ...fault),
  )

/** The unit and the location of each receipt; a place is undefined only where there is a fault. */
async function placesFor(
  tx: Tx,
  locked: LockedStock,
  arrival: Arrival,
  receipts: readonly Receipt[],
  faults: FaultCollector,
): Promise<{ units: (TargetUnit | undefined)[]; places: (StockLocation | undefined)[] }> {
  const { consignment, defaultLocationId } = arrival
  const { organisationId, warehouseId } = consignment
  const units = await resolveTargetUnits(
    tx,
    locked,
    receipts.map(({ unit, product, isUnitAnnounced }) =>
      unit === null
        ? null
        : {
            unit,
            partnerId: product.partnerId,
            warehouseId,
            mayBeMade: isUnitAnnounced,
            gs1CompanyPrefix: product.gs1CompanyPrefix,
          },
    ),
    (entry, ...fault) => faults.add(receipts[entry]?.name as string, ...fault),
  )
  const byId = (warehouseLocationId: string) => ({ warehouseId, warehouseLocationId })
  const find = await findLocations(tx, organisationId, [
    byId(defaultLocationId),
    ...receipts.map(({ location }) => ({ warehouseId, ...location })),
    ...units.flatMap(unit => (unit?.standsAt ? [byId(unit.standsAt)] : [])),
  ])
  // Where entries say that a unit is put counts for those that do not.
  const named = receipts.map(({ name, location }, i) => {
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
    const [place, unit] = [named[i], units[i]]
    if (place === undefined && hasLocation({ warehouseId, ...location })) return undefined
    const stands = unit && find(byId(unit.standsAt ?? unit.warehouseLocationId ?? defaultLocationId))
    if (unit) unit.warehouseLocationId ??= defaultLocationId
    if (place && stands && place.id !== stands.id)
      faults.add(name, `its logistic unit stands in ${stands.name}, not in ${place.name}`, 'state')
    const final = stands ?? place ?? find(byId(defaultLocationId))
    const refusal = final && placementRefusal(final, product.id)
    if (refusal) faults.add(name, `${final.name} ${refusal}`, 'state')
    return final
  })
  return { units, places }
}

/**
 * The hold of each receipt, undefined where its goods are free. Goods of a line held alike are in one hold.
 */
async function holdsFor(
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
  const ids = await makeHolds(tx, organisationId, userId, [...holds.values()])
  const idOf = new Map([...holds.keys()].map((key, i) => [key, ids[i]]))
  return keys.map(key => (key === undefined ? undefined : idOf.get(key)))
}
