// The effects of status changes on the goods of an inwards consignment: once it is Complete, the received
// quantities are final and the goods stay where they are. Decision 4.

import type { LockedConsignment } from '../../consignments/consignment.ts'
import { consignmentStatusName } from '../../consignments/consignment-status.ts'
import type { EventOrigin } from '../../events/emit.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { collectFaults } from '../../platform/http/entry-faults.ts'
import { maxFaults, verificationFailed } from '../../platform/http/refusal.ts'
import { ConsignmentStatus, ConsignmentType } from '../../vocabulary/consignments.ts'
import { SerialTrackingMode } from '../../vocabulary/partners.ts'
import { TransactionType } from '../../vocabulary/stock.ts'
import {
  type ArrivalPlan,
  emitReceivedQuantities,
  outstandingLines,
  outstandingReceipts,
  planArrivals,
  recordReceiveTimes,
  refuseRepeatedSerials,
} from './arrival.ts'
import { type InwardsLine, readInwardsLines, serialCounts } from './inwards-line.ts'
import { receiveGoods } from './receive-goods.ts'
import { readReceivingFacts } from './receiving-facts.ts'

/** The name of a line in messages, counted from 1. */
const describeLine = ({ ordinal, productCode }: Pick<InwardsLine, 'ordinal' | 'productCode'>) =>
  `Line ${ordinal + 1} (${productCode})`

/**
 * Makes the received quantities of an inwards consignment final. If goods were never received by command,
 * everything that was announced counts as received, with the announced serials. Throws 400 if goods lack
 * serials that they need. Raises event 108 for what it receives.
 */
export async function completeInwardsConsignment(
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
): Promise<void> {
  const { organisationId, id } = consignment
  const command = await tx.maybe(sql`
    select from inventory_transaction where organisation_id = ${organisationId} and consignment_id = ${id}
      and type = ${TransactionType.Receive} limit 1`)
  if (command === undefined) await receiveAsAnnounced(tx, source, consignment)
  await requireSerials(tx, consignment)
}

async function receiveAsAnnounced(
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
): Promise<void> {
  const { connectionId, userId, requestId } = source
  const { organisationId } = consignment
  const request = {
    ...{ consignment, source: { connectionId, userId, requestId } },
    ...{ occurredUtc: null, receivedDateTime: null },
  }
  const [arrival] = (await planArrivals(tx, organisationId, [request])) as [ArrivalPlan]
  const lines = await readInwardsLines(tx, organisationId, [consignment.id])
  const outstanding = outstandingLines(lines)
  const facts = await readReceivingFacts(tx, organisationId, { lines: outstanding, outstanding })
  const receipts = outstandingReceipts(arrival, lines, facts, describeLine)
  if (receipts.length === 0) return
  const faults = collectFaults('words')
  refuseRepeatedSerials(receipts, faults)
  await receiveGoods(tx, { arrival, receipts, faults })
  await recordReceiveTimes(tx, organisationId, [arrival])
  // The event is of the same moment as the move, so it has the new status.
  const complete = { ...consignment, status: ConsignmentStatus.Complete }
  await emitReceivedQuantities(tx, source, complete, receipts)
}

/** Throws 400 if goods with full serial capture were received without a serial each. */
async function requireSerials(tx: Tx, { organisationId, id }: LockedConsignment): Promise<void> {
  const lines = await tx.rows<{
    ordinal: number
    productCode: string
    received: number
    serials: number
  }>(sql`
    select r.ordinal, r.product_code, r.received_quantity as received, coalesce(s.serial_count, 0)
      as serials
    from consignment_product r
    join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
      and d.serial_tracking_mode = ${SerialTrackingMode.FullCapture}
    left join ${serialCounts(organisationId, [id])} s on s.line_id = r.id
    where r.organisation_id = ${organisationId} and r.consignment_id = ${id}
      and r.received_quantity > coalesce(s.serial_count, 0)
    order by r.ordinal limit ${maxFaults + 1}`)
  if (lines.length > 0)
    throw verificationFailed(
      ...lines.map(
        ({ received, serials, ...line }) =>
          `${describeLine(line)} lacks ${received - serials} of ${received} serials.`,
      ),
    )
}

/** Throws 400 if an inwards consignment with received goods is moved to a status before its receipt. */
export async function requireNothingReceived(
  tx: Tx,
  { type, organisationId, id }: LockedConsignment,
  to: ConsignmentStatus,
): Promise<void> {
  if (type !== ConsignmentType.Inwards) return
  const line = await tx.maybe<{ productCode: string; receivedQuantity: number }>(sql`
    select product_code, received_quantity from consignment_product
    where organisation_id = ${organisationId} and consignment_id = ${id} and received_quantity > 0
    order by ordinal limit 1`)
  if (line !== undefined)
    throw verificationFailed(
      `The consignment cannot be ${consignmentStatusName(to)}: ${line.receivedQuantity} of ` +
        `${line.productCode} were received. ` +
        'Unreceive what was received first.',
    )
}
