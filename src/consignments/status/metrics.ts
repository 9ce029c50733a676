// The metrics of a consignment: the expected figures until it is Complete, then the received or dispatched
// ones. Spec 2.2; open-points 4, 6.

import { type EventSource, emit } from '../../events/emit.ts'
import { EventType } from '../../events/event.ts'
import { raw, sql, type Tx } from '../../platform/database/db.ts'
import { consignmentEvent, type LockedConsignment } from '../consignment.ts'

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

/**
 * Raises event 105 if the metrics of a consignment change when they are taken from the figures `to` instead
 * of `from`.
 */
export async function emitMetricsChange(
  tx: Tx,
  source: EventSource,
  consignment: LockedConsignment,
  figures: { from: Figure; to: Figure },
): Promise<void> {
  const { from, to } = await tx.row<{ from: Metrics; to: Metrics }>(sql`
    select ${sumsOf(figures.from)} as "from", ${sumsOf(figures.to)} as "to" from consignment_product
    where organisation_id = ${consignment.organisationId} and consignment_id = ${consignment.id}`)
  if (JSON.stringify(from) === JSON.stringify(to)) return
  const changes = [{ field: 'metrics', from, to }]
  await emit(tx, source, [consignmentEvent(EventType.ConsignmentMetricsUpdated, consignment, { changes })])
}
