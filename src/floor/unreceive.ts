// The endpoint that takes back goods which were received for an inwards consignment by mistake. Spec 2.14.

import type { LockedConsignment } from '../consignments/consignment.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import { scale, smaller } from '../platform/decimal.ts'
import {
  collectFaults,
  type FaultCollector,
  type FieldFault,
  isFieldFault,
  type ReportFault,
} from '../platform/http/entry-faults.ts'
import { Decimal, Name, named, optional, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import { newId } from '../platform/new-id.ts'
import { convertToItems } from '../stock/commands/convert-to-items.ts'
import { partFields } from '../stock/commands/plan-take.ts'
import { numberOf, repeatedSerials } from '../stock/commands/quantities.ts'
import { readSerialsByRow, type SerialInRow } from '../stock/commands/read-serials.ts'
import type { StockRow } from '../stock/commands/read-stock-rows.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import {
  matchStock,
  readSelectedStock,
  selectorFaults,
  stockFields,
} from '../stock/commands/stock-selector.ts'
import { listConsignmentNumbers, readAllocations } from '../stock/inventory/allocations.ts'
import { oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { emitReceivedQuantities, restoreReceiveTime } from './receiving/arrival.ts'
import { lockConsignmentToReceive } from './receiving/inwards-consignment.ts'
import { readInwardsLines } from './receiving/inwards-line.ts'
import {
  readReceivedMeasures,
  toUnreceiptMoves,
  type UnreceivedPart,
} from './receiving/measure-unreceipts.ts'

const Unreceipt = Type.Object({
  ...stockFields,
  ...partFields,
  quantity: optional({
    ...Decimal(4, { exclusiveMinimum: 0 }),
    description: 'everything that was received for the consignment, by default',
  }),
})
type Unreceipt = Static<typeof Unreceipt>

const UnreceiveResult = named(
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
  /** the line that a serial was last received for, by its id */
  lineOfSerial: ReadonlyMap<string, string>
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
      `${numberOf(quantity)} of ${row.productCode} need ` +
        `${needed === 1 ? '1 serial' : `${needed} serials`}, not ${given.length}`,
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
  for (const { serial } of repeated) refuse(`the serial ${serial} is listed twice`, 'duplicate')
  for (const item of found)
    if (item?.allocatedTo)
      refuse(`the serial ${item.serial} is allocated to ${item.allocatedTo}`, 'allocated')
  return faults.length + repeated.length > 0 || found.some(item => item?.allocatedTo)
    ? undefined
    : found.filter(item => item !== undefined)
}

/** Takes an entry out of what remains of its row. Returns the part of each line, with its serials. */
function takeParts(
  { quantity: requestedQuantity, serials: given }: Unreceipt,
  remaining: RemainingStock,
  refuse: ReportFault,
): UnreceivedPart[] {
  const { row, received, free, allocatedTo } = remaining
  const total = received.reduce((sum, { quantity }) => sum + quantity, 0n)
  if (total === 0n) {
    refuse(`nothing of this stock in ${row.locationName} was received for this consignment`, 'not_here')
    return []
  }
  const quantity = requestedQuantity
    ? scale(4, requestedQuantity)
    : given?.length
      ? BigInt(given.length) * oneItem
      : total
  if (quantity > total) {
    refuse(
      `only ${numberOf(total)} of ${row.productCode} were received here for this consignment`,
      'insufficient_stock',
    )
    return []
  }
  if (quantity > free) {
    const allocated = row.allocated > 0n ? `; ${numberOf(row.allocated)} are allocated to ${allocatedTo}` : ''
    refuse(
      `only ${numberOf(free)} of ${numberOf(row.onHand)} are free in ${row.locationName}${allocated}`,
      row.allocated > 0n ? 'allocated' : 'insufficient_stock',
    )
    return []
  }
  const items = serialsFor(remaining, quantity, given ?? [], refuse)
  if (items === undefined) return []
  for (const { serial } of items) remaining.serials.delete(serial)
  remaining.free -= quantity
  const parts = distributeOverLines(remaining, quantity, items)
  remaining.row = { ...row, onHand: row.onHand - quantity }
  return parts
}

/**
 * Distributes what is taken back over the lines that it was received for: serials go to the line of their
 * last receipt, and the other goods to the last line first.
 */
function distributeOverLines(
  { row, received, lineOfSerial }: RemainingStock,
  quantity: bigint,
  items: readonly SerialInRow[],
): UnreceivedPart[] {
  const parts = received.map(line => ({ line, quantity: 0n, items: [] as SerialInRow[] }))
  let outstanding = quantity
  const give = (part: (typeof parts)[number], most: bigint) => {
    const given = smaller(smaller(part.line.quantity, outstanding), most)
    part.quantity += given
    part.line.quantity -= given
    outstanding -= given
    return given
  }
  const unassigned = items.filter(item => {
    const part = parts.find(({ line }) => line.lineId === lineOfSerial.get(item.id))
    if (part === undefined || part.line.quantity < oneItem) return true
    give(part, oneItem)
    part.items.push(item)
    return false
  })
  for (const part of parts) {
    const given = give(part, outstanding)
    part.items.push(...unassigned.splice(0, numberOf(given)))
  }
  // Of goods that come in fractions, a serial may be left: it goes with the last part.
  parts.findLast(part => part.quantity > 0n)?.items.push(...unassigned)
  return parts
    .filter(part => part.quantity > 0n)
    .map(part => ({ row, lineId: part.line.lineId, quantity: part.quantity, items: part.items }))
}

/** The line of this consignment that each serial in these rows was last received for, by the serial's id. */
async function readLinesOfSerials(
  db: Db,
  { organisationId, id }: LockedConsignment,
  rowIds: readonly string[],
) {
  const rows = await db.rows<{ itemId: string; lineId: string }>(sql`
    select distinct on (i.id) i.id as item_id, t.consignment_product_id as line_id
    from warehouse_product_item i
    join inventory_transaction_item x on x.organisation_id = i.organisation_id
      and x.warehouse_product_item_id = i.id
    join inventory_transaction t on t.organisation_id = x.organisation_id
      and t.warehouse_product_id = x.warehouse_product_id and t.version = x.version
    where i.organisation_id = ${organisationId} and i.warehouse_product_id = any(${rowIds})
      and t.consignment_id = ${id} and t.type = ${TransactionType.Receive} and t.quantity > 0
    order by i.id, t.recorded_utc desc, t.version desc`)
  return new Map(rows.map(({ itemId, lineId }) => [itemId, lineId]))
}

/** The ledger moves of all entries. The stock must be locked. Adds the faults of entries. */
async function toMoves(
  tx: Tx,
  consignment: LockedConsignment,
  entries: readonly Unreceipt[],
  found: readonly (StockRow | FieldFault)[],
  facts: Pick<StockMove, 'movementId' | 'reason' | 'occurredUtc'>,
  faults: FaultCollector,
): Promise<StockMove[]> {
  const { organisationId } = consignment
  const rows = found.flatMap(row => (isFieldFault(row) ? [] : [row]))
  const ids = [...new Set(rows.map(({ id }) => id))]
  const received = await readReceived(tx, consignment, ids)
  const serials = await readSerialsByRow(tx, organisationId, ids)
  const lineOfSerial = await readLinesOfSerials(tx, consignment, ids)
  const measures = await readReceivedMeasures(tx, organisationId, consignment.id)
  const promises = await readAllocations(tx, organisationId, ids)
  const remainingByRow = new Map<string, RemainingStock>(
    rows.map(row => [
      row.id,
      {
        row,
        free: row.onHand - row.allocated,
        received: received.get(row.id) ?? [],
        serials: new Map(serials(row.id).map(item => [item.serial, item])),
        lineOfSerial,
        allocatedTo: listConsignmentNumbers(promises(row.id)),
      },
    ]),
  )
  const parts = entries.flatMap((entry, i) => {
    const row = found[i] as StockRow | FieldFault
    const refuse: ReportFault = (...fault) => faults.add(`unreceipts[${i}]`, ...fault)
    if (isFieldFault(row)) {
      refuse(...row)
      return []
    }
    return takeParts(entry, remainingByRow.get(row.id) as RemainingStock, refuse)
  })
  const byId = new Map(rows.map(row => [row.id, row]))
  const ofRowsBefore = parts.map(part => ({ ...part, row: byId.get(part.row.id) as StockRow }))
  return toUnreceiptMoves(ofRowsBefore, measures, { ...facts, consignmentId: consignment.id })
}

export const unreceiveConsignment = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/unreceive',
    name: 'unreceiveConsignment',
    canBeRehearsed: true,
    scope: ['consignment', 'inventory'],
    summary: 'Take back goods that were received for an inwards consignment',
    description:
      'Goods are taken back from the stock into which they were received, as far as they are still there ' +
      'and not allocated, each line with the weight and volume that it received. The ' +
      'actualReceiveDateTime of the consignment becomes that of the earliest receipt that is left, and ' +
      'null if there is none.',
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
    answer: UnreceiveResult,
    async run({ tx, actor, params, body: { unreceipts: requested, reason }, source, occurredUtc }) {
      const consignment = await lockConsignmentToReceive(tx, actor, params.consignmentId)
      const { organisationId, warehouseId } = consignment
      const matches = await matchStock(tx, organisationId, requested, warehouseId)
      const locked = await lockStock(tx, organisationId, matches.flat())
      const rows = await readSelectedStock(tx, locked.organisationId, locked, requested, warehouseId)
      const productIds = rows.map(row => (isFieldFault(row) ? undefined : row.productId))
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
      const lines = await readInwardsLines(tx, organisationId, [consignment.id])
      const [posted] = await post(tx, locked, source, moves)
      await restoreReceiveTime(tx, consignment)
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
