// Requests a recount of lines: a new round begins, and the entries of earlier rounds are kept. Spec 2.14.

import { sql } from '../../platform/database/db.ts'
import { collectEntryFaults } from '../../platform/http/entry-faults.ts'
import { named, Type, Uuid } from '../../platform/http/schema.ts'
import { StockCountLineStatus } from '../../vocabulary/stock.ts'
import { stockCommand } from '../commands/stock-command.ts'
import { readCountLines } from './count-lines.ts'
import { countingStatuses, lockStockCountIn } from './stock-count.ts'

export const recountStockCountLines = [
  stockCommand({
    post: '/v1/stock-counts/:stockCountId/lines/recount',
    name: 'recountStockCountLines',
    scope: 'inventory',
    summary: 'Request a recount of lines of a stock count',
    description:
      'The lines must be counted and not yet approved. Earlier counts stay on record; the last round counts.',
    bodyName: 'StockRecount',
    body: { stockCountLineIds: Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }) },
    answer: named(
      'StockRecountAsked',
      Type.Object({
        stockCountLines: Type.Array(Type.Object({ stockCountLineId: Uuid, round: Type.Integer() })),
      }),
    ),
    async run({ tx, actor, params, body: { stockCountLineIds } }) {
      const count = await lockStockCountIn(tx, actor, params.stockCountId, countingStatuses)
      const ids = [...new Set(stockCountLineIds)]
      const lines = new Map(
        (await readCountLines(tx, count, sql`l.id = any(${ids})`)).map(line => [line.id, line]),
      )
      const { refuse, throwIfAny } = collectEntryFaults('stockCountLineIds')
      for (const [n, id] of stockCountLineIds.entries()) {
        const line = lines.get(id)
        if (line === undefined) refuse(n, `the stock count has no line ${id}`, 'unknown_reference')
        else if (line.status === StockCountLineStatus.Approved)
          refuse(
            n,
            'the line is already approved: create another stock count to count it again',
            'wrong_status',
          )
        else if (line.status !== StockCountLineStatus.Counted)
          refuse(n, 'the line has not been counted yet: count it first', 'wrong_status')
      }
      throwIfAny()
      await tx.run(sql`
        update stock_count_line set status = ${StockCountLineStatus.Recount}, round = round + 1
        where organisation_id = ${count.organisationId} and id = any(${ids})`)
      return {
        stockCountLines: ids.map(id => ({
          stockCountLineId: id,
          round: (lines.get(id)?.round as number) + 1,
        })),
      }
    },
  }),
]
