// The endpoint that records the serials of goods which were received without them. Spec 2.3 (rules for
// items).

import type { LockedConsignment } from '../consignments/consignment.ts'
import { type Sql, sql, type Tx } from '../platform/database/db.ts'
import { collectFaults, type FaultCollector } from '../platform/http/entry-faults.ts'
import { Code, named, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { ValidationError } from '../platform/http/validation.ts'
import { newId } from '../platform/new-id.ts'
import { maxSerials } from '../stock/commands/quantities.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../stock/commands/stock-selector.ts'
import { oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'
import { MovementCause, TransactionType } from '../vocabulary/stock.ts'
import { emitReceivedQuantities, refuseRepeatedSerials } from './receiving/arrival.ts'
import { lockConsignmentToReceive } from './receiving/inwards-consignment.ts'
import { type InwardsLine, readInwardsLines, serialCounts } from './receiving/inwards-line.ts'
import { refuseReceivedSerials } from './receiving/receive-goods.ts'

const Entry = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  serials: Type.Array(Code, { minItems: 1, maxItems: maxSerials }),
})
type Entry = Static<typeof Entry>

const SerialsResult = named(
  'ConsignmentSerialsResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        serialCount: Type.Integer({ description: 'how many serials the line has now' }),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

/** A row of stock with items that lack a serial, and their number. */
interface RowLackingSerials {
  id: string
  productId: string
  lacking: number
  /** the lines that were received into it */
  lineIds: string[]
  /** the lines that were received into it or into a row of the same batch, dates and attributes */
  likeLineIds: string[]
}

/**
 * The lines of a consignment that were received into the row `p`, or into rows `q` of its product that meet a
 * condition. Goods that were only put back with their serials were not received there.
 */
const linesReceivedInto = (consignmentId: string, condition: Sql) => sql`coalesce((
  select json_agg(distinct t.consignment_product_id) from warehouse_product q
  join inventory_transaction t on t.organisation_id = q.organisation_id and t.warehouse_product_id = q.id
    and t.type = ${TransactionType.Receive} and t.quantity > 0 and t.consignment_id = ${consignmentId}
    and not exists (
      select from inventory_transaction o
      where o.organisation_id = t.organisation_id and o.warehouse_product_id = t.warehouse_product_id
        and o.movement_id = t.movement_id and o.quantity < 0)
  where q.organisation_id = p.organisation_id and q.product_id = p.product_id and ${condition}), '[]')`

const isDescribedAlike = sql`(q.batch, q.best_before_date, q.expiry_date, q.packaging_date,
    q.production_date, q.sell_by_date, q.attributes)
  is not distinct from (p.batch, p.best_before_date, p.expiry_date, p.packaging_date,
    p.production_date, p.sell_by_date, p.attributes)`

/** Reads the rows of products in a warehouse that lack serials, oldest first. */
const readRowsLackingSerials = (
  tx: Tx,
  organisationId: string,
  { id: consignmentId, warehouseId }: LockedConsignment,
  productIds: readonly string[],
) =>
  tx.rows<RowLackingSerials>(sql`
    select p.id, p.product_id, floor(p.on_hand_quantity) - count(i.id) as lacking,
      ${linesReceivedInto(consignmentId, sql`q.id = p.id`)} as line_ids,
      ${linesReceivedInto(consignmentId, isDescribedAlike)} as like_line_ids
    from warehouse_product p
    left join warehouse_product_item i on i.organisation_id = p.organisation_id
      and i.warehouse_product_id = p.id
    where p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
      and p.product_id = any(${productIds}) and not p.is_depleted
    group by p.organisation_id, p.id having floor(p.on_hand_quantity) > count(i.id)
    order by p.id`)

/**
 * Distributes the serials of each entry over rows that lack serials: first the rows into which its line was
 * received and then, because goods may have been moved since, rows of the same batch, dates and attributes.
 * Any other row must be named, as its goods may not be those of the line. A line gets no more than it lacks,
 * so that the others can still get theirs.
 */
function distributeSerials(
  entries: readonly { line: LineLackingSerials; entry: Entry; name: string }[],
  rows: readonly RowLackingSerials[],
  faults: FaultCollector,
): { line: LineLackingSerials; row: RowLackingSerials; serials: string[] }[] {
  return entries.flatMap(({ line, entry, name }) => {
    const { serials, warehouseProductId } = entry
    const candidates = warehouseProductId
      ? rows.filter(({ id, productId }) => productId === line.productId && id === warehouseProductId)
      : rows
          .filter(({ likeLineIds }) => likeLineIds.includes(line.id))
          .toSorted((a, b) => Number(b.lineIds.includes(line.id)) - Number(a.lineIds.includes(line.id)))
    const room = candidates.reduce((sum, { lacking }) => sum + lacking, 0)
    if (serials.length > line.lacking) {
      const problem = `only ${line.lacking} that the line received lack a serial, not ${serials.length}`
      faults.add(name, problem, 'insufficient_stock')
      return []
    }
    if (serials.length > room) {
      const missing = serials.length - room
      if (warehouseProductId)
        faults.add(
          name,
          `only ${room} of ${line.productCode} lack a serial, not ${serials.length}`,
          'insufficient_stock',
        )
      else
        faults.add(
          name,
          `${missing} of ${line.productCode} of this line are no longer where they were received: ` +
            'name their row of stock, by warehouseProductId or stock',
          'not_here',
        )
      return []
    }
    line.lacking -= serials.length
    let next = 0
    return candidates.flatMap(row => {
      const part = serials.slice(next, next + row.lacking)
      next += part.length
      row.lacking -= part.length
      return part.length > 0 ? [{ line, row, serials: part }] : []
    })
  })
}

/** The line of each entry. Adds a fault for entries of lines that cannot get serials. */
function matchLines(entries: readonly Entry[], lines: readonly LineLackingSerials[], faults: FaultCollector) {
  const byId = new Map(lines.map(line => [line.id, line]))
  return entries.flatMap((entry, i) => {
    const name = `serials[${i}]`
    const line = byId.get(entry.consignmentProductId)
    if (line === undefined)
      faults.add(name, `the consignment has no line ${entry.consignmentProductId}`, 'unknown_reference')
    else if (line.serialTrackingMode !== SerialTrackingMode.FullCapture)
      faults.add(
        name,
        line.serialTrackingMode === SerialTrackingMode.None
          ? `${line.productCode} has no serials`
          : `serials of ${line.productCode} are scanned when it is picked`,
        'serial_not_taken',
      )
    else return [{ line, entry, name }]
    return []
  })
}

/**
 * A line with the serial tracking mode of its product, and the numbers of received items with and without
 * serials.
 */
type LineLackingSerials = InwardsLine & { serialTrackingMode: number; serialCount: number; lacking: number }

/** Reads the lines of a consignment. */
async function readLines(
  tx: Tx,
  organisationId: string,
  consignmentId: string,
): Promise<LineLackingSerials[]> {
  const lines = await readInwardsLines(tx, organisationId, [consignmentId])
  const facts = await tx.rows<{
    id: string
    serialTrackingMode: number
    serialCount: number
    lacking: number
  }>(sql`
    select r.id, d.serial_tracking_mode, coalesce(s.serial_count, 0) as serial_count,
      floor(r.received_quantity) - coalesce(s.serial_count, 0) as lacking
    from consignment_product r
    join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
    left join ${serialCounts(organisationId, consignmentId)} s on s.line_id = r.id
    where r.organisation_id = ${organisationId} and r.consignment_id = ${consignmentId}`)
  const factsByLine = new Map(facts.map(({ id, ...ofLine }) => [id, ofLine]))
  return lines.flatMap(line => {
    const ofLine = factsByLine.get(line.id)
    return ofLine ? { ...line, ...ofLine } : []
  })
}

export const receiveSerials = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/receive/serials',
    name: 'receiveConsignmentSerials',
    scope: ['consignment', 'inventory'],
    summary: 'Record the serials of goods that were received without them',
    description:
      'A product with full serial capture needs all of its serials before the consignment becomes ' +
      'Complete. Without warehouseProductId or stock, the serials go first to the rows of stock into which ' +
      'the line was received, then to goods of the same batch, dates and attributes. Any other row of ' +
      'stock has to be named.',
    bodyName: 'ConsignmentSerials',
    body: {
      serials: Type.Array(Entry, {
        minItems: 1,
        maxItems: 1_000,
        rule: (value: unknown): ValidationError[] => {
          const entries = Array.isArray(value) ? value : []
          const count = entries.reduce(
            (sum: number, entry) => sum + (Array.isArray(entry?.serials) ? entry.serials.length : 0),
            0,
          )
          const faults = entries.flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))
          const problem = `must have at most ${maxSerials.toLocaleString('en-GB')} serials in all`
          if (count <= maxSerials) return faults
          return [{ path: '', problem, code: 'length' }, ...faults]
        },
      }),
    },
    files: true,
    answer: SerialsResult,
    async run({ tx, actor, params, body, source, occurredUtc }) {
      const consignment = await lockConsignmentToReceive(tx, actor, params.consignmentId)
      const { organisationId, id } = consignment
      const warehouseId = consignment.warehouseId as string
      const faults = collectFaults()
      const entries = matchLines(body.serials, await readLines(tx, organisationId, id), faults)
      const productIds = [...new Set(entries.map(({ line }) => line.productId))]
      const places = productIds.map(productId => ({ warehouseId, productId }))
      const locked = await lockStock(tx, organisationId, places)
      const stock = entries.map(({ entry }) => entry)
      const array = (n: number) => entries[n]?.name as string
      const withRowIds = await resolveRowIds(tx, locked, stock, { array, warehouseId })
      const receipts = entries.map(({ line, entry, name }) => ({
        name,
        line,
        serials: entry.serials.map(serial => ({ serial })),
      }))
      refuseRepeatedSerials(receipts, faults)
      await refuseReceivedSerials(tx, organisationId, receipts, faults)
      const rows = await readRowsLackingSerials(tx, organisationId, consignment, productIds)
      const entriesWithRows = entries.map((entry, n) => ({ ...entry, entry: withRowIds[n] as Entry }))
      const parts = distributeSerials(entriesWithRows, rows, faults)
      faults.throwIfAny()
      const movementId = newId()
      // The goods are taken out and put back with their serials; nothing else about them changes.
      const moves = parts.map(
        ({ line, row, serials }): StockMove => ({
          movementId,
          type: TransactionType.Receive,
          cause: MovementCause.SerialsCaptured,
          from: row.id,
          to: row.id,
          quantity: BigInt(serials.length) * oneItem,
          newSerials: serials.map(serial => ({ serial })),
          occurredUtc,
          consignmentId: id,
          consignmentProductId: line.id,
        }),
      )
      const [posted] = await post(tx, locked, source, moves)
      const byLine = [...Map.groupBy(parts, ({ line }) => line)]
      const changes = byLine.map(([line]) => ({ line, quantity: 0n }))
      await emitReceivedQuantities(tx, { ...actor, requestId: source.requestId }, consignment, changes)
      return {
        movementId,
        effectiveUtc: posted?.effectiveUtc as string,
        consignmentProducts: byLine.map(([line, partsOfLine]) => ({
          consignmentProductId: line.id,
          serialCount: partsOfLine.reduce((sum, { serials }) => sum + serials.length, line.serialCount),
          warehouseProductIds: [...new Set(partsOfLine.map(({ row }) => row.id))],
        })),
      }
    },
  }),
]
