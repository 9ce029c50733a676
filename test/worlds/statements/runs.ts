// Billing runs: of which days each was, how many consignments it closed, and what it put on a schedule.

import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { clientName } from './rows.ts'

const done = 3
const unbundled = 5

export async function runs(world: World): Promise<void> {
  const { notebook, clientId } = world
  const { books } = notebook
  const { billingRuns } = await ask(world, 'get', '/v1/billing-runs?PageSize=500')
  const told = billingRuns.map(({ dueUtc: _, createdUtc: __, doneUtc: ___, step: ____, ...run }: Row) => run)
  const known = notebook.runs.done.toReversed().map(run => {
    const isRemoved = run.schedule !== null && !books.schedules.includes(run.schedule)
    return {
      ...{ id: run.id, partner: { id: clientId, name: clientName, code: 'KAURI' } },
      ...{ periodFrom: run.from, periodTo: run.to, status: isRemoved ? unbundled : done },
      ...{ failedAttempts: 0, closedCount: run.closed, refusedCount: 0, failure: null },
      partnerScheduleIds: run.schedule === null || isRemoved ? [] : [run.schedule.id],
    }
  })
  sameText(told, known, 'the billing runs')
}
