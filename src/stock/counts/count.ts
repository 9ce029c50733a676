// Records counts: for lines of a stock count, and for found goods that have no line. Does not change stock.
// Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { decimalText } from '../../platform/decimal.ts'
import { collectEntryFaults, type ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { named, optional, Quantity, type Static, Type, UtcTime, Uuid } from '../../platform/http/schema.ts'
import type { ValidationError } from '../../platform/http/validation.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { StockCountLineStatus, StockCountStatus } from '../../vocabulary/stock.ts'
import { numberOf, Serials, serialFaults, toItems } from '../commands/quantities.ts'
import { type StockCommandContext, stockCommand } from '../commands/stock-command.ts'
import { findProducts } from '../commands/stock-products.ts'
import { lockStock } from '../ledger/stock-lock.ts'
import { type CountLine, readCountLines } from './count-lines.ts'
import { countingStatuses, type LockedStockCount, lockStockCountIn, notBefore } from './stock-count.ts'
import {
  createCountLines,
  findAttributesOfGoods,
  findOrCreateRowsOfGoods,
  UnexpectedGoodsInput,
} from './unexpected-goods.ts'

const Entry = Type.Object({
  stockCountLineId: optional(Uuid),
  found: optional({ ...UnexpectedGoodsInput, description: 'goods that were found and have no line' }),
  countedQuantity: optional({ ...Quantity, description: 'optional if serials are given' }),
  unitTypeId: optional({
    ...Uuid,
    description: 'the unit of countedQuantity; defaults to items',
  }),
  serials: optional(Serials),
})
type Entry = Static<typeof Entry>

/** Checks that each entry names one line and says what was counted. */
function entryFaults(value: unknown): ValidationError[] {
  return (Array.isArray(value) ? value : []).flatMap((entry: unknown, i) => {
    const { stockCountLineId, found, countedQuantity, serials } = (entry ?? {}) as Entry
    return [
      ...(Boolean(stockCountLineId) === Boolean(found)
        ? [{ path: `[${i}]`, problem: 'must name either stockCountLineId or found' }]
        : []),
      ...(countedQuantity == null && !serials
        ? [
            {
              path: `[${i}]`,
              problem: 'must say how many were counted, by countedQuantity or serials',
              code: 'required' as const,
            },
          ]
        : []),
    ]
  })
}

/** What was counted in a line. */
interface CountedLine {
  line: CountLine
  /** ten-thousandths */
  quantity: bigint
  serials: readonly string[] | null
}

/** Returns the line of each entry, by the entry's index. Creates lines for found goods. */
async function resolveLines(
  tx: Tx,
  count: LockedStockCount,
  entries: readonly Entry[],
  occurredUtc: string | null,
  faults: ReturnType<typeof collectEntryFaults>,
): Promise<Map<number, CountLine>> {
  const { organisationId, warehouseId } = count
  const ids = entries.map(({ stockCountLineId }) => stockCountLineId ?? undefined)
  const found = entries.flatMap((entry, n) => (entry.found ? [{ n, found: entry.found }] : []))
  if (found.length > 0) {
    const attributeIds = await findAttributesOfGoods(tx, organisationId, found)
    const targets = found.map(entry => ({ warehouseId, productId: entry.found.partnerProductId }))
    const locked = await lockStock(tx, organisationId, targets)
    const rows = await findOrCreateRowsOfGoods(
      tx,
      locked,
      count,
      found,
      { attributeIds, occurredUtc },
      faults,
    )
    const lines = await createCountLines(tx, count, [...rows.values()])
    for (const [n, row] of rows) {
      ids[n] = lines.get(row)
      if (ids[n] === undefined)
        faults.refuse(
          n,
          'these goods are in another open stock count: finish or cancel that one first',
          'conflict',
        )
    }
  }
  const lineIds = [...new Set(ids.filter(id => id !== undefined))]
  const known = new Map(
    (await readCountLines(tx, count, sql`l.id = any(${lineIds})`)).map(line => [line.id, line]),
  )
  return new Map(
    ids.flatMap((id, n) => {
      const line = known.get(id ?? '')
      if (line) return [[n, line] as const]
      if (id !== undefined) faults.refuse(n, `the stock count has no line ${id}`, 'unknown_reference')
      return []
    }),
  )
}

/** Returns why a line cannot be counted now, as the end of a sentence; null if it can. */
function findRefusal({ status }: CountLine, count: LockedStockCount): string | null {
  if (status === StockCountLineStatus.Approved)
    return 'the line is already approved: create another stock count to count it again'
  if (count.status === StockCountStatus.Counted && status !== StockCountLineStatus.Recount)
    return 'counting has ended: request a recount of the line, or resume the stock count (In progress)'
  return null
}

/** Checks the entries and returns what was counted in each line. */
async function toCountedLines(
  tx: Tx,
  count: LockedStockCount,
  entries: readonly Entry[],
  lines: ReadonlyMap<number, CountLine>,
  refuse: ReportEntryFault,
): Promise<CountedLine[]> {
  const productIds = [...lines.values()].map(({ productId }) => productId)
  const products = await findProducts(tx, count.organisationId, productIds)
  const counted = new Set<string>()
  return [...lines]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([n, line]) => {
      const { countedQuantity, unitTypeId, serials } = entries[n] as Entry
      const product = products.get(line.productId)
      const quantity =
        product &&
        toItems(product, { quantity: countedQuantity ?? serials?.length ?? 0, unitTypeId }, (...fault) =>
          refuse(n, ...fault),
        )
      if (product === undefined || quantity === undefined) return []
      for (const problem of serialFaults(product, quantity, serials ?? [])) refuse(n, ...problem)
      if (new Set(serials).size < (serials ?? []).length) refuse(n, 'a serial is listed twice', 'duplicate')
      if (counted.has(line.id)) refuse(n, 'the line is listed twice', 'duplicate')
      counted.add(line.id)
      const refusal = findRefusal(line, count)
      if (refusal !== null) refuse(n, refusal, 'wrong_status')
      const isCaptured = product.serialTrackingMode === SerialTrackingMode.FullCapture
      return [{ line, quantity, serials: isCaptured ? (serials ?? []) : null }]
    })
}

/** Stores the counts, and returns the time at which they count as made. */
async function writeCounts(
  { tx, actor, source, occurredUtc }: StockCommandContext<string, unknown>,
  { organisationId, id, status }: LockedStockCount,
  counted: readonly CountedLine[],
): Promise<string> {
  const entries = counted.map(({ line, quantity, serials }) => ({
    id: line.id,
    quantity: decimalText(4, quantity),
    serials,
  }))
  const { effectiveUtc } = await tx.row<{ effectiveUtc: string }>(sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(entries)})
        as g (id uuid, quantity numeric, serials jsonb)
    ), seen as (
      select coalesce(${occurredUtc}::timestamptz, clock_timestamp()) as at
    ), counted as (
      update stock_count_line l set status = ${StockCountLineStatus.Counted}
      from given g where l.organisation_id = ${organisationId} and l.id = g.id
      returning l.id, l.round
    ), written as (
      insert into stock_count_entry (organisation_id, stock_count_line_id, ordinal, round, counted_quantity,
        counted_utc, serials, user_id, user_name, identity_connection_id, operation_id, request_id)
      select ${organisationId}, g.id, (
          select count(*) + 1 from stock_count_entry x
          where x.organisation_id = ${organisationId} and x.stock_count_line_id = g.id
        ), c.round, g.quantity, s.at, g.serials, ${actor.userId},
        (select user_name(${organisationId}, ${actor.userId})), ${source.connectionId},
        ${source.operationId ?? null}, ${source.requestId}
      from given g join counted c on c.id = g.id cross join seen s
    )
    select as_utc(at) as effective_utc from seen`)
  if (status === StockCountStatus.Draft)
    await tx.run(sql`update stock_count set status = ${StockCountStatus.InProgress}
      where organisation_id = ${organisationId} and id = ${id}`)
  return effectiveUtc
}

export const countStockCountLines = [
  stockCommand({
    post: '/v1/stock-counts/:stockCountId/lines/count',
    name: 'countStockCountLines',
    scope: 'inventory',
    summary: 'Record what was counted',
    description:
      'Each entry counts a line, or found goods that have no line. occurredUtc is when they were counted: ' +
      'the count is compared with what should have been there at that time, so work may go on meanwhile. ' +
      'It must not be before the stock count was created. Products with full serial capture are counted by ' +
      'serial. Of a round, the latest count by its time is used. The first count makes a Draft InProgress.',
    bodyName: 'StockCounted',
    body: { counts: Type.Array(Entry, { minItems: 1, maxItems: 1_000, rule: entryFaults }) },
    answer: named(
      'StockCountWritten',
      Type.Object({
        effectiveUtc: { ...UtcTime, description: 'the time at which it counts as made' },
        counts: Type.Array(
          Type.Object({
            stockCountLineId: Uuid,
            warehouseProductId: Uuid,
            round: Type.Integer(),
            countedQuantity: Type.Number(),
          }),
        ),
      }),
    ),
    async run(context) {
      const { tx, actor, params, body } = context
      const count = await lockStockCountIn(tx, actor, params.stockCountId, countingStatuses)
      const occurredUtc = notBefore(context.occurredUtc, count.createdUtc, 'the stock count was created')
      const faults = collectEntryFaults('counts')
      const lines = await resolveLines(tx, count, body.counts, occurredUtc, faults)
      const counted = await toCountedLines(tx, count, body.counts, lines, faults.refuse)
      faults.throwIfAny()
      const effectiveUtc = await writeCounts({ ...context, occurredUtc }, count, counted)
      return {
        effectiveUtc,
        counts: counted.map(({ line, quantity }) => ({
          stockCountLineId: line.id,
          warehouseProductId: line.warehouseProductId,
          round: line.round,
          countedQuantity: numberOf(quantity),
        })),
      }
    },
  }),
]
