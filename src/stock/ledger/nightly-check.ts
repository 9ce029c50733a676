// Checks the stock of each organisation at night, in its own time zone, as `./waybill check-stock` does. A
// difference is a defect: it is logged and counted in a metric, and never repaired automatically. The metrics
// and their table call a check a proof.

import { sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { checkStock } from './check-stock.ts'

/** The local hours in which stock is checked; `to` is exclusive. */
const night = { from: 1, to: 5 }
/** How many differences of one check are logged. */
const maxLogged = 20

/** A check that has not finished after this time was interrupted, and starts again. */
const leaseMinutes = 30
/** If the last check is older than this, nights have been missed. */
const overdueHours = 36

/** Starts the loop, and adds the gauges `stock_differences` and `stock_proofs_overdue`. */
export function startNightlyStockCheck(context: WorkerContext): WorkLoop {
  const { database, log, metrics } = context
  metrics.gauge(
    'stock_proofs_overdue',
    'Organisations with stock whose last completed check began more than 36 hours ago.',
    async () =>
      (
        await database.db.row<{ n: number }>(sql`
          select count(*)::integer as n from stock_proof p
          where proved_utc < now() - make_interval(hours => ${overdueHours})
            and exists (select from warehouse_product w where w.organisation_id = p.organisation_id)`)
      ).n,
  )
  metrics.gauge(
    'stock_differences',
    'Differences between stock and its ledger that the last check found; anything but 0 is a defect.',
    async () =>
      (
        await database.db.row<{ n: number }>(
          sql`select coalesce(sum(difference_count), 0)::integer as n from stock_proof`,
        )
      ).n,
  )
  return startWorkLoop({
    name: 'stock check',
    log,
    pollMs: 600_000,
    step: () => checkNextOrganisation(context),
  })
}

/**
 * Checks the stock of one organisation that has stock, where it is night, and whose last check is
 * older than that night. Returns false if there is no such organisation.
 */
export async function checkNextOrganisation({
  database,
  log,
}: Pick<WorkerContext, 'database' | 'log'>): Promise<boolean> {
  const next = await beginCheck(database)
  if (next === undefined) return false
  const { organisationId } = next
  const differences = await checkStock(database, organisationId)
  await database.inOneStatement(tx =>
    tx.run(sql`
      update stock_proof set proved_utc = begun_utc, difference_count = ${differences.length}
      where organisation_id = ${organisationId}`),
  )
  for (const difference of differences.slice(0, maxLogged))
    log.error({ difference }, 'stock does not match its ledger')
  return true
}

/**
 * Records that a check begins, so that no other process runs the same one. It counts only when it has
 * finished: one that a killed worker started is started again.
 */
const beginCheck = (database: WorkerContext['database']): Promise<{ organisationId: string } | undefined> =>
  database.inOneStatement(tx =>
    tx.maybe(sql`
      insert into stock_proof as p (organisation_id, begun_utc, proved_utc, difference_count)
      select o.id, now(), '-infinity', 0 from organisation o
      left join stock_proof p on p.organisation_id = o.id
      where extract(hour from now() at time zone o.timezone_id) between ${night.from} and ${night.to - 1}
        and (p.organisation_id is null or ${isDue})
        and exists (select from warehouse_product w where w.organisation_id = o.id)
      order by p.proved_utc nulls first limit 1
      on conflict (organisation_id) do update set begun_utc = excluded.begun_utc where ${isDue}
      returning organisation_id`),
  )

const isDue = sql`(p.proved_utc < now() - interval '12 hours'
  and coalesce(p.begun_utc, '-infinity') < now() - make_interval(mins => ${leaseMinutes}))`
