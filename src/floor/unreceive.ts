// The endpoint that takes back goods which were received for an inwards consignment by mistake. Spec 2.14.

import type { LockedConsignment } from '../consignments/consignment.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { scale, smaller } from '../platform/decimal.ts'
import {
  collectFaults,
  type FaultCollector,
  isProblem,
  type Problem,
  type ReportFault,
} from '../platform/http/entry-faults.ts'
import { Decimal, Name, named, optional, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { convertToItems } from '../stock/commands/convert-to-items.ts'
import { numberOf, repeatedSerials } from '../stock/commands/quantities.ts'
import { type SerialInRow, serialsInRows } from '../stock/commands/serials-in-rows.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import type { StockRow } from '../stock/commands/stock-rows.ts'
import {
  matchStock,
  readSelectedStock,
  selectorFaults,
  stockFields,
} from '../stock/commands/stock-selector.ts'
import { partFields } from '../stock/commands/take.ts'
import { listConsignmentNumbers, readAllocations } from '../stock/inventory/allocations.ts'
import { oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { lockReceivable } from './receive.ts'
import { emitReceivedQuantities } from './receiving/arrival.ts'
import { readInwardsLines } from './receiving/inwards-line.ts'

const Unreceipt = Type.Object({
  ...stockFields,
  ...partFields,
  quantity: optional({
    ...Decimal(4, { exclusiveMinimum: 0 }),
    description: 'everything that was received for the consignment, by default',
  }),
})
type Unreceipt = Static<typeof Unreceipt>

const Answer = named(
  'ConsignmentUnreceiveResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({ consignmentProductId: Uuid, receivedQuantity: Type.Number() }),
    ),
  }),
)

/**
 * The quantities in rows of stock that were received for each line of a consignment and not taken back, last
 * line first.
 */
async function readReceived(db: Db, { organisationId, id }: LockedConsignment, rowIds: readonly string[]) {
  const rows = await db.rows<{ warehouseProductId: string; lineId: string; quantity: number }>(sql`
    select t.warehouse_product_id, r.id as line_id, sum(t.quantity) as quantity
    from inventory_transaction t
    join consignment_product r on r.organisation_id = t.organisation_id and r.id = t.consignment_product_id
    where t.organisation_id = ${organisationId} and t.consignment_id = ${id}
      and t.type = ${TransactionType.Receive} and t.warehouse_product_id = any(${rowIds})
    group by t.warehouse_product_id, r.id, r.ordinal having sum(t.quantity) > 0
    order by r.ordinal desc`)
  return Map.groupBy(
    rows.map(row => ({ ...row, quantity: scale(4, row.quantity) })),
    ({ warehouseProductId }) => warehouseProductId,
  )
}

/** What remains of a row of stock after the entries so far. Quantities are in ten-thousandths. */
interface RemainingStock {
  row: StockRow
  /** not allocated */
  free: bigint
  /** received for the consignment, by line */
  received: { lineId: string; quantity: bigint }[]
  serials: Map<string, SerialInRow>
  allocatedTo: string
}

/** The serials that go with a quantity of a row; undefined after reporting faults to `refuse`. */
function serialsFor(
  { row, serials }: RemainingStock,
  quantity: bigint,
  given: readonly string[],
  refuse: ReportFault,
): SerialInRow[] | undefined {
  if (given.length === 0 && quantity === row.onHand) return [...serials.values()]
  const without = numberOf(row.onHand) - serials.size
  const needed = Math.max(0, numberOf(quantity) - without)
  if (given.length < needed || given.length > numberOf(quantity)) {
    refuse(
      `${numberOf(quantity)} of ${row.productCode} need ${needed} serials, not ${given.length}`,
      'invalid',
    )
    return undefined
  }
  const found = given.map(serial => serials.get(serial))
  const faults = given.filter((_, i) => found[i] === undefined)
  for (const serial of faults)
    refuse(
      `the serial ${serial} of ${row.productCode} is not in this stock in ${row.locationName}`,
      'unknown_reference',
    )
  const repeated = repeatedSerials([{ productId: row.productId, serials: given }])
  for (const { serial } of repeated) refuse(`the serial ${serial} is given twice`, 'duplicate')
  for (const item of found)
    if (item?.allocatedTo) refuse(`the serial ${item.serial} is allocated to ${item.allocatedTo}`, 'state')
  return faults.length + repeated.length > 0 || found.some(item => item?.allocatedTo)
    ? undefined
    : found.filter(item => item !== undefined)
}

/** Takes an entry out of what remains of its row. Returns the part of each line, with its serials. */
function takeParts(
  { quantity: requestedQuantity, serials: given }: Unreceipt,
  remaining: RemainingStock,
  refuse: ReportFault,
): { lineId: string; quantity: bigint; items: string[] }[] {
  const { row, received, free, allocatedTo } = remaining
  const total = received.reduce((sum, { quantity }) => sum + quantity, 0n)
  if (total === 0n) {
    refuse(`nothing of this stock in ${row.locationName} was received for this consignment`, 'state')
    return []
  }
  const quantity = requestedQuantity
    ? scale(4, requestedQuantity)
    : given?.length
      ? BigInt(given.length) * oneItem
      : total
  if (quantity > total) {
    refuse(`only ${numberOf(total)} of ${row.productCode} were received here for this consignment`, 'state')
    return []
  }
  if (quantity > free) {
    const allocated = row.allocated > 0n ? `; ${numberOf(row.allocated)} are allocated to ${allocatedTo}` : ''
    refuse(
      `only ${numberOf(free)} of ${numberOf(row.onHand)} are free in ${row.locationName}${allocated}`,
      'state',
    )
    return []
  }
  const items = serialsFor(remaining, quantity, given ?? [], refuse)
  if (items === undefined) return []
  for (const { serial } of items) remaining.serials.delete(serial)
  remaining.free -= quantity
  remaining.row = { ...row, onHand: row.onHand - quantity }
  const parts: ReturnType<typeof takeParts> = []
  let outstanding = quantity
  for (const line of received) {
    const part = smaller(line.quantity, outstanding)
    line.quantity -= part
    outstanding -= part
    if (part > 0n) parts.push({ lineId: line.lineId, quantity: part, items: [] })
  }
  // Each line gives up as many serials as goods, and the last line the remaining ones.
  for (const [i, part] of parts.entries())
    part.items =
      i === parts.length - 1
        ? items.map(({ id }) => id)
        : items.splice(0, numberOf(part.quantity)).map(({ id }) => id)
  return parts
}

/** The ledger moves of all entries. The stock must be locked. Adds the faults of entries. */
async function toMoves(
  tx: Tx,
  consignment: LockedConsignment,
  entries: readonly Unreceipt[],
  found: readonly (StockRow | Problem)[],
  facts: Pick<StockMove, 'movementId' | 'reason' | 'occurredUtc'>,
  faults: FaultCollector,
): Promise<StockMove[]> {
  const { organisationId } = consignment
  const rows = found.flatMap(row => (isProblem(row) ? [] : [row]))
  const ids = [...new Set(rows.map(({ id }) => id))]
  const received = await readReceived(tx, consignment, ids)
  const serials = await serialsInRows(tx, organisationId, ids)
  const promises = await readAllocations(tx, organisationId, ids)
  const remainingByRow = new Map<string, RemainingStock>(
    rows.map(row => [
      row.id,
      {
        row,
        free: row.onHand - row.allocated,
        received: received.get(row.id) ?? [],
        serials: new Map(serials(row.id).map(item => [item.serial, item])),
        allocatedTo: listConsignmentNumbers(promises(row.id)),
      },
    ]),
  )
  return entries.flatMap((entry, i) => {
    const row = found[i] as StockRow | Problem
    const refuse: ReportFault = (...fault) => faults.add(`unreceipts[${i}]`, ...fault)
    if (isProblem(row)) {
      refuse(...row)
      return []
    }
    return takeParts(entry, remainingByRow.get(row.id) as RemainingStock, refuse).map(
      ({ lineId, quantity, items }) => ({
        ...facts,
        type: TransactionType.Receive,
        from: row.id,
        to: null,
        quantity,
        items,
        consignmentId: consignment.id,
        consignmentProductId: lineId,
      }),
    )
  })
}

/**
 * Ends the holds of these rows that no longer hold any stock, and clears the receipt time of the consignment
 * if nothing is received for it any more.
 */
async function cleanUp(
  tx: Tx,
  { organisationId, id }: LockedConsignment,
  rowIds: readonly string[],
): Promise<void> {
  const holds = sql`h.organisation_id = ${organisationId} and h.id in (
    select inventory_hold_id from warehouse_product
    where organisation_id = ${organisationId} and id = any(${rowIds}))`
  await tx.run(sql`select from inventory_hold h where ${holds} order by h.id for no key update`)
  await tx.run(sql`
    update inventory_hold h set released_utc = now()
    where ${holds} and h.released_utc is null
      and not exists (select from warehouse_product p where p.organisation_id = h.organisation_id
        and p.inventory_hold_id = h.id and not p.is_depleted)`)
  await tx.run(sql`
    update consignment set actual_receive_date_time = null
    where organisation_id = ${organisationId} and id = ${id} and not exists (
      select from consignment_product r where r.organisation_id = ${organisationId}
        and r.consignment_id = ${id}
        and r.received_quantity > 0)`)
}

export const unreceive = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/unreceive',
    name: 'unreceiveConsignment',
    scope: ['consignment', 'inventory'],
    summary: 'Take back goods that were received for an inwards consignment',
    description:
      'Goods are taken back from the stock into which they were received, as far as they are still there ' +
      'and not allocated. If nothing remains received, the actualReceiveDateTime of the consignment is ' +
      'cleared.',
    bodyName: 'ConsignmentUnreceive',
    body: {
      unreceipts: Type.Array(Unreceipt, {
        minItems: 1,
        maxItems: 1_000,
        rule: (value: unknown) =>
          (Array.isArray(value) ? value : []).flatMap((entry, i) => selectorFaults(`/${i}`, entry)),
      }),
      reason: Name,
    },
    files: true,
    answer: Answer,
    async run({ tx, actor, params, body: { unreceipts: requested, reason }, source, occurredUtc }) {
      const consignment = await lockReceivable(tx, actor, params.consignmentId)
      const { organisationId, warehouseId } = consignment
      const matches = await matchStock(tx, organisationId, requested, warehouseId)
      const locked = await lockStock(tx, organisationId, matches.flat())
      const rows = await readSelectedStock(tx, locked.organisationId, locked, requested, warehouseId)
      const productIds = rows.map(row => (isProblem(row) ? undefined : row.productId))
      const unreceipts = await convertToItems(
        tx,
        organisationId,
        requested,
        'unreceipts',
        (_, n) => productIds[n],
      )
      const faults = collectFaults()
      const movementId = newId()
      const facts = { movementId, reason, occurredUtc }
      const moves = await toMoves(tx, consignment, unreceipts, rows, facts, faults)
      faults.throwIfAny()
      const lines = await readInwardsLines(tx, organisationId, consignment.id)
      const [posted] = await post(tx, locked, source, moves)
      await cleanUp(
        tx,
        consignment,
        moves.flatMap(({ from }) => from ?? []),
      )
      const taken = Map.groupBy(moves, ({ consignmentProductId }) => consignmentProductId)
      const changes = lines.flatMap(line => {
        const quantity = (taken.get(line.id) ?? []).reduce((sum, move) => sum + move.quantity, 0n)
        return quantity === 0n ? [] : [{ line, quantity: -quantity }]
      })
      await emitReceivedQuantities(tx, { ...actor, requestId: source.requestId }, consignment, changes)
      return {
        movementId,
        effectiveUtc: posted?.effectiveUtc as string,
        consignmentProducts: changes.map(({ line, quantity }) => ({
          consignmentProductId: line.id,
          receivedQuantity: numberOf(line.received + quantity),
        })),
      }
    },
  }),
]
