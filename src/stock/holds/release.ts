// Releases held stock, all of a hold or some of it: it moves to rows that are alike but not held. Spec 2.14.

import { type Sql, sql, type Tx } from '../../platform/database/db.ts'
import { TransactionRestart } from '../../platform/database/errors.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import {
  collectEntryFaults,
  type FieldFault,
  isFieldFault,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { named, nullable, optional, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import { type CommandKind, Postponed } from '../commands/command-kind.ts'
import { readTakeState, type TakenPart, type TakeRequest, type TakeState } from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { identityOf, readStockRows, type StockRow } from '../commands/read-stock-rows.ts'
import { type StockRequest, stockCommand } from '../commands/stock-command.ts'
import { matchStock, readSelectedStock } from '../commands/stock-selector.ts'
import { TouchedStock } from '../commands/touched-stock.ts'
import { noSharedSource } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { findOrCreateStockRows } from '../ledger/stock-identity.ts'
import type { LockedStock, LockTarget } from '../ledger/stock-lock.ts'
import type { HoldEntry } from './hold-stock.ts'
import { HeldStockEntry, holdEntryFaults } from './holds.ts'

const body = {
  stock: optional(Type.Array(HeldStockEntry, { minItems: 1, maxItems: 1_000, rule: holdEntryFaults })),
}
const path = '/v1/inventory/holds/:inventoryHoldId/release'
type ReleaseRequest = StockRequest<typeof path, Static<ReturnType<typeof Type.Object<typeof body>>>>

const HoldReleased = named(
  'InventoryHoldReleased',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    releasedQuantity: Type.Number(),
    releasedUtc: nullable({ ...UtcTime, description: 'Set when nothing is left in the hold.' }),
    warehouseProductIds: Type.Array(Uuid),
  }),
)

interface ReleaseRecords {
  organisationId: string
  holdIds: readonly string[]
  /** the stock that entries select */
  selected: readonly LockTarget[]
}

interface FoundForRelease {
  /** when each hold was released, by its id; null if it is open */
  holds: ReadonlyMap<string, string | null>
  /** the rows in holds, by the id of the hold */
  held: ReadonlyMap<string, readonly StockRow[]>
  rows: ReadonlyMap<HoldEntry, StockRow | FieldFault>
  takes: TakeState
  touched: TouchedStock
  /** the holds of which something is released already */
  used: Set<string>
}

interface PlannedRelease {
  request: ReleaseRequest
  parts: readonly TakenPart[]
}

const holdIdOf = ({ params }: ReleaseRequest) => params.inventoryHoldId.toLowerCase()
const entriesOf = (requests: readonly ReleaseRequest[]) => requests.flatMap(({ body }) => body?.stock ?? [])
const isIn = (holdIds: readonly string[]): Sql =>
  sql`p.inventory_hold_id = any(${holdIds}) and not p.is_depleted`

/**
 * Reads when holds were released. Locks them, so that exactly one of two concurrent releases of the last
 * stock closes a hold. Call it after the stock is locked, because other transactions take the two locks in
 * that order.
 */
async function lockHolds(tx: Tx, organisationId: string, ids: readonly string[]) {
  const holds = await tx.rows<{ id: string; releasedUtc: string | null }>(sql`
    select id, released_utc from inventory_hold
    where organisation_id = ${organisationId} and id = any(${ids}) order by id for no key update`)
  return new Map(holds.map(({ id, releasedUtc }) => [id, releasedUtc]))
}

const nothingOnUnit: FieldFault = ['nothing on that logistic unit is in this hold', 'not_here']

/** The parts of the hold that entries select. */
const toTakeRequests = (
  stock: readonly HoldEntry[],
  { rows, held }: Pick<FoundForRelease, 'rows' | 'held'>,
  inventoryHoldId: string,
  refuse: ReportEntryFault,
): TakeRequest[] =>
  stock.flatMap((entry, n): TakeRequest[] => {
    const own = held.get(inventoryHoldId) ?? []
    const onUnit = own.filter(row => row.logisticUnitId === entry.logisticUnitId?.toLowerCase())
    if (entry.logisticUnitId && onUnit.length > 0) return onUnit.map(row => ({ n, row, part: {} }))
    const row = entry.logisticUnitId ? nothingOnUnit : (rows.get(entry) as StockRow | FieldFault)
    if (isFieldFault(row)) refuse(n, ...row)
    else if (row.inventoryHoldId !== inventoryHoldId)
      refuse(n, `${row.productCode} in ${row.locationName} is not in this hold`, 'not_here')
    else return [{ n, row, part: entry }]
    return []
  })

/** Releases share a transaction if they are of different holds. */
export const releaseHoldKind: CommandKind<
  ReleaseRequest,
  Static<typeof HoldReleased>,
  ReleaseRecords,
  FoundForRelease,
  PlannedRelease
> = {
  mayShare: () => true,
  weigh: ({ body }) => body?.stock?.length ?? 1,
  async lockRecords(tx, requests) {
    const [{ actor }] = requests as [ReleaseRequest]
    const { organisationId } = actor
    const selected = (await matchStock(tx, organisationId, entriesOf(requests))).flat()
    return { organisationId, holdIds: [...new Set(requests.map(holdIdOf))], selected }
  },
  targets: ({ organisationId, holdIds, selected }) => sql`
    select p.warehouse_id, p.product_id from warehouse_product p
    where p.organisation_id = ${organisationId} and ${isIn(holdIds)}
    union all
    select "warehouseId", "productId"
    from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, selected)}`,
  async read(tx, locking, { organisationId, holdIds }, requests) {
    const locked = await locking
    const holds = await lockHolds(tx, organisationId, holdIds)
    const entries = entriesOf(requests).filter(({ logisticUnitId }) => !logisticUnitId)
    const [inHolds, selected] = await Promise.all([
      readStockRows(tx, organisationId, isIn(holdIds)),
      readSelectedStock(tx, organisationId, locked, entries),
    ])
    if (!inHolds.every(row => locked.covers(row))) throw new TransactionRestart()
    const rows = new Map(entries.map((entry, n) => [entry, selected[n] as StockRow | FieldFault]))
    const held = Map.groupBy(inHolds, ({ inventoryHoldId }) => inventoryHoldId as string)
    const parts = entries.map(part => ({ part, row: rows.get(part) as StockRow | FieldFault }))
    const takes = await readTakeState(tx, organisationId, [
      ...inHolds.map(row => ({ row, part: {} })),
      ...parts.flatMap(({ part, row }) => (isFieldFault(row) ? [] : [{ part, row }])),
    ])
    return { holds, held, rows, takes, touched: new TouchedStock(), used: new Set() }
  },
  plan({ holds, held, rows, takes, touched, used }, request) {
    const id = holdIdOf(request)
    const stock = request.body?.stock
    if (used.has(id) || touched.mayMatchAnew(stock ?? [])) throw new Postponed()
    const releasedUtc = holds.get(id)
    if (releasedUtc === undefined) throw notFound('Hold')
    if (releasedUtc !== null) throw verificationFailed('The hold is already released: nothing is left in it.')
    const { refuse, throwIfAny } = collectEntryFaults('stock')
    const wanted = stock
      ? toTakeRequests(stock, { rows, held }, id, refuse)
      : (held.get(id) ?? []).map(row => ({ n: 0, row, part: {} }))
    const { parts, keep } = takes.plan(wanted, 'everything', refuse)
    throwIfAny()
    keep()
    used.add(id)
    for (const { row } of parts) touched.take(row)
    return { request, parts }
  },
  write: writeReleases,
}

/** Moves what is released to rows that are alike but not held. */
async function writeReleases(
  tx: Tx,
  locked: LockedStock,
  _: FoundForRelease,
  plans: readonly PlannedRelease[],
): Promise<Static<typeof HoldReleased>[]> {
  const released = plans.flatMap(({ request: { source, occurredUtc }, parts }) => {
    const facts = { source, occurredUtc, movementId: newId(), type: TransactionType.Hold }
    return parts.map(part => ({ part, facts }))
  })
  const targets = await findOrCreateStockRows(
    tx,
    locked,
    released.map(({ part: { row } }) => ({ ...identityOf(row), inventoryHoldId: null })),
  )
  const moves = released.map(({ part: { row, quantity, items }, facts }, i) => {
    return { ...facts, from: row.id, to: targets[i] as string, quantity, items }
  })
  const posted = await post(tx, locked, noSharedSource, moves)
  const times = new Map(posted.map(({ movementId, effectiveUtc }) => [movementId, effectiveUtc]))
  const ids = plans.map(({ request }) => holdIdOf(request))
  const holds = await lockHolds(tx, locked.organisationId, ids)
  const remaining = moves.values()
  return plans.map(({ request, parts }, i) => {
    const own = [...remaining.take(parts.length)]
    const movementId = own[0]?.movementId ?? newId()
    return {
      movementId,
      effectiveUtc: times.get(movementId) ?? request.occurredUtc ?? new Date().toISOString(),
      releasedQuantity: numberOf(parts.reduce((sum, { quantity }) => sum + quantity, 0n)),
      releasedUtc: holds.get(ids[i] as string) ?? null,
      warehouseProductIds: [...new Set(own.map(({ to }) => to))],
    }
  })
}

export const releaseHold = [
  stockCommand({
    post: path,
    name: 'releaseInventoryHold',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Release stock from a hold',
    description: 'Releases everything unless stock is given. The hold is closed when nothing is left in it.',
    bodyName: 'InventoryHoldRelease',
    body,
    bodyOptional: true,
    answer: HoldReleased,
    kind: releaseHoldKind,
  }),
]
