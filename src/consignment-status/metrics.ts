// The metrics of a consignment: the expected figures until it is Complete, then the received or dispatched
// ones. Spec 2.2; decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { type EventOrigin, emit } from '../events/emit.ts'
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

/** The metrics of a consignment before a move, and the figure that they are after it. */
interface MetricsBefore {
  metrics: Metrics
  figure: Figure
}

/**
 * Reads the metrics of a consignment that becomes Complete or, unless it is Closed, no longer is Complete;
 * null for other moves. Call it before the move takes effect, for undoing a dispatch changes the figures.
 */
export async function readMetricsBefore(
  tx: Tx,
  consignment: LockedConsignment,
  newStatus: ConsignmentStatus,
): Promise<MetricsBefore | null> {
  const actual = actualFigure[consignment.type]
  const [wasComplete, isComplete] = [isOver(consignment.status), isOver(newStatus)]
  if (actual === null || wasComplete === isComplete) return null
  const [figureBefore, figure]: Figure[] = wasComplete ? [actual, 'expected'] : ['expected', actual]
  return { metrics: await readMetrics(tx, consignment, figureBefore as Figure), figure: figure as Figure }
}

/**
 * Raises event 105 if the metrics of a consignment, which has its new status here, have changed with a move.
 * Call it after the effects of the move.
 */
export async function emitMetricsChange(
  tx: Tx,
  source: EventOrigin,
  consignment: LockedConsignment,
  before: MetricsBefore | null,
): Promise<void> {
  if (before === null) return
  const [from, to] = [before.metrics, await readMetrics(tx, consignment, before.figure)]
  if (JSON.stringify(from) === JSON.stringify(to)) return
  const changes = [{ field: 'metrics', from, to }]
  await emit(tx, source, [consignmentEvent(EventType.ConsignmentMetricsUpdated, consignment, { changes })])
}

const readMetrics = async (tx: Tx, { organisationId, id }: LockedConsignment, figure: Figure) =>
  (
    await tx.row<{ metrics: Metrics }>(sql`
      select ${sumsOf(figure)} as metrics from consignment_product
      where organisation_id = ${organisationId} and consignment_id = ${id}`)
  ).metrics

const isOver = (status: ConsignmentStatus) =>
  status === ConsignmentStatus.Complete || status === ConsignmentStatus.Closed
