// Approves counted lines: adjusts stock by the difference between what was counted and what should have been
// there at that time. Later changes are not affected. Spec 2.14.

import type { Actor } from '../../access/actor.ts'
import { emit } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText } from '../../platform/decimal.ts'
import {
  collectFaults,
  type FaultCollector,
  type ReportEntryFault,
} from '../../platform/http/entry-faults.ts'
import type { Fault } from '../../platform/http/fault.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import {
  IntegerEnum,
  Name,
  named,
  nullable,
  optional,
  Type,
  UtcTime,
  Uuid,
} from '../../platform/http/schema.ts'
import { newId } from '../../platform/new-id.ts'
import {
  MovementCause,
  StockCountLineStatus,
  StockCountStatus,
  TransactionType,
} from '../../vocabulary/stock.ts'
import { planIncomingGoods, prepareIncomingMoves } from '../commands/incoming-goods.ts'
import { planTake } from '../commands/plan-take.ts'
import { numberOf } from '../commands/quantities.ts'
import { stockCommand } from '../commands/stock-command.ts'
import { findProducts, type StockProduct } from '../commands/stock-products.ts'
import {
  type AllocatedConsignments,
  chooseAllocationsToRelease,
  lockAllocatedConsignments,
  releaseEvents,
  releaseMoves,
} from '../holds/release-allocations.ts'
import { readAllocations } from '../inventory/allocations.ts'
import type { MovementSource, StockMove } from '../ledger/movement.ts'
import { post } from '../ledger/post.ts'
import { type LockedStock, lockStock } from '../ledger/stock-lock.ts'
import { coveredRows } from './book-quantity.ts'
import { type CountDifference, findCountDifferences } from './count-differences.ts'
import { type CountLine, describeCountLine, readCountLines } from './count-lines.ts'
import { approveIfComplete, type LockedStockCount, lockStockCountIn, notBefore } from './stock-count.ts'

interface Approval {
  stockCountLineIds?: string[] | null
  releaseAllocations?: boolean | null
  reason?: string | null
}

/** The condition for the lines that an approval selects. */
const selectedLines = ({ stockCountLineIds }: Approval) =>
  stockCountLineIds ? sql`l.id = any(${stockCountLineIds})` : sql`l.status = ${StockCountLineStatus.Counted}`

/** Locks the consignments whose allocations may be released. Consignments are locked before anything else. */
async function lockConsignmentsToRelease(
  tx: Tx,
  { organisationId }: Actor,
  stockCountId: string,
  approval: Approval,
): Promise<AllocatedConsignments> {
  if (!approval.releaseAllocations) return new Map()
  const rows = await tx.rows<{ id: string }>(sql`
    select s.id from stock_count_line l cross join lateral ${coveredRows} s
    where l.organisation_id = ${organisationId} and l.stock_count_id = ${stockCountId}
      and ${selectedLines(approval)}`)
  return lockAllocatedConsignments(
    tx,
    organisationId,
    rows.map(({ id }) => id),
  )
}

/**
 * Reads the lines to be approved.
 * @throws 400 if a line is unknown, not counted or already approved, or if the approver counted it and the
 *   organisation requires another one.
 */
async function readLinesToApprove(
  tx: Tx,
  actor: Actor,
  count: LockedStockCount,
  approval: Approval,
): Promise<CountLine[]> {
  const lines = await readCountLines(tx, count, selectedLines(approval))
  const { isOtherApproverRequired } = await tx.row<{ isOtherApproverRequired: boolean }>(sql`
    select count_approval_by_second_user as is_other_approver_required
    from organisation where id = ${actor.organisationId}`)
  const known = new Set(lines.map(({ id }) => id))
  const faults: Fault[] = (approval.stockCountLineIds ?? []).flatMap((id, n) =>
    known.has(id) ? [] : [unknownLineFault(`stockCountLineIds[${n}]`, id)],
  )
  const refuse = (line: CountLine, problem: string, code: Fault['code'] = 'wrong_status') =>
    faults.push({ path: null, code, message: `${describeCountLine(line)}: ${problem}.` })
  for (const line of lines) {
    if (line.status === StockCountLineStatus.Approved) refuse(line, 'it is already approved')
    else if (line.countedQuantity === null)
      refuse(line, 'it has not been counted yet: count it first, or approve the other lines')
    else if (isOtherApproverRequired && line.countedBy === actor.userId)
      refuse(line, 'whoever counted it cannot approve it: ask somebody else to', 'state')
  }
  if (lines.length === 0 && faults.length === 0)
    faults.push({
      path: null,
      code: 'wrong_status',
      message: 'No counted line waits to be approved: count the lines first.',
    })
  if (faults.length > 0) throw verificationFailed(...faults)
  return lines
}

const unknownLineFault = (path: string, id: string): Fault => ({
  path,
  code: 'unknown_reference',
  message: `${path}: the stock count has no line ${id}.`,
})

/** The facts that all moves of an approval share. */
interface MoveFacts {
  movementId: string
  occurredUtc: string | null
  reason: string
}

/** Posts the adjustments: first the goods that leave, so that serials found elsewhere can come in there. */
async function postAdjustments(
  tx: Tx,
  locked: LockedStock,
  source: MovementSource,
  facts: MoveFacts,
  differences: readonly CountDifference[],
  {
    consignments,
    isReleasing,
    faults,
  }: {
    consignments: AllocatedConsignments
    isReleasing: boolean
    faults: FaultCollector
  },
) {
  const { organisationId } = locked
  const lineOf = (n: number) => (differences[n] as CountDifference).line
  const refuse: ReportEntryFault = (n, ...problem) => faults.add(describeCountLine(lineOf(n)), ...problem)
  const takeRequests = differences.flatMap(({ leaving }) => leaving)
  const rowIds = [...new Set(takeRequests.map(({ row }) => row.id))]
  const allocationsOf = await readAllocations(tx, organisationId, rowIds)
  const { released, remaining } = isReleasing
    ? await chooseAllocationsToRelease(tx, organisationId, takeRequests, allocationsOf, consignments)
    : { released: [], remaining: allocationsOf }
  const parts = await planTake(
    tx,
    organisationId,
    takeRequests,
    { all: 'free', allocationsOf: remaining },
    refuse,
  )
  const outgoing = parts.map(
    ({ n, row, quantity, items }): StockMove => ({
      ...facts,
      type: TransactionType.Adjustment,
      from: row.id,
      to: null,
      quantity,
      items,
      ...causedBy(lineOf(n).id),
    }),
  )
  // If anything was refused, the transaction undoes these moves.
  const postedFirst = await post(tx, locked, source, [...releaseMoves(released, facts), ...outgoing])
  const found = differences.filter(({ entering }) => entering > 0n)
  const products = await findProducts(
    tx,
    organisationId,
    found.map(({ line }) => line.productId),
  )
  const goods = found.map(({ n, line, entering, into, serials }) => ({
    n,
    product: products.get(line.productId) as StockProduct,
    quantity: entering,
    serials: serials.map(serial => ({ serial })),
    weightKG: null,
    volumeM3: null,
    to: { warehouseProductId: into },
    isFound: true as const,
  }))
  const plan = await planIncomingGoods(tx, locked, goods, refuse)
  faults.throwIfAny()
  const incoming = await prepareIncomingMoves(tx, locked, source.userId, plan, {
    ...facts,
    particulars: null,
  })
  const posted = await post(
    tx,
    locked,
    source,
    incoming.map((move, i) => ({ ...move, ...causedBy(found[i]?.line.id) })),
  )
  return { released, posted: [...postedFirst, ...posted][0] }
}

/** What the ledger says of a move that puts a line of a count right. */
const causedBy = (lineId: string | undefined) => ({
  cause: MovementCause.Count,
  causeId: lineId ?? null,
  stockCountLineId: lineId ?? null,
})

/** Stores the compared quantities and closes the lines. Returns when they were approved. */
const closeLines = (
  tx: Tx,
  { organisationId, userId }: Actor,
  differences: readonly CountDifference[],
  { occurredUtc, reason }: Pick<MoveFacts, 'occurredUtc' | 'reason'>,
) =>
  tx.row<{ approvedUtc: string }>(sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(
        differences.map(({ line: { id, round }, book }) => ({ id, round, book: decimalText(4, book) })),
      )}) as g (id uuid, round integer, book numeric)
    ), approved as (
      select coalesce(${occurredUtc}::timestamptz, clock_timestamp()) as at
    ), closed as (
      update stock_count_line l set status = ${StockCountLineStatus.Approved}, is_open = false,
        book_quantity = g.book, counted_quantity = e.counted_quantity, counted_utc = e.counted_utc,
        approved_utc = a.at, approved_by = ${userId}, reason = ${reason},
        approved_by_name = (select user_name(${organisationId}, ${userId}))
      from given g cross join approved a
      cross join lateral (
        select x.counted_quantity, x.counted_utc from stock_count_entry x
        where x.organisation_id = ${organisationId} and x.stock_count_line_id = g.id and x.round = g.round
        order by x.counted_utc desc, x.ordinal desc limit 1
      ) e
      where l.organisation_id = ${organisationId} and l.id = g.id
    )
    select as_utc(at) as approved_utc from approved`)

/** Returns the net change of stock, in items. */
const adjustedQuantityOf = ({ leaving, entering }: CountDifference): number =>
  numberOf(entering) - leaving.reduce((sum, { part }) => sum + (part.quantity ?? 0), 0)

export const approveStockCount = [
  stockCommand({
    post: '/v1/stock-counts/:stockCountId/approve',
    name: 'approveStockCount',
    canBeRehearsed: true,
    scope: 'inventory',
    summary: 'Approve counted lines and adjust stock',
    description:
      'Approves all counted lines, or only those in stockCountLineIds, once counting has begun: what is ' +
      'not counted yet need not hold up the rest. Stock is adjusted by the counted ' +
      'quantity less what should have been there at that moment, as far as is known now. Responds 400 if ' +
      'stock would fall below what is allocated, unless releaseAllocations is set: then allocations are ' +
      'released, and consignment lines become short. A count that is Counted becomes Approved with its ' +
      'last line. occurredUtc must not be before the latest of the counts.',
    bodyName: 'StockCountApproval',
    body: {
      stockCountLineIds: optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000 })),
      releaseAllocations: optional(Type.Boolean()),
      reason: optional({ ...Name, description: 'defaults to “Stock count” and its number' }),
    },
    bodyOptional: true,
    answer: named(
      'StockCountApproved',
      Type.Object({
        movementId: nullable({ ...Uuid, description: 'null if nothing had to be adjusted' }),
        effectiveUtc: UtcTime,
        status: IntegerEnum(StockCountStatus),
        stockCountLines: Type.Array(
          Type.Object({
            stockCountLineId: Uuid,
            bookQuantity: Type.Number(),
            countedQuantity: Type.Number(),
            varianceQuantity: Type.Number(),
            adjustedQuantity: Type.Number({
              description: 'the change of stock; differs from the variance if serials have moved since',
            }),
          }),
        ),
      }),
    ),
    async run({ tx, actor, params, body, source, requestId, occurredUtc: givenUtc }) {
      const { organisationId } = actor
      const consignments = await lockConsignmentsToRelease(tx, actor, params.stockCountId, body)
      const { InProgress, Counted } = StockCountStatus
      const count = await lockStockCountIn(tx, actor, params.stockCountId, [InProgress, Counted])
      const lines = await readLinesToApprove(tx, actor, count, body)
      const latestCount = lines
        .map(({ countedUtc }) => countedUtc as string)
        .toSorted()
        .at(-1) as string
      const occurredUtc = notBefore(givenUtc, latestCount, 'what it approves was counted')
      const locked = await lockStock(tx, organisationId, lines)
      const faults = collectFaults('words')
      const differences = await findCountDifferences(tx, organisationId, lines, (n, ...problem) =>
        faults.add(describeCountLine(lines[n] as CountLine), ...problem),
      )
      const reason = body.reason ?? `Stock count ${count.stockCountNumber}`
      const facts = { movementId: newId(), occurredUtc, reason }
      const isReleasing = body.releaseAllocations === true
      const { released, posted } = await postAdjustments(tx, locked, source, facts, differences, {
        consignments,
        isReleasing,
        faults,
      })
      const { approvedUtc } = await closeLines(tx, actor, differences, facts)
      await emit(tx, { ...actor, requestId }, releaseEvents(released, consignments))
      const isApproved = await approveIfComplete(tx, count)
      return {
        movementId: posted ? facts.movementId : null,
        effectiveUtc: posted?.effectiveUtc ?? approvedUtc,
        status: isApproved ? StockCountStatus.Approved : count.status,
        stockCountLines: differences.map(difference => ({
          stockCountLineId: difference.line.id,
          bookQuantity: numberOf(difference.book),
          countedQuantity: numberOf(difference.counted),
          varianceQuantity: numberOf(difference.counted - difference.book),
          adjustedQuantity: adjustedQuantityOf(difference),
        })),
      }
    },
  }),
]
