// Moving a stock count to another status: counting begins, ends and is taken up again, or all is given up.

import { sql, type Tx } from '../../platform/database/db.ts'
import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, Type } from '../../platform/http/schema.ts'
import { StockCountLineStatus, StockCountStatus } from '../enumerations.ts'
import {
  approveIfComplete,
  type LockedStockCount,
  lockStockCount,
  statusChangeRefusal,
} from './stock-count.ts'

/** Counting ends when everything is counted: 400 where it is not. */
async function refuseUncounted(tx: Tx, { organisationId, id }: LockedStockCount): Promise<void> {
  const { uncounted, lines } = await tx.row<{ uncounted: number; lines: number }>(sql`
    select count(*) filter (where status = any(${[
      StockCountLineStatus.ToCount,
      StockCountLineStatus.Recount,
    ]})) as uncounted, count(*) as lines
    from stock_count_line where organisation_id = ${organisationId} and stock_count_id = ${id}`)
  if (uncounted > 0) throw verificationFailed(`${uncounted} of ${lines} lines are still to be counted.`)
}

export const stockCountStatus = [
  endpoint({
    put: '/v1/stock-counts/:stockCountId/status',
    name: 'setStockCountStatus',
    partners: 'none',
    scope: 'inventory',
    extension: true,
    summary: 'Move a stock count to another status',
    description:
      'Counted ends counting, when every line is counted; what should have been there is shown from then ' +
      'on, and lines can be approved. InProgress takes counting up again. With the last line approved the ' +
      'count is Approved by itself, at once where it has none. Cancelled sets free what is not approved.',
    body: named('StockCountStatusChange', Type.Object({ status: IntegerEnum(StockCountStatus) })),
    answer: changed,
    async handle({ tx, actor, params, body: { status } }) {
      const count = await lockStockCount(tx, actor, params.stockCountId)
      if (status === count.status) return false
      const refusal = statusChangeRefusal(count.status, status)
      if (refusal !== null) throw verificationFailed(refusal)
      if (status === StockCountStatus.Counted) await refuseUncounted(tx, count)
      const { organisationId, id } = count
      await tx.run(sql`update stock_count set status = ${status}
        where organisation_id = ${organisationId} and id = ${id}`)
      if (status === StockCountStatus.Counted) await approveIfComplete(tx, count)
      if (status === StockCountStatus.Cancelled)
        await tx.run(sql`update stock_count_line set is_open = false
          where organisation_id = ${organisationId} and stock_count_id = ${id} and is_open`)
      return true
    },
  }),
]
