// Brings goods into stock for the lines of inwards consignments. Both the receive command and completing a
// consignment without that command use it. Any number of requests is read, and written, with the same few
// statements. Spec 2.3, 2.14.

import type { Tx } from '../../platform/database/db.ts'
import type { FaultCollector, FieldFault, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { Postponed } from '../../stock/commands/command-kind.ts'
import { createHolds } from '../../stock/commands/create-holds.ts'
import { refuseDuplicateSerials } from '../../stock/commands/duplicate-serials.ts'
import type { StockLocation } from '../../stock/commands/location-reference.ts'
import { missingFieldFaults } from '../../stock/commands/stock-products.ts'
import { noSharedSource } from '../../stock/ledger/movement.ts'
import { post } from '../../stock/ledger/post.ts'
import { findOrCreateStockRows, type StockIdentity } from '../../stock/ledger/stock-identity.ts'
import { type LockedStock, lockStock } from '../../stock/ledger/stock-lock.ts'
import {
  createAndMoveUnits,
  type DestinationUnit,
  type ResolvedUnits,
  UsedUnits,
} from '../../stock/logistic-units/destination-units.ts'
import { type InwardsLine, insertUnannouncedLines } from './inwards-line.ts'
import { type Arrival, type Receipt, toMoves } from './receipt.ts'
import { findReceiptPlaces, type PlaceFacts, readReceiptPlaces, unitRequestsOf } from './receipt-places.ts'
import { type Returnable, readReturnable, refuseMoreThanSent } from './returned-goods.ts'

/** What a request receives. Its consignment is locked. */
export interface Receiving {
  arrival: Arrival
  receipts: readonly Receipt[]
  /** the faults that were found so far */
  faults: FaultCollector
  /** the receipts are those of what was outstanding, or of goods that get new lines */
  dependsOnLines?: boolean
}

/** What requests are planned from. Those that are planned already have changed it. */
export interface ReceivingSnapshot {
  places: PlaceFacts
  units: ReadonlyMap<Receiving, ResolvedUnits>
  /** the faults of receipts whose serials are in stock already */
  serialFaults: ReadonlyMap<Receipt, readonly FieldFault[]>
  /** what may come back, by the id of the consignment with which it left */
  returnable: ReadonlyMap<string, Returnable>
  usedUnits: UsedUnits
  /** the serials that planned requests bring, with their products */
  serials: Set<string>
  /** the lines that planned requests receive for, as they will be */
  lines: Map<string, InwardsLine>
  consignmentIds: Set<string>
}

/** A request that is planned and not yet written. */
export interface PlannedReceiving {
  arrival: Arrival
  receipts: readonly Receipt[]
  units: readonly (DestinationUnit | undefined)[]
  places: readonly StockLocation[]
}

/** A receipt with the row of stock that it went into. */
export interface ReceiptOutcome {
  receipt: Receipt
  warehouseProductId: string
}

/** What was received, and the movement that it made. */
export interface Received {
  movementId: string
  effectiveUtc: string
  received: ReceiptOutcome[]
}

/** The products whose stock has to be locked. */
export const receivingTargets = (requests: readonly Pick<Receiving, 'arrival' | 'receipts'>[]) =>
  requests.flatMap(({ arrival: { consignment }, receipts }) =>
    receipts.map(({ line: { productId } }) => ({ warehouseId: consignment.warehouseId, productId })),
  )

/** Reads what requests are planned from. Their stock is locked, by a statement that has been sent already. */
export async function readReceiving(
  tx: Tx,
  organisationId: string,
  requests: readonly Receiving[],
): Promise<ReceivingSnapshot> {
  const receipts = requests.flatMap(request => request.receipts)
  const serialFaults = new Map<Receipt, FieldFault[]>()
  const [places, , returnable] = await Promise.all([
    readReceiptPlaces(tx, organisationId, requests),
    findReceivedSerials(tx, organisationId, receipts, (i, ...fault) => {
      const receipt = receipts[i] as Receipt
      serialFaults.set(receipt, [...(serialFaults.get(receipt) ?? []), fault])
    }),
    readReturnable(
      tx,
      organisationId,
      requests.flatMap(({ arrival }) => arrival.returnOfConsignmentId ?? []),
    ),
  ])
  return {
    ...{ places, serialFaults, returnable },
    units: new Map(requests.map((request, i) => [request, places.units[i] as ResolvedUnits])),
    ...{ usedUnits: new UsedUnits(), serials: new Set(), lines: new Map(), consignmentIds: new Set() },
  }
}

/**
 * Plans a request. Throws 400 with every fault, including those found before, and `Postponed` if it depends
 * on what earlier requests do.
 */
export function planReceiving(snapshot: ReceivingSnapshot, receiving: Receiving): PlannedReceiving {
  const { arrival, faults } = receiving
  const resolved = snapshot.units.get(receiving) as ResolvedUnits
  const unitsOfCommand = {
    requests: unitRequestsOf(arrival, receiving.receipts),
    ...{ units: resolved.units, emptied: [] },
  }
  if (dependsOnEarlier(snapshot, receiving) || snapshot.usedUnits.areUsed(unitsOfCommand))
    throw new Postponed()
  const receipts = receiving.receipts.map(receipt => ({
    ...receipt,
    line: snapshot.lines.get(receipt.line.id) ?? receipt.line,
  }))
  for (const { name, product, description } of receipts)
    for (const problem of missingFieldFaults(product, description)) faults.add(name, ...problem)
  for (const receipt of receiving.receipts)
    for (const fault of snapshot.serialFaults.get(receipt) ?? []) faults.add(receipt.name, ...fault)
  const sent = snapshot.returnable.get(arrival.returnOfConsignmentId ?? '')
  const noteReturned = sent && refuseMoreThanSent(sent, receipts, faults)
  const places = findReceiptPlaces(snapshot.places, arrival, receipts, resolved, faults)
  faults.throwIfAny()
  noteReturned?.()
  note(snapshot, arrival, receipts)
  snapshot.usedUnits.use(unitsOfCommand)
  return { arrival, receipts, units: resolved.units, places: places as StockLocation[] }
}

/** Whether a request has to be read anew once what is planned is written. */
function dependsOnEarlier(
  { consignmentIds, serials }: ReceivingSnapshot,
  { arrival, receipts, dependsOnLines = false }: Receiving,
): boolean {
  if (dependsOnLines && consignmentIds.has(arrival.consignment.id)) return true
  return serials.size > 0 && receipts.some(receipt => serialKeys(receipt).some(key => serials.has(key)))
}

/** Notes what a planned request changes, for those after it. */
function note(
  { consignmentIds, serials, lines }: ReceivingSnapshot,
  { consignment }: Arrival,
  receipts: readonly Receipt[],
): void {
  consignmentIds.add(consignment.id)
  for (const receipt of receipts) {
    const line = lines.get(receipt.line.id) ?? receipt.line
    lines.set(line.id, { ...line, received: line.received + receipt.quantity })
    for (const key of serialKeys(receipt)) serials.add(key)
  }
}

const serialKeys = ({ line: { productId }, serials }: Receipt) =>
  serials.map(({ serial }) => `${productId} ${serial}`)

/** Writes planned requests: creates new lines, holds and logistic units, and posts the goods. */
export async function writeReceiving(
  tx: Tx,
  locked: LockedStock,
  planned: readonly PlannedReceiving[],
): Promise<Received[]> {
  const { organisationId } = locked
  const goods = planned.flatMap(({ arrival, receipts, units, places }) =>
    receipts.map((receipt, i) => ({ arrival, receipt, unit: units[i], place: places[i] as StockLocation })),
  )
  const lines = new Set(goods.map(({ receipt: { line } }) => line))
  await insertUnannouncedLines(
    tx,
    organisationId,
    [...lines].filter(({ isNew }) => isNew),
  )
  const holdIds = await createHoldsFor(tx, organisationId, planned)
  const unitIds = await createAndMoveUnits(tx, locked, new Set(goods.flatMap(({ unit }) => unit ?? [])))
  const rows = await findOrCreateStockRows(
    tx,
    locked,
    goods.map(
      ({ arrival, receipt: { description, line, product }, unit, place }, i): StockIdentity => ({
        ...description,
        warehouseId: arrival.consignment.warehouseId,
        partnerId: product.partnerId,
        productId: line.productId,
        warehouseLocationId: place.id,
        logisticUnitId: unit === undefined ? null : (unitIds.get(unit) as string),
        inventoryHoldId: holdIds[i] ?? null,
        receivedDate: arrival.receivedDate,
      }),
    ),
  )
  const remainingRows = rows.values()
  const movements = planned.map(({ arrival, receipts }) => {
    const movementId = newId()
    const own = [...remainingRows.take(receipts.length)]
    return { movementId, receipts, rows: own, moves: toMoves(arrival, movementId, receipts, own) }
  })
  const posted = await post(
    tx,
    locked,
    noSharedSource,
    movements.flatMap(({ moves }) => moves),
  )
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  return movements.map(({ movementId, receipts, rows }) => ({
    movementId,
    effectiveUtc: times.get(movementId) as string,
    received: receipts.map((receipt, i) => ({ receipt, warehouseProductId: rows[i] as string })),
  }))
}

/**
 * Receives the goods of one request, or refuses all of them (400) with every fault, as `readReceiving`,
 * `planReceiving` and `writeReceiving` do. Locks the stock.
 */
export async function receiveGoods(tx: Tx, receiving: Receiving): Promise<Received> {
  const { organisationId } = receiving.arrival.consignment
  const locked = await lockStock(tx, organisationId, receivingTargets([receiving]))
  const snapshot = await readReceiving(tx, organisationId, [receiving])
  const [received] = await writeReceiving(tx, locked, [planReceiving(snapshot, receiving)])
  return received as Received
}

/** The serials that a receipt brings into stock for a line. */
export type SerialsOfLine = Pick<Receipt, 'name' | 'serials'> & {
  line: Pick<InwardsLine, 'productId' | 'productCode'>
}

/** Reports each serial that is already in stock. Call it with the stock locked. */
export const findReceivedSerials = (
  tx: Tx,
  organisationId: string,
  receipts: readonly SerialsOfLine[],
  refuse: ReportEntryFault,
): Promise<void> =>
  refuseDuplicateSerials(
    tx,
    organisationId,
    receipts.map(({ line: { productId, productCode }, serials }) => ({ productId, productCode, serials })),
    refuse,
  )

/**
 * The hold of each receipt, undefined if its goods are free. Goods of one line that a request receives with
 * equal holds share a hold.
 */
async function createHoldsFor(
  tx: Tx,
  organisationId: string,
  planned: readonly PlannedReceiving[],
): Promise<(string | undefined)[]> {
  const holds = new Map<string, Parameters<typeof createHolds>[2][number]>()
  const keys = planned.flatMap(({ arrival: { source }, receipts }, n) =>
    receipts.map(({ hold, line }) => {
      if (hold === null) return undefined
      const key = JSON.stringify([n, line.id, hold.kind, hold.reason, hold.reference ?? null])
      holds.set(key, { ...hold, consignmentProductId: line.id, createdBy: source.userId })
      return key
    }),
  )
  const ids = await createHolds(tx, organisationId, [...holds.values()])
  const idOf = new Map([...holds.keys()].map((key, i) => [key, ids[i]]))
  return keys.map(key => (key === undefined ? undefined : idOf.get(key)))
}
