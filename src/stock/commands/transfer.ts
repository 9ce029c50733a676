// Moves stock within a warehouse: rows, parts of rows and whole logistic units. This is also how goods are
// put away. Spec 2.14.

import { sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { named, nullable, optional, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import type { LockTarget } from '../ledger/stock-lock.ts'
import { UnitReference } from '../logistic-units/unit-references.ts'
import type { CommandKind } from './command-kind.ts'
import { targetFields } from './location-reference.ts'
import { type PlannedMove, planMove, type TransferResult, writeMoves } from './move-stock.ts'
import { partFields } from './plan-take.ts'
import { type MoveRequest, type MoveSnapshot, readMoves, type Transfer } from './read-moves.ts'
import { findLockTargets } from './read-stock-rows.ts'
import { type StockRequest, stockCommand } from './stock-command.ts'
import { matchStock, selectorFaults, stockFields } from './stock-selector.ts'

/** Faults of entries that do not select their stock in exactly one way. */
function transferFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { logisticUnitId, ...rest } = (entry ?? {}) as Transfer
    if (!logisticUnitId) return selectorFaults(`[${i}]`, rest)
    const hasOtherFields =
      rest.warehouseProductId || rest.stock || rest.quantity || rest.serials || rest.toLogisticUnit
    if (!hasOtherFields) return []
    return [{ path: `[${i}]`, problem: 'moves a whole logistic unit, and so takes nothing but where to' }]
  })
}

const Entry = Type.Object({
  ...stockFields,
  ...partFields,
  logisticUnitId: optional({ ...Uuid, description: 'A whole logistic unit with everything on it.' }),
  ...targetFields,
  toLogisticUnit: optional(UnitReference),
})

const body = { transfers: Type.Array(Entry, { minItems: 1, maxItems: 1_000, rule: transferFaults }) }
type TransferRequest = StockRequest<
  '/v1/inventory/transfer',
  Static<ReturnType<typeof Type.Object<typeof body>>>
>

interface TransferRecords {
  organisationId: string
  moves: ReadonlyMap<TransferRequest, MoveRequest>
  /** what is locked beside the rows that entries name by id */
  further: readonly LockTarget[]
}

interface FoundForTransfers {
  moves: TransferRecords['moves']
  snapshot: MoveSnapshot
}

export const transferKind: CommandKind<
  TransferRequest,
  TransferResult,
  TransferRecords,
  FoundForTransfers,
  PlannedMove
> = {
  mayShare: () => true,
  weigh: ({ body }) => body.transfers.length,
  async lockRecords(tx, requests) {
    const [{ actor }] = requests as [TransferRequest]
    const { organisationId } = actor
    const moves = new Map(
      requests.map(request => {
        const { source, occurredUtc, body } = request
        return [request, { organisationId, source, occurredUtc, transfers: body.transfers }]
      }),
    )
    const entries = requests.flatMap(({ body }) => body.transfers)
    const described = await matchStock(
      tx,
      organisationId,
      entries.filter(({ stock }) => stock),
    )
    const logisticUnitIds = entries.flatMap(({ logisticUnitId }) => logisticUnitId ?? [])
    const onUnits =
      logisticUnitIds.length === 0
        ? []
        : await findLockTargets(tx, organisationId, { warehouseProductIds: [], logisticUnitIds })
    return { organisationId, moves, further: [...described.flat(), ...onUnits] }
  },
  targets({ organisationId, moves, further }) {
    const entries = [...moves.values()].flatMap(({ transfers }) => transfers)
    const ids = entries.flatMap(({ warehouseProductId }) => warehouseProductId ?? [])
    return sql`
      select warehouse_id, product_id from warehouse_product
      where organisation_id = ${organisationId} and id = any(${[...new Set(ids)]})
      union all
      select "warehouseId", "productId"
      from ${tableOf('t', { warehouseId: 'uuid', productId: 'uuid' }, further)}`
  },
  async read(tx, locking, { organisationId, moves }, requests) {
    const own = requests.map(request => moves.get(request) as MoveRequest)
    return { moves, snapshot: await readMoves(tx, locking, organisationId, own) }
  },
  plan: ({ moves, snapshot }, request) => planMove(snapshot, moves.get(request) as MoveRequest),
  write: (tx, locked, _, plans) => writeMoves(tx, locked, plans),
}

export const transferStock = [
  stockCommand({
    post: '/v1/inventory/transfer',
    name: 'transferStock',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Move stock within a warehouse',
    description:
      'Each entry moves a row of stock, a part of one (quantity, serials) or a whole logistic unit. ' +
      'Without toLogisticUnit, moved goods are loose. A whole row or unit keeps its allocations and ' +
      'holds. Part of a row can be moved only as far as it is not allocated. An empty unit that goods are ' +
      'put on moves to the location of its goods.',
    bodyName: 'StockTransfer',
    body,
    answer: named(
      'StockTransferred',
      Type.Object({
        movementId: Uuid,
        effectiveUtc: UtcTime,
        transfers: Type.Array(
          Type.Object({
            quantity: Type.Number(),
            warehouseLocationId: Uuid,
            logisticUnitId: nullable(Uuid),
            warehouseProductIds: Type.Array(Uuid),
          }),
        ),
      }),
    ),
    kind: transferKind,
  }),
]
