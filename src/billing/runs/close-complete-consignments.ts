// The first step of a billing run: closes the client's Complete consignments, which raises their
// transactions. Decision 7.

import { closeAll } from '../../consignment-status/close-all.ts'
import { lockConsignments } from '../../consignments/consignment.ts'
import { serviceOrigin } from '../../events/emit.ts'
import { raw, sql, type Tx } from '../../platform/database/db.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { BillingRunStep } from '../../vocabulary/billing.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { Relationship } from '../../vocabulary/partners.ts'
import { advanceRun, type BillingRun } from './billing-run.ts'
import { chargeDay } from './charge-day.ts'
import type { RunRule } from './run-rule.ts'

const defaultBatchSize = 500

// A literal, because a prepared statement could not otherwise use the index of Complete consignments.
const complete = raw(String(ConsignmentStatus.Complete))

interface DueConsignment {
  id: string
  /** the local day of the work; if not recorded, the day on which the consignment became Complete */
  chargeDate: string
}

const readDueConsignments = (
  tx: Tx,
  { organisationId, partnerId, periodTo }: BillingRun,
  after: string,
  batchSize: number,
) =>
  tx.rows<DueConsignment>(sql`
    select c.id, d.charge_date
    from consignment c
    join organisation o on o.id = c.organisation_id
    left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
    cross join lateral (
      select ${chargeDay} as charge_date
    ) d
    where c.organisation_id = ${organisationId} and c.client_id = ${partnerId} and c.status = ${complete}
      and c.id > ${after} and d.charge_date <= ${periodTo}
    order by c.id limit ${batchSize}`)

/**
 * Closes the consignments that are Complete up to the last day of the period, each dated by its own charge
 * date, with one transaction per batch. Consignments refused because of unrated work stay Complete and are
 * counted. If the signal fires, returns its own step after the batch: the rest is closed when it is repeated.
 */
export async function closeCompleteConsignments(
  { database }: Pick<WorkerContext, 'database'>,
  run: BillingRun,
  rule: RunRule,
  stopping: AbortSignal,
  batchSize = defaultBatchSize,
): Promise<BillingRunStep | null> {
  const isEnabled = rule.closesComplete && run.relationship === Relationship.Client
  const source = serviceOrigin(run.organisationId)
  let progress = { last: '00000000-0000-0000-0000-000000000000', refused: 0 }
  for (;;) {
    const { next, ...soFar } = await advanceRun(database, run, async tx => {
      const found = isEnabled ? await readDueConsignments(tx, run, progress.last, batchSize) : []
      const dates = new Map(found.map(({ id, chargeDate }) => [id, chargeDate]))
      const locked = await lockConsignments(tx, run.organisationId, [...dates.keys()])
      const closing = locked.filter(({ status }) => status === ConsignmentStatus.Complete)
      const refusals = await closeAll(tx, source, closing, ({ id }) => dates.get(id) as string)
      return {
        next: found.length < batchSize ? BillingRunStep.Storage : undefined,
        closed: closing.length - refusals.size,
        refused: progress.refused + refusals.size,
        last: found.at(-1)?.id ?? progress.last,
      }
    })
    if (next !== undefined) return next
    if (stopping.aborted) return BillingRunStep.Close
    progress = soFar
  }
}
