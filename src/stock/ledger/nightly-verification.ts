// Proves the stock of each organisation in the night of its time zone. What differs is a defect: it is logged
// and counted, and never repaired by itself.

import { sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { verifyStock } from './check-stock.ts'

const night = { from: 1, to: 5 }
/** Of many differences so many are logged. */
const maxLogged = 20

/** A proof that has not come to its end after so long was interrupted, and is made again. */
const leaseMinutes = 30
/** Nights have been missed when the last proof is older. */
const overdueHours = 36

/** Starts the loop, and adds the gauges `stock_differences` and `stock_proofs_overdue`. */
export function verifyStockNightly(context: WorkerContext): WorkLoop {
  const { database, log, metrics } = context
  metrics.gauge(
    'stock_proofs_overdue',
    'Organisations with stock whose last proof that came to its end began more than 36 hours ago.',
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
    'Rows of stock that the last proof found not to be what the ledger says; anything but 0 is a defect.',
    async () =>
      (
        await database.db.row<{ n: number }>(
          sql`select coalesce(sum(difference_count), 0)::integer as n from stock_proof`,
        )
      ).n,
  )
  return startWorkLoop({
    name: 'proof of stock',
    log,
    pollMs: 600_000,
    step: () => verifyNextOrganisation(context),
  })
}

/**
 * Proves the stock of one organisation that has stock, whose night it is and whose last proof is older than
 * that night. False: there is none.
 */
export async function verifyNextOrganisation({
  database,
  log,
}: Pick<WorkerContext, 'database' | 'log'>): Promise<boolean> {
  const next = await begin(database)
  if (next === undefined) return false
  const { organisationId } = next
  const differences = await database.atomically(tx => verifyStock(tx, organisationId))
  await database.inOneStatement(tx =>
    tx.run(sql`
      update stock_proof set proved_utc = begun_utc, difference_count = ${differences.length}
      where organisation_id = ${organisationId}`),
  )
  for (const difference of differences.slice(0, maxLogged))
    log.error({ difference }, 'stock is not what its ledger says')
  return true
}

/**
 * Notes that a proof begins, so that no other process makes the same. It counts only once it has come to its
 * end: what a killed worker has begun is begun again.
 */
const begin = (database: WorkerContext['database']): Promise<{ organisationId: string } | undefined> =>
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
