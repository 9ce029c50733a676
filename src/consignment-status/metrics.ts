// The metrics of a consignment: the expected figures until it is Complete, then the received or dispatched
// ones. Spec 2.2; decisions 4, 6.

import { consignmentEvent, type LockedConsignment } from '../consignments/consignment.ts'
import { type ConsignmentMetrics, type LineFigure, readMetrics } from '../consignments/read-metrics.ts'
import { type EventOrigin, emit } from '../events/emit.ts'
import type { Tx } from '../platform/database/db.ts'
import { ConsignmentStatus, ConsignmentType } from '../vocabulary/consignments.ts'
import { EventType } from '../vocabulary/events.ts'

/** The figures that are the metrics of a consignment once it is Complete. It has none without stock. */
const actualFigure: Readonly<Record<ConsignmentType, LineFigure | null>> = {
  [ConsignmentType.Inwards]: 'received',
  [ConsignmentType.Outwards]: 'dispatched',
  [ConsignmentType.PointToPoint]: null,
}

/** The metrics of a consignment before a move, and the figure that they are after it. */
interface MetricsBefore {
  metrics: ConsignmentMetrics
  figure: LineFigure
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
  const [figureBefore, figure]: LineFigure[] = wasComplete ? [actual, 'expected'] : ['expected', actual]
  return {
    metrics: await readMetrics(tx, consignment, figureBefore as LineFigure),
    figure: figure as LineFigure,
  }
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

const isOver = (status: ConsignmentStatus) =>
  status === ConsignmentStatus.Complete || status === ConsignmentStatus.Closed
