// The serials of goods that were received without them. Spec 2.3 (rules for items).

import { SerialTrackingMode } from '../partners/enumerations.ts'
import { sql, type Tx } from '../platform/database/db.ts'
import { collectFaults, type FaultCollector } from '../platform/http/entry-faults.ts'
import { Code, named, type Static, Type, UtcTime, Uuid } from '../platform/http/schema.ts'
import type { Finding } from '../platform/http/validation.ts'
import { newId } from '../platform/new-id.ts'
import { TransactionType } from '../stock/enumerations.ts'
import { maxSerials } from '../stock/inventory/quantities.ts'
import { stockCommand } from '../stock/inventory/stock-command.ts'
import { optionalSelectorFaults, resolveRowIds, stockFields } from '../stock/inventory/stock-selector.ts'
import { oneItem, type StockMove } from '../stock/ledger/movement.ts'
import { post } from '../stock/ledger/post.ts'
import { lockStock } from '../stock/ledger/stock-lock.ts'
import { lockReceivable } from './receive.ts'
import { emitReceivedQuantities, refuseRepeatedSerials } from './receiving/arrival.ts'
import { type InwardsLine, readInwardsLines } from './receiving/inwards-line.ts'
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
        serialCount: Type.Integer({ description: 'that the goods of the line got' }),
        warehouseProductIds: Type.Array(Uuid),
      }),
    ),
  }),
)

/** A row whose goods have not all a serial, and how many have none. */
interface Lacking {
  id: string
  productId: string
  lacking: number
  /** the lines that were received into it */
  lineIds: string[]
}

/** The rows of products in a warehouse that lack serials, oldest first. */
const lackingRows = (tx: Tx, organisationId: string, warehouseId: string, productIds: readonly string[]) =>
  tx.rows<Lacking>(sql`
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
 * Deals the serials of each entry out to rows that lack some: those that its line was received into first,
 * then, since goods may have been moved since, others of the product.
 */
function dealOut(
  entries: readonly { line: InwardsLine; entry: Entry; name: string }[],
  rows: readonly Lacking[],
  faults: FaultCollector,
): { line: InwardsLine; row: Lacking; serials: string[] }[] {
  return entries.flatMap(({ line, entry, name }) => {
    const { serials, warehouseProductId } = entry
    const own = rows.filter(row => row.productId === line.productId)
    const candidates = warehouseProductId
      ? own.filter(({ id }) => id === warehouseProductId.toLowerCase())
      : own.toSorted((a, b) => Number(b.lineIds.includes(line.id)) - Number(a.lineIds.includes(line.id)))
    const room = candidates.reduce((sum, { lacking }) => sum + lacking, 0)
    if (serials.length > room) {
      faults.add(name, `only ${room} of ${line.productCode} lack a serial, not ${serials.length}`, 'state')
      return []
    }
    let next = 0
    return candidates.flatMap(row => {
      const part = serials.slice(next, next + row.lacking)
      next += part.length
      row.lacking -= part.length
      return part.length > 0 ? [{ line, row, serials: part }] : []
    })
  })
}

/** The line of each entry; those that can have no serials are refused. */
function linesOf(entries: readonly Entry[], lines: readonly LineWithMode[], faults: FaultCollector) {
  const byId = new Map(lines.map(line => [line.id, line]))
  return entries.flatMap((entry, i) => {
    const name = `serials[${i}]`
    const line = byId.get(entry.consignmentProductId.toLowerCase())
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

type LineWithMode = InwardsLine & { serialTrackingMode: number }

/** The lines of a consignment with how their products take serials. */
async function linesWithMode(tx: Tx, organisationId: string, consignmentId: string): Promise<LineWithMode[]> {
  const lines = await readInwardsLines(tx, organisationId, consignmentId)
  const modes = await tx.rows<{ id: string; serialTrackingMode: number }>(sql`
    select id, serial_tracking_mode from product where organisation_id = ${organisationId}
      and id = any(${[...new Set(lines.map(({ productId }) => productId))]})`)
  const modeOf = new Map(modes.map(({ id, serialTrackingMode }) => [id, serialTrackingMode]))
  return lines.map(line => ({ ...line, serialTrackingMode: modeOf.get(line.productId) as number }))
}

export const receiveSerials = [
  stockCommand({
    post: '/v1/consignments/:consignmentId/receive/serials',
    name: 'receiveConsignmentSerials',
    scope: ['consignment', 'inventory'],
    summary: 'Give the serials of goods that were received without them',
    description:
      'A fully captured product needs all of its serials before the consignment is Complete. Without ' +
      'warehouseProductId or stock they are given to what the line was received into first.',
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
          const twice = entries.flatMap((entry, i) => optionalSelectorFaults(`[${i}]`, entry))
          const problem = `must have at most ${maxSerials.toLocaleString('en-GB')} serials in all`
          return count > maxSerials ? [{ path: '', problem, code: 'length' }, ...twice] : twice
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
      const entries = linesOf(body.serials, await linesWithMode(tx, organisationId, id), faults)
      const productIds = [...new Set(entries.map(({ line }) => line.productId))]
      const places = productIds.map(productId => ({ warehouseId, productId }))
      const locked = await lockStock(tx, organisationId, places)
      const stock = entries.map(({ entry }) => entry)
      const array = (n: number) => entries[n]?.name as string
      const named = await resolveRowIds(tx, locked, stock, { array, warehouseId })
      const given = entries.map(({ line, entry, name }) => ({
        name,
        line,
        serials: entry.serials.map(serial => ({ serial })),
      }))
      refuseRepeatedSerials(given, faults)
      await refuseReceivedSerials(tx, organisationId, given, faults)
      const rows = await lackingRows(tx, organisationId, warehouseId, productIds)
      const asked = entries.map((one, n) => ({ ...one, entry: named[n] as Entry }))
      const parts = dealOut(asked, rows, faults)
      faults.throwIfAny()
      const movementId = newId()
      // The goods are taken out and put back with their serials: nothing else of them changes.
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
      const ofLine = [...Map.groupBy(parts, ({ line }) => line)]
      const changes = ofLine.map(([line]) => ({ line, quantity: 0n }))
      await emitReceivedQuantities(tx, { ...actor, requestId: source.requestId }, consignment, changes)
      return {
        movementId,
        effectiveUtc: posted?.effectiveUtc as string,
        consignmentProducts: ofLine.map(([line, own]) => ({
          consignmentProductId: line.id,
          serialCount: own.reduce((sum, { serials }) => sum + serials.length, 0),
          warehouseProductIds: [...new Set(own.map(({ row }) => row.id))],
        })),
      }
    },
  }),
]
