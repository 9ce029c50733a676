// Warns of the lines that a rehearsed act leaves short.

import { type Db, sql } from '../platform/database/db.ts'
import type { Effect } from '../platform/http/rehearsal.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { TransactionType } from '../vocabulary/stock.ts'
import { type Note, notesAbout } from './notes.ts'
import { count } from './words.ts'

interface ShortLine {
  consignmentId: string
  consignmentNumber: string
  consignmentProductId: string
  productCode: string
  quantity: number
}

/** Up to so many lines have a warning each; more have one together. */
const maxNamed = 5
const maxRead = 1_000

/** Warnings about lines that want more stock than they have, of consignments whose allocations changed. */
export async function shortWarnings(
  db: Db,
  organisationId: string,
  notes: readonly Note[],
): Promise<Effect[]> {
  const allocated = notesAbout(notes, 'allocation').flatMap(({ consignmentIds }) => consignmentIds)
  const movements = notesAbout(notes, 'movements').flatMap(({ movementIds }) => movementIds)
  if (allocated.length + movements.length === 0) return []
  const lines = await db.rows<ShortLine>(sql`
    select c.id as consignment_id, c.consignment_number, q.id as consignment_product_id,
      d.code as product_code,
      q.expected_quantity - q.allocated_quantity - q.picked_quantity - q.dispatched_quantity as quantity
    from consignment c
    join consignment_product q on q.organisation_id = c.organisation_id and q.consignment_id = c.id
    join product d on d.organisation_id = q.organisation_id and d.id = q.product_id
    where c.organisation_id = ${organisationId} and c.type = ${ConsignmentType.Outwards}
      and c.status = any(${[ConsignmentStatus.ReadyToPick, ConsignmentStatus.ReadyToDispatch]})
      and c.id = any(${allocated} || array(
        select distinct t.consignment_id from inventory_transaction t
        where t.organisation_id = ${organisationId} and t.movement_id = any(${movements})
          and t.type = ${TransactionType.Allocation} and t.consignment_id is not null))
      and q.expected_quantity > q.allocated_quantity + q.picked_quantity + q.dispatched_quantity
    order by c.number, q.ordinal, q.id limit ${maxRead}`)
  const isOfOne = new Set(lines.map(({ consignmentId }) => consignmentId)).size === 1
  if (lines.length <= maxNamed)
    return lines.map(line => ({
      kind: 'short',
      text:
        `leave ${count(line.quantity, 'item')} of ${line.productCode} short` +
        (isOfOne ? '' : ` on ${line.consignmentNumber}`),
      data: { ...line },
    }))
  const quantity = lines.reduce((sum, line) => sum + Math.round(line.quantity * 10_000), 0) / 10_000
  const text = `leave ${count(quantity, 'item')} on ${count(lines.length, 'line')} short`
  return [{ kind: 'short', text, data: { quantity, lineCount: lines.length, lines: lines.slice(0, 100) } }]
}
