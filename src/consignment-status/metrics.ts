// The metrics of a consignment: the expected figures until it is Complete, then the received or dispatched
// ones. Spec 2.2; open-points 4, 6.

import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { type EventSource, emit } from '../events/emit.ts'
import { raw, sql, type Tx } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'

/** Which figures of the lines are summed. */
type Figure = 'expected' | 'received' | 'dispatched'

interface Metrics {
  quantity: number
  weightKG: number
  volumeM3: number
}

const sumsOf = (figure: Figure) => {
  const of = raw(figure)
  return sql`json_build_object('quantity', coalesce(sum(${of}_quantity), 0),
    'weightKG', coalesce(sum(${of}_weight_kg), 0), 'volumeM3', coalesce(sum(${of}_volume_m3), 0))`
}

/** The figures that are the metrics of a consignment once it is Complete. It has none without stock. */
const actualFigure: Readonly<Record<ConsignmentType, Figure | null>> = {
  [ConsignmentType.Inwards]: 'received',
  [ConsignmentType.Outwards]: 'dispatched',
  [ConsignmentType.PointToPoint]: null,
}

/**
 * Raises event 105 if the metrics of a consignment change when it becomes Complete or, unless it is Closed,
 * no longer is Complete.
 */
export async function emitMetricsChange(
  tx: Tx,
  source: EventSource,
  consignment: LockedConsignment,
  newStatus: ConsignmentStatus,
): Promise<void> {
  const actual = actualFigure[consignment.type]
  const [wasComplete, isComplete] = [isOver(consignment.status), isOver(newStatus)]
  if (actual === null || wasComplete === isComplete) return
  const figures: [from: Figure, to: Figure] = isComplete ? ['expected', actual] : [actual, 'expected']
  const { from, to } = await tx.row<{ from: Metrics; to: Metrics }>(sql`
    select ${sumsOf(figures[0])} as "from", ${sumsOf(figures[1])} as "to" from consignment_product
    where organisation_id = ${consignment.organisationId} and consignment_id = ${consignment.id}`)
  if (JSON.stringify(from) === JSON.stringify(to)) return
  const changes = [{ field: 'metrics', from, to }]
  const after = { ...consignment, status: newStatus }
  await emit(tx, source, [consignmentEvent(EventType.ConsignmentMetricsUpdated, after, { changes })])
}

const isOver = (status: ConsignmentStatus) =>
  status === ConsignmentStatus.Complete || status === ConsignmentStatus.Closed
