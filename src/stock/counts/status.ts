// Changes the status of a stock count: counting begins, ends, resumes or is cancelled. Spec 2.14.

import { endpoint } from '../../access/endpoint.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { changed } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { noteStatus } from '../../rehearsal/notes.ts'
import { StockCountLineStatus, StockCountStatus } from '../../vocabulary/stock.ts'
import {
  approveIfComplete,
  countStatusRefusal,
  type LockedStockCount,
  lockStockCount,
} from './stock-count.ts'

/** Refuses (400) to end counting while lines are still to be counted. */
async function requireAllCounted(tx: Tx, { organisationId, id }: LockedStockCount): Promise<void> {
  const { uncounted, lines } = await tx.row<{ uncounted: number; lines: number }>(sql`
    select count(*) filter (where status = any(${[
      StockCountLineStatus.ToCount,
      StockCountLineStatus.Recount,
    ]})) as uncounted, count(*) as lines
    from stock_count_line where organisation_id = ${organisationId} and stock_count_id = ${id}`)
  if (uncounted > 0)
    throw verificationFailed(
      `${uncounted} of ${lines === 1 ? '1 line' : `${lines} lines`} ` +
        (uncounted === 1
          ? 'has not been counted yet: count it first.'
          : 'have not been counted yet: count them first.'),
    )
}

export const stockCountStatus = [
  endpoint({
    put: '/v1/stock-counts/:stockCountId/status',
    name: 'setStockCountStatus',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'inventory',
    extension: true,
    summary: 'Move a stock count to another status',
    description:
      'Counted ends counting, once every line is counted; book quantities are shown from then on, and ' +
      'lines can be approved. InProgress resumes counting. When the last line is approved, the count ' +
      'becomes Approved automatically; a count without lines does so at once. Cancelled releases the ' +
      'lines that are not approved, so that other counts can include them.',
    body: named('StockCountStatusChange', Type.Object({ status: IntegerEnum(StockCountStatus) })),
    response: changed,
    async handle({ tx, actor, params, body: { status } }) {
      const count = await lockStockCount(tx, actor, params.stockCountId)
      if (status === count.status) return false
      const refusal = countStatusRefusal(count.status, status)
      if (refusal !== null) throw verificationFailed(refusal)
      if (status === StockCountStatus.Counted) await requireAllCounted(tx, count)
      const { organisationId, id } = count
      await tx.run(sql`update stock_count set status = ${status}
        where organisation_id = ${organisationId} and id = ${id}`)
      noteStatus(tx, StockCountStatus, { id, from: count.status, to: status })
      if (status === StockCountStatus.Counted) await approveIfComplete(tx, count)
      if (status === StockCountStatus.Cancelled)
        await tx.run(sql`update stock_count_line set is_open = false
          where organisation_id = ${organisationId} and stock_count_id = ${id} and is_open`)
      return true
    },
  }),
]
