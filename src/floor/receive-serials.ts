// The endpoint that records the serials of goods which were received without them. Spec 2.3 (rules for
// items).

import { sql, type Tx } from '../platform/database/db.ts'
import { collectFaults, type FaultCollector } from '../platform/http/entry-faults.ts'
import { Code, named, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { Finding } from '../platform/http/validation.ts'
import { newId } from '../platform/new-id.ts'
import { maxSerials } from '../stock/commands/quantities.ts'
import { stockCommand } from '../stock/commands/stock-command.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../stock/commands/stock-selector.ts'
import { oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { SerialTrackingMode } from '../vocabulary/partners.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { lockReceivable } from './receive.ts'
import { emitReceivedQuantities, refuseRepeatedSerials } from './receiving/arrival.ts'
import { type InwardsLine, readInwardsLines, serialCounts } from './receiving/inwards-line.ts'
import { refuseReceivedSerials } from './receiving/receive-goods.ts'

const Entry = Type.Object({
  consignmentProductId: Uuid,
  ...stockFields,
  serials: Type.Array(Code, { minItems: 1, maxItems: maxSerials }),
})
type Entry = Static<typeof Entry>

const Answer = named(
  'ConsignmentSerialsResult',
  Type.Object({
    movementId: Uuid,
    effectiveUtc: UtcTime,
    consignmentProducts: Type.Array(
      Type.Object({
        consignmentProductId: Uuid,
        serialCount: Type.Integer({ description: 'the number of serials recorded for the line' }),
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
}

/** Reads the rows of products in a warehouse that lack serials, oldest first. */
const readRowsLackingSerials = (
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  productIds: readonly string[],
) =>
  tx.rows<RowLackingSerials>(sql`
    select p.id, p.product_id, floor(p.on_hand_quantity) - count(i.id) as lacking, coalesce((
      select json_agg(distinct t.consignment_product_id) from inventory_transaction t
      where t.organisation_id = p.organisation_id and t.warehouse_product_id = p.id
        and t.type = ${TransactionType.Receive} and t.consignment_product_id is not null), '[]') as line_ids
    from warehouse_product p
    left join warehouse_product_item i on i.organisation_id = p.organisation_id
      and i.warehouse_product_id = p.id
    where p.organisation_id = ${organisationId} and p.warehouse_id = ${warehouseId}
      and p.product_id = any(${productIds}) and not p.is_depleted
    group by p.organisation_id, p.id having floor(p.on_hand_quantity) > count(i.id)
    order by p.id`)

/**
 * Distributes the serials of each entry over rows that lack serials: first the rows into which its line was
 * received and then, because goods may have been moved since, other rows of the product. A line gets no more
 * than it lacks, so that the others can still get theirs.
 */
function distributeSerials(
  entries: readonly { line: LineLackingSerials; entry: Entry; name: string }[],
  rows: readonly RowLackingSerials[],
  faults: FaultCollector,
): { line: LineLackingSerials; row: RowLackingSerials; serials: string[] }[] {
  return entries.flatMap(({ line, entry, name }) => {
    const { serials, warehouseProductId } = entry
    const rowsOfProduct = rows.filter(row => row.productId === line.productId)
    const candidates = warehouseProductId
      ? rowsOfProduct.filter(({ id }) => id === warehouseProductId)
      : rowsOfProduct.toSorted(
          (a, b) => Number(b.lineIds.includes(line.id)) - Number(a.lineIds.includes(line.id)),
        )
    const room = candidates.reduce((sum, { lacking }) => sum + lacking, 0)
    if (serials.length > room) {
      faults.add(name, `only ${room} of ${line.productCode} lack a serial, not ${serials.length}`, 'state')
      return []
    }
    if (serials.length > line.lacking) {
      const problem = `only ${line.lacking} that the line received lack a serial, not ${serials.length}`
      faults.add(name, problem, 'state')
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
          ? `the product ${line.productCode} takes no serials`
          : `serials of the product ${line.productCode} are captured when it is picked`,
        'invalid',
      )
    else return [{ line, entry, name }]
    return []
  })
}

/** A line with the serial tracking mode of its product, and the number of received items without serials. */
type LineLackingSerials = InwardsLine & { serialTrackingMode: number; lacking: number }

/** Reads the lines of a consignment. */
async function readLines(
  tx: Tx,
  organisationId: string,
  consignmentId: string,
): Promise<LineLackingSerials[]> {
  const lines = await readInwardsLines(tx, organisationId, consignmentId)
  const facts = await tx.rows<{ id: string; serialTrackingMode: number; lacking: number }>(sql`
    select r.id, d.serial_tracking_mode, floor(r.received_quantity) - coalesce(s.serial_count, 0) as lacking
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
      'the line was received.',
    bodyName: 'ConsignmentSerials',
    body: {
      serials: Type.Array(Entry, {
        minItems: 1,
        maxItems: 1_000,
        rule: (value: unknown): Finding[] => {
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
    answer: Answer,
    async run({ tx, actor, params, body, source, occurredUtc }) {
      const consignment = await lockReceivable(tx, actor, params.consignmentId)
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
      const rows = await readRowsLackingSerials(tx, organisationId, warehouseId, productIds)
      const entriesWithRows = entries.map((entry, n) => ({ ...entry, entry: withRowIds[n] as Entry }))
      const parts = distributeSerials(entriesWithRows, rows, faults)
      faults.throwIfAny()
      const movementId = newId()
      // The goods are taken out and put back with their serials; nothing else about them changes.
      const moves = parts.map(
        ({ line, row, serials }): StockMove => ({
          movementId,
          type: TransactionType.Receive,
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
          serialCount: partsOfLine.reduce((sum, { serials }) => sum + serials.length, 0),
          warehouseProductIds: [...new Set(partsOfLine.map(({ row }) => row.id))],
        })),
      }
    },
  }),
]
