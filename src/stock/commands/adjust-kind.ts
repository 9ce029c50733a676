// How requests to adjust stock share a transaction. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import {
  collectEntryFaults,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
  type ReportFault,
} from '../../platform/http/entry-faults.ts'
import { Name, named, optional, type Static, Text, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { MovementCause } from '../../vocabulary/stock.ts'
import { noSharedSource, type StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import type { LockTarget } from '../ledger/stock-lock.ts'
import { type UnitsOfCommand, UsedUnits } from '../logistic-units/destination-units.ts'
import {
  Adjustment,
  adjustmentFaults,
  refuseExcessWeights,
  serialsAndWeights,
  toOutgoingMove,
} from './adjustment.ts'
import { type CommandKind, Postponed } from './command-kind.ts'
import {
  type AttributeIds,
  emptyDescription,
  findAttributes,
  findOrCreateAttributes,
  lackAttributes,
  receivedDay,
  resolveDescription,
} from './goods-description.ts'
import {
  type IncomingGoods,
  type IncomingGoodsPlan,
  type IncomingSnapshot,
  placeIncoming,
  readIncoming,
  startMovement,
  unitRequestFor,
  writeIncoming,
} from './incoming-goods.ts'
import { findLocations, hasLocation, unknownLocation } from './location-reference.ts'
import { readTakeState, type TakenPart, type TakeRequest, type TakeState } from './plan-take.ts'
import { numberOf, toItems } from './quantities.ts'
import { identityOf, type StockRow } from './read-stock-rows.ts'
import type { StockRequest } from './stock-command.ts'
import { findProducts } from './stock-products.ts'
import { matchStock, readSelectedStock } from './stock-selector.ts'
import { timeZonesOf } from './time-zones.ts'
import { TouchedStock } from './touched-stock.ts'

export const adjustFields = {
  adjustments: Type.Array(Adjustment, { minItems: 1, maxItems: 1_000, rule: adjustmentFaults }),
  reason: Name,
  particulars: optional(Text),
}
export const AdjustAnswer = named(
  'StockAdjusted',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    adjustments: Type.Array(Type.Object({ warehouseProductId: Uuid, quantity: Type.Number() })),
  }),
)
type AdjustRequest = StockRequest<
  '/v1/inventory/adjust',
  Static<ReturnType<typeof Type.Object<typeof adjustFields>>>
>

interface AdjustRecords {
  organisationId: string
  attributeIds: AttributeIds
  isShared: boolean
  targets: readonly LockTarget[]
}

/** What a request adds, and the faults of entries that cannot be resolved. */
interface ResolvedAdditions {
  goods: readonly IncomingGoods[]
  faults: readonly [entry: number, ...FieldFault][]
}

/** What requests are planned from. Those that are planned already have changed it. */
interface FoundForAdjusting {
  records: AdjustRecords
  rows: ReadonlyMap<Adjustment, StockRow | FieldFault>
  takes: TakeState
  additions: ReadonlyMap<AdjustRequest, ResolvedAdditions>
  incoming: IncomingSnapshot
  touched: TouchedStock
  usedUnits: UsedUnits
}

interface PlannedAdjustment {
  request: AdjustRequest
  parts: readonly TakenPart[]
  incoming: IncomingGoodsPlan
}

export const adjustKind: CommandKind<
  AdjustRequest,
  Static<typeof AdjustAnswer>,
  AdjustRecords,
  FoundForAdjusting,
  PlannedAdjustment
> = {
  mayShare: () => true,
  weigh: ({ body }) =>
    body.adjustments.reduce((sum, { serials }) => sum + Math.max(1, serials?.length ?? 0), 0),
  async lockRecords(tx, requests, isShared) {
    const [{ actor }] = requests as [AdjustRequest]
    const { organisationId } = actor
    const entries = requests.flatMap(({ body }) => body.adjustments)
    // Attributes of a refused request must not stay, so new ones are left to transactions of their own.
    const attributeIds = await (isShared ? findAttributes : findOrCreateAttributes)(
      tx,
      organisationId,
      entries.map(({ attributes }) => attributes),
    )
    const matches = await matchStock(tx, organisationId, entries)
    const added = entries.flatMap(({ partnerProductId, warehouseId }) =>
      partnerProductId && warehouseId ? [{ productId: partnerProductId, warehouseId }] : [],
    )
    return { organisationId, attributeIds, isShared, targets: [...matches.flat(), ...added] }
  },
  targets: ({ targets }) => sql`select "warehouseId" as warehouse_id, "productId" as product_id
    from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, targets)}`,
  async read(tx, locking, records, requests) {
    const { organisationId } = records
    const entries = requests.flatMap(({ body }) => body.adjustments)
    const selected = await readSelectedStock(tx, organisationId, locking, entries)
    const rows = new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault]))
    const additions = await resolveAdditions(tx, records, rows, requests)
    const taken = entries.flatMap(entry => {
      const row = entry.quantity < 0 ? rowOf(rows, entry) : undefined
      return row ? [{ row, part: entry }] : []
    })
    const [takes, incoming] = await Promise.all([
      readTakeState(tx, organisationId, taken),
      readIncoming(
        tx,
        organisationId,
        requests.map(request => (additions.get(request) as ResolvedAdditions).goods),
      ),
    ])
    const [touched, usedUnits] = [new TouchedStock(), new UsedUnits()]
    return { records, rows, takes, additions, incoming, touched, usedUnits }
  },
  plan(found, request) {
    const { adjustments } = request.body
    postponeDependents(found, request)
    const { refuse, throwIfAny } = collectEntryFaults('adjustments')
    const { goods, faults } = found.additions.get(request) as ResolvedAdditions
    const { parts, keep } = found.takes.plan(toTakeRequests(adjustments, found.rows, refuse), 'free', refuse)
    for (const fault of faults) refuse(...fault)
    const incoming = placeIncoming(found.incoming, goods, refuse)
    refuseExcessWeights(parts, adjustments, refuse)
    throwIfAny()
    keep()
    touch(found, parts, incoming)
    return { request, parts, incoming }
  },
  async write(tx, locked, _, plans) {
    const movements = plans.map(({ request, incoming }) => {
      const { body, source, occurredUtc } = request
      const { reason, particulars = null } = body
      const movement = {
        ...startMovement(occurredUtc, MovementCause.Correction, reason, particulars),
        source,
      }
      return { plan: incoming, movement, userId: source.userId }
    })
    const incoming = await writeIncoming(tx, locked, movements)
    const moves = plans.flatMap(({ request, parts }, i): StockMove[] => [
      ...parts.map(part => ({
        ...(movements[i] as (typeof movements)[number]).movement,
        ...toOutgoingMove(part, request.body.adjustments),
      })),
      ...(incoming[i] as StockMove[]),
    ])
    const posted = await post(tx, locked, noSharedSource, moves)
    const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
    return plans.map(({ parts, incoming: { goods } }, i) => {
      const { movementId } = (movements[i] as (typeof movements)[number]).movement
      const results = [
        ...parts.map(({ n, row, quantity }) => ({ n, id: row.id, quantity: -quantity })),
        ...goods.map(({ n, quantity }, k) => ({ n, id: incoming[i]?.[k]?.to as string, quantity })),
      ].toSorted((a, b) => a.n - b.n)
      return {
        movementId,
        effectiveUtc: times.get(movementId) as string,
        adjustments: results.map(({ id, quantity }) => ({
          warehouseProductId: id,
          quantity: numberOf(quantity),
        })),
      }
    })
  },
}

/** The row that an entry selects, if it selects one. */
function rowOf(rows: FoundForAdjusting['rows'], entry: Adjustment): StockRow | undefined {
  const row = entry.partnerProductId ? undefined : rows.get(entry)
  return isFieldFault(row) ? undefined : row
}

/**
 * Throws `Postponed` if a request depends on what earlier ones do, or creates attributes while others share
 * its transaction.
 */
function postponeDependents(
  { records, rows, additions, incoming, touched, usedUnits }: FoundForAdjusting,
  request: AdjustRequest,
): void {
  const { body, occurredUtc } = request
  const attributes = body.adjustments.map(entry => entry.attributes)
  if (records.isShared && lackAttributes(attributes, records.attributeIds))
    throw new Postponed({ isAlone: true })
  const { goods } = additions.get(request) as ResolvedAdditions
  const dependsOnRows = body.adjustments.some(entry => {
    const row = rowOf(rows, entry)
    // What is weighed or added to was read before.
    if (row === undefined) return false
    const isWeighed = entry.weightKG != null || entry.volumeM3 != null
    const isRead = entry.quantity > 0 || isWeighed
    return touched.isOutdated(row, occurredUtc !== null) || (isRead && touched.isTaken(row.id))
  })
  const dependsOnSerials = goods.some(
    ({ product, serials }) => serials.length > 0 && touched.isProductTouched(product.id),
  )
  const isOutdated = dependsOnRows || dependsOnSerials || touched.mayMatchAnew(body.adjustments)
  if (isOutdated || usedUnits.areUsed(unitsOf(goods, incoming, []))) throw new Postponed()
}

/** Notes what a planned request changes, for those after it. */
function touch(
  { rows, touched, usedUnits, incoming }: FoundForAdjusting,
  parts: readonly TakenPart[],
  { goods, places }: IncomingGoodsPlan,
): void {
  for (const { row } of parts) touched.take(row)
  const rowById = new Map([...rows.values()].flatMap(row => (isFieldFault(row) ? [] : [[row.id, row]])))
  for (const [i, { to, product }] of goods.entries()) {
    const place = places[i]
    if (!('receivedDate' in to)) touched.fill(identityOf(rowById.get(to.warehouseProductId) as StockRow))
    else if (place) {
      const { location: _, unit, mayCreateUnit, hold, ...identity } = to
      touched.fill({
        ...identity,
        ...{ partnerId: product.partnerId, productId: product.id, inventoryHoldId: null },
        warehouseLocationId: place.warehouseLocationId,
        logisticUnitId: place.targetUnit?.known?.id ?? null,
      })
    }
  }
  usedUnits.use(unitsOf(goods, incoming, parts))
}

/** The units that a request adds goods to and takes goods off. */
const unitsOf = (
  goods: readonly IncomingGoods[],
  incoming: IncomingSnapshot,
  parts: readonly TakenPart[],
): UnitsOfCommand => ({
  requests: goods.map(unitRequestFor),
  units: incoming.units.get(goods)?.units ?? [],
  emptied: parts.map(({ row }) => row.logisticUnitId),
})

/** The requests of the entries that take stock out of rows. */
const toTakeRequests = (
  adjustments: readonly Adjustment[],
  rows: FoundForAdjusting['rows'],
  refuse: ReportEntryFault,
): TakeRequest[] =>
  adjustments.flatMap((entry, n): TakeRequest[] => {
    if (entry.partnerProductId) return []
    const row = rows.get(entry) as StockRow | FieldFault
    if (isFieldFault(row)) refuse(n, ...row)
    else if (entry.quantity < 0) return [{ n, row, part: { ...entry, quantity: -entry.quantity } }]
    return []
  })

/** What entries that add goods are resolved from. */
interface AdditionFacts {
  attributeIds: AttributeIds
  rows: FoundForAdjusting['rows']
  products: Awaited<ReturnType<typeof findProducts>>
  zones: Awaited<ReturnType<typeof timeZonesOf>>
  locationOf: Awaited<ReturnType<typeof findLocations>>
}

/** Resolves the goods that requests add to existing rows or put into new ones. */
async function resolveAdditions(
  tx: Tx,
  { organisationId, attributeIds }: AdjustRecords,
  rows: FoundForAdjusting['rows'],
  requests: readonly AdjustRequest[],
): Promise<Map<AdjustRequest, ResolvedAdditions>> {
  const added = requests.flatMap(({ body }) => body.adjustments.filter(({ quantity }) => quantity > 0))
  const productIds = added.flatMap(entry => rowOf(rows, entry)?.productId ?? entry.partnerProductId ?? [])
  const described = added.filter(({ warehouseId }) => warehouseId)
  const warehouseIds = described.flatMap(({ warehouseId }) => warehouseId ?? [])
  const [products, zones, locationOf] = await Promise.all([
    findProducts(tx, organisationId, productIds),
    timeZonesOf(tx, organisationId, warehouseIds),
    findLocations(tx, organisationId, described.map(referenceOf)),
  ])
  const facts = { attributeIds, rows, products, zones, locationOf }
  return new Map(
    requests.map(request => {
      const faults: [number, ...FieldFault][] = []
      const goods = request.body.adjustments.flatMap((entry, n) =>
        entry.quantity > 0
          ? resolveAddition(entry, n, request.occurredUtc, facts, (...fault) => faults.push([n, ...fault]))
          : [],
      )
      return [request, { goods, faults }] as const
    }),
  )
}

const referenceOf = (entry: Adjustment) => ({ ...entry, warehouseId: entry.warehouseId ?? '' })

/** The goods that an entry adds, none if it has a fault. */
function resolveAddition(
  entry: Adjustment,
  n: number,
  occurredUtc: string | null,
  { attributeIds, rows, products, zones, locationOf }: AdditionFacts,
  refuse: ReportFault,
): IncomingGoods[] {
  const row = rowOf(rows, entry)
  if (!row && !entry.partnerProductId) return []
  const product = products.get(row?.productId ?? entry.partnerProductId ?? '')
  if (product === undefined) {
    refuse(`there is no product ${entry.partnerProductId}`, 'unknown_reference')
    return []
  }
  const quantity = toItems(product, entry, refuse)
  if (quantity === undefined) return []
  const goods = { n, product, quantity, ...serialsAndWeights(entry) }
  if (row) return [{ ...goods, to: { warehouseProductId: row.id } }]
  const reference = referenceOf(entry)
  const timezoneId = zones.get(reference.warehouseId)
  const location = hasLocation(reference) ? locationOf(reference) : null
  if (timezoneId === undefined) refuse(`there is no warehouse ${entry.warehouseId}`, 'unknown_reference')
  else if (location === undefined) refuse(...unknownLocation(reference))
  if (timezoneId === undefined || location === undefined) return []
  const to = {
    ...resolveDescription(entry, emptyDescription, { timezoneId, attributeIds }, refuse),
    ...{ warehouseId: reference.warehouseId, location },
    ...{ unit: entry.logisticUnit ?? null, mayCreateUnit: false, hold: null },
    receivedDate: receivedDay(entry.receivedDate, timezoneId, occurredUtc, refuse),
  }
  return [{ ...goods, to }]
}
