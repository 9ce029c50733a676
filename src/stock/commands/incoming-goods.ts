// Goods that come into stock without a consignment: found in the warehouse, or part of an opening balance.
// Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText, divide, scale } from '../../platform/decimal.ts'
import type { FieldFault, ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { newId } from '../../platform/new-id.ts'
import { type MovementCause, TransactionType } from '../../vocabulary/stock.ts'
import { type NewSerial, oneItem, type StockMove } from '../ledger/movement.ts'
import { findOrCreateStockRows, type StockDescription, type StockIdentity } from '../ledger/stock-identity.ts'
import type { LockedStock } from '../ledger/stock-lock.ts'
import {
  createAndMoveUnits,
  type DestinationUnit,
  type ResolvedUnits,
  resolveUnitsOfCommands,
  type UnitRequest,
} from '../logistic-units/destination-units.ts'
import { forgetPlacesOfLeft } from '../logistic-units/unit-location.ts'
import { lockUnits, type UnitReference } from '../logistic-units/unit-references.ts'
import { createHolds, type HoldInput } from './create-holds.ts'
import { refuseDuplicateSerials } from './duplicate-serials.ts'
import {
  findLocations,
  inactiveRefusal,
  type LocationReference,
  placementRefusal,
  type StockLocation,
} from './location-reference.ts'
import { placeGoods } from './place-goods.ts'
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

/** What the goods of several commands are checked against. */
export interface IncomingSnapshot {
  /** for each command, the faults of goods whose serials are in stock already, by their index */
  serialFaults: ReadonlyMap<readonly IncomingGoods[], readonly [index: number, ...FieldFault][]>
  units: ReadonlyMap<readonly IncomingGoods[], ResolvedUnits>
  emptyRows: ReadonlyMap<string, EmptyRow>
  location(reference: LocationReference): StockLocation | undefined
}

/**
 * Reads what the goods of commands are checked against. Call it under the stock lock. It also locks their
 * logistic units, because the stock lock does not protect an empty unit from being moved.
 */
export async function readIncoming(
  tx: Tx,
  organisationId: string,
  commands: readonly (readonly IncomingGoods[])[],
): Promise<IncomingSnapshot> {
  const goods = commands.flat()
  const indexes = commands.flatMap(own => own.map((_, index) => ({ own, index })))
  const serialFaults = new Map(commands.map(own => [own, [] as [number, ...FieldFault][]]))
  const incoming = goods.map(({ product: { id: productId, code: productCode }, serials }) => ({
    ...{ productId, productCode, serials },
  }))
  await refuseDuplicateSerials(tx, organisationId, incoming, (i, ...fault) => {
    const { own, index } = indexes[i] as (typeof indexes)[number]
    serialFaults.get(own)?.push([index, ...fault])
  })
  await lockUnits(tx, organisationId, {
    ofRows: goods.flatMap(({ to }) => ('receivedDate' in to ? [] : [to.warehouseProductId])),
    named: goods.flatMap(({ to, product: { partnerId } }) =>
      'receivedDate' in to && to.unit ? [{ partnerId, unit: to.unit }] : [],
    ),
  })
  const emptyRows = await readEmptyRows(tx, organisationId, goods)
  const resolved = await resolveUnitsOfCommands(
    tx,
    organisationId,
    commands.map(own => own.map(unitRequestFor)),
  )
  await forgetPlacesOfLeft(
    tx,
    organisationId,
    resolved.flatMap(({ units }) => units),
  )
  const location = await findLocations(tx, organisationId, [
    ...emptyRows.values(),
    ...resolved.flatMap(({ units }) =>
      units.flatMap(unit =>
        [unit?.fixedLocationId, unit?.ownLocationId].flatMap(id =>
          unit && id ? [{ warehouseId: unit.warehouseId, warehouseLocationId: id }] : [],
        ),
      ),
    ),
  ])
  const units = new Map(commands.map((own, i) => [own, resolved[i] as ResolvedUnits]))
  return { serialFaults, units, emptyRows, location }
}

/** The unit that goods ask for, null for none. */
export const unitRequestFor = ({
  to,
  product: { partnerId, gs1CompanyPrefix },
}: IncomingGoods): UnitRequest | null =>
  'receivedDate' in to && to.unit
    ? {
        ...{ unit: to.unit, partnerId, warehouseId: to.warehouseId, gs1CompanyPrefix },
        mayBeCreated: to.mayCreateUnit,
      }
    : null

/** Checks the goods of a command and finds their places. Problems are reported to `refuse`. */
export function placeIncoming(
  snapshot: IncomingSnapshot,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): IncomingGoodsPlan {
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
  for (const fault of snapshot.serialFaults.get(goods) ?? []) refuseGoods(...fault)
  refuseEmptyRows(snapshot, goods, refuse)
  return { goods, places: findPlaces(snapshot, goods, refuse) }
}

/** Checks the goods of one command, as `readIncoming` and `placeIncoming` do. */
export const planIncomingGoods = async (
  tx: Tx,
  locked: LockedStock,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): Promise<IncomingGoodsPlan> =>
  placeIncoming(await readIncoming(tx, locked.organisationId, [goods]), goods, refuse)

interface EmptyRow {
  id: string
  warehouseId: string
  warehouseLocationId: string
  isHeld: boolean
  logisticUnitNumber: string | null
  isElsewhere: boolean | null
}

/** Reads the rows that goods are added to and that are empty now, by their id. */
async function readEmptyRows(
  tx: Tx,
  organisationId: string,
  goods: readonly IncomingGoods[],
): Promise<Map<string, EmptyRow>> {
  const ids = goods.flatMap(({ to }) => ('receivedDate' in to ? [] : [to.warehouseProductId]))
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<EmptyRow>(sql`
    select p.id, p.warehouse_id, p.warehouse_location_id, p.inventory_hold_id is not null as is_held,
      u.logistic_unit_number, u.warehouse_location_id <> p.warehouse_location_id as is_elsewhere
    from warehouse_product p
    left join logistic_unit u on u.organisation_id = p.organisation_id and u.id = p.logistic_unit_id
    where p.organisation_id = ${organisationId} and p.id = any(${ids}) and p.is_depleted`)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Refuses to add goods to an empty row that could not be created now, because its unit has moved, its
 * location does not accept goods, or its hold may be over. None of this can happen to a row with stock in it.
 */
function refuseEmptyRows(
  { emptyRows, location: locationOf }: IncomingSnapshot,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): void {
  for (const { n, product, to, isFound } of goods) {
    const row = 'receivedDate' in to ? undefined : emptyRows.get(to.warehouseProductId)
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

/** Finds where goods are put: their own location or that of their unit. Null for goods that join a row. */
function findPlaces(
  { units: unitsOf, location: find }: IncomingSnapshot,
  goods: readonly IncomingGoods[],
  refuse: ReportEntryFault,
): IncomingGoodsPlan['places'] {
  const { units, faults } = unitsOf.get(goods) as ResolvedUnits
  for (const [i, ...fault] of faults) refuse((goods[i] as IncomingGoods).n, ...fault)
  const placed = goods.flatMap(({ n, to, product, isFound }, i) => {
    if (!('receivedDate' in to)) return []
    const unit = to.unit ? units[i] : null
    const { warehouseId, location } = to
    return [{ i, n, warehouseId, productId: product.id, location, unit, defaultLocationId: null, isFound }]
  })
  const found = placeGoods(placed, find, (k, ...fault) =>
    refuse((placed[k] as (typeof placed)[0]).n, ...fault),
  )
  const places = new Map(placed.map(({ i, unit }, k) => [i, { unit, location: found[k] }]))
  return goods.map((_, i) => {
    const { unit, location } = places.get(i) ?? {}
    return location && unit !== undefined ? { warehouseLocationId: location.id, targetUnit: unit } : null
  })
}

/** What all moves of one movement have in common. */
type MovementHeader = Pick<
  StockMove,
  'movementId' | 'occurredUtc' | 'cause' | 'reason' | 'particulars' | 'source'
>

/** Checked goods of a command that come in, and the movement that they come with. */
export interface IncomingMovement {
  plan: IncomingGoodsPlan
  movement: MovementHeader
  userId: string | null
}

/** A move that brings goods into a row. */
type IncomingMove = StockMove & { to: string }

/** Does for one command what `writeIncoming` does. */
export async function prepareIncomingMoves(
  tx: Tx,
  locked: LockedStock,
  userId: string | null,
  plan: IncomingGoodsPlan,
  movement: MovementHeader,
): Promise<IncomingMove[]> {
  const [moves] = await writeIncoming(tx, locked, [{ plan, movement, userId }])
  return moves as IncomingMove[]
}

/**
 * Creates the units, holds and rows that checked goods of commands need. Returns the moves that bring them
 * in, by command and in the order of the goods. Goods of a command with the same kind and reason of hold
 * share one hold.
 */
export async function writeIncoming(
  tx: Tx,
  locked: LockedStock,
  movements: readonly IncomingMovement[],
): Promise<IncomingMove[][]> {
  const parts = movements.flatMap(({ plan: { goods, places }, userId }, command) =>
    goods.map((own, i) => ({ goods: own, place: places[i] ?? null, userId, command })),
  )
  const holdIdOf = await createHoldsFor(tx, locked.organisationId, parts)
  const targetUnits = parts.flatMap(({ place }) => place?.targetUnit ?? [])
  const unitIds = await createAndMoveUnits(tx, locked, new Set(targetUnits))
  const identities = parts.flatMap(part => {
    const { to, product } = part.goods
    const { place } = part
    if (!('receivedDate' in to) || !place) return []
    const { warehouseId, location: _, unit, mayCreateUnit, hold, ...description } = to
    const identity: StockIdentity = {
      ...description,
      warehouseId,
      partnerId: product.partnerId,
      productId: product.id,
      warehouseLocationId: place.warehouseLocationId,
      logisticUnitId: place.targetUnit ? (unitIds.get(place.targetUnit) as string) : null,
      inventoryHoldId: holdIdOf(part),
    }
    return [identity]
  })
  const rows = (await findOrCreateStockRows(tx, locked, identities)).values()
  return movements.map(({ plan, movement }) =>
    plan.goods.map(({ product, quantity, serials, weightKG, volumeM3, to }) => ({
      ...movement,
      type: TransactionType.Adjustment,
      from: null,
      to: 'receivedDate' in to ? (rows.next().value as string) : to.warehouseProductId,
      quantity,
      weightKG: weightKG ?? measureOf(4, product.weightKG, quantity),
      volumeM3: volumeM3 ?? measureOf(6, product.volumeM3, quantity),
      newSerials: serials,
    })),
  )
}

/** The goods of an entry, with the index of the command and who gave it. */
interface IncomingPart {
  goods: IncomingGoods
  place: IncomingGoodsPlan['places'][number]
  userId: string | null
  command: number
}

/** Creates the holds that goods go into. Returns a function that gives the hold of a part, null for none. */
async function createHoldsFor(
  tx: Tx,
  organisationId: string,
  parts: readonly IncomingPart[],
): Promise<(part: IncomingPart) => string | null> {
  const keyOf = ({ goods: { to }, command }: IncomingPart) =>
    'receivedDate' in to && to.hold !== null ? JSON.stringify([command, to.hold]) : null
  const holds = new Map<string, HoldInput & { createdBy: string | null }>()
  for (const part of parts) {
    const [key, { to }] = [keyOf(part), part.goods]
    if (key !== null)
      holds.set(key, { ...(to as Placement & { hold: HoldInput }).hold, createdBy: part.userId })
  }
  const ids = await createHolds(tx, organisationId, [...holds.values()])
  const idOf = new Map([...holds.keys()].map((key, i) => [key, ids[i] as string]))
  return part => idOf.get(keyOf(part) ?? '') ?? null
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
