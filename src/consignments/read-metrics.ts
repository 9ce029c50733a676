// Reads the metrics of a consignment: the sums of its lines. Spec 2.2.

import { type Db, raw, sql } from '../platform/database/db.ts'
import type { LockedConsignment } from './consignment.ts'

/** Which figures of the lines are summed. */
export type LineFigure = 'expected' | 'received' | 'dispatched'

export interface ConsignmentMetrics {
  quantity: number
  weightKG: number
  volumeM3: number
}

const sumsOf = (figure: LineFigure) => {
  const of = raw(figure)
  return sql`json_build_object('quantity', coalesce(sum(${of}_quantity), 0),
    'weightKG', coalesce(sum(${of}_weight_kg), 0), 'volumeM3', coalesce(sum(${of}_volume_m3), 0))`
}

/** Sums figures of the lines of a consignment. */
export const readMetrics = async (db: Db, { organisationId, id }: LockedConsignment, figure: LineFigure) =>
  (
    await db.row<{ metrics: ConsignmentMetrics }>(sql`
      select ${sumsOf(figure)} as metrics from consignment_product
      where organisation_id = ${organisationId} and consignment_id = ${id}`)
  ).metrics
