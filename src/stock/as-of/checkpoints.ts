// Writes checkpoints, which store the balances of all rows of stock at an instant. The next checkpoint is due
// when the ledger has grown by two thirds as many lines as the last one has rows. A checkpoint row takes 0.6
// of the space of a line, so checkpoints never take more space than the ledger. A query about the past begins
// with the nearest one, so it sums half as many lines.

import { type Database, type Sql, sql } from '../../platform/database/db.ts'
import { isDatabaseUnavailable } from '../../platform/database/errors.ts'
import { planForWholeTables } from '../../platform/database/plan-for-whole-tables.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { type AsOf, resolveAsOf } from './as-of.ts'
import { allStockFigures, balancesAt } from './balances.ts'

/** How many lines a checkpoint has to save at least; fewer lines are summed quickly without one. */
const minLines = 10_000

/** Finds the organisations whose ledger has grown enough since their last checkpoint. */
const findDueOrganisations = (database: Database, minGrowth: number): Promise<{ organisationId: string }[]> =>
  database.db.rows(sql`
    select o.id as organisation_id from organisation o
    cross join lateral (
      select coalesce(max(effective_utc), '-infinity') as last_utc from inventory_checkpoint
      where organisation_id = o.id
    ) c
    cross join lateral (
      select greatest(${minGrowth}::bigint, count(*) * 2 / 3) as lines from inventory_checkpoint_row
      where organisation_id = o.id and effective_utc = c.last_utc
    ) threshold
    where threshold.lines <= (
      select count(*) from (
        select from inventory_transaction t
        where t.organisation_id = o.id and t.effective_utc > c.last_utc limit threshold.lines
      ) grown
    ) or threshold.lines <= (
      select count(*) from (
        select from inventory_transaction t
        where t.organisation_id = o.id and t.is_late
          and tstzrange(t.effective_utc, t.recorded_utc) @> c.last_utc limit threshold.lines
      ) grown
    )
    order by o.id`)

/**
 * Writes a checkpoint of the current instant, based on the previous checkpoint. Returns the instant. Throws
 * 503 if a transaction that began before it stays open for too long.
 */
export async function writeCheckpoint(database: Database, organisationId: string): Promise<string> {
  const asOf = await resolveAsOf(database.db, organisationId, {})
  await database.atomically(tx =>
    Promise.all([tx.run(sql`select ${planForWholeTables}`), tx.run(checkpointOf(organisationId, asOf))]),
  )
  return asOf.knownAt
}

/** The statement that writes a checkpoint at `asOf.knownAt`, unless there already is one. */
export const checkpointOf = (organisationId: string, asOf: AsOf): Sql => sql`
  with made as (
    insert into inventory_checkpoint (organisation_id, effective_utc)
    values (${organisationId}, ${asOf.knownAt}::timestamptz)
    on conflict on constraint inventory_checkpoint_pkey do nothing returning effective_utc
  )
  insert into inventory_checkpoint_row (organisation_id, effective_utc, product_id, warehouse_product_id,
    entry_id, warehouse_location_id, on_hand_quantity, allocated_quantity, on_hand_weight_kg,
    on_hand_volume_m3)
  select ${organisationId}, made.effective_utc, b.product_id, b.warehouse_product_id, b.entry_id,
    b.warehouse_location_id, b.on_hand_quantity, b.allocated_quantity, b.on_hand_weight_kg,
    b.on_hand_volume_m3
  from made cross join (${balancesAt(organisationId, asOf, allStockFigures)}) b
  where b.on_hand_quantity <> 0 or b.allocated_quantity <> 0
  order by b.product_id, b.warehouse_product_id`

/**
 * Writes the checkpoints that are due, each after at least `minGrowth` new lines. Returns their number. An
 * organisation with a transaction that stays open, or whose checkpoint fails, is left for the next time and
 * does not delay the others; `onFailure` is told why it fails.
 */
export async function writeDueCheckpoints(
  database: Database,
  minGrowth = minLines,
  onFailure: (organisationId: string, error: unknown) => void = () => {},
): Promise<number> {
  let written = 0
  for (const { organisationId } of await findDueOrganisations(database, minGrowth))
    try {
      await writeCheckpoint(database, organisationId)
      written++
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (!(error instanceof Refusal)) onFailure(organisationId, error)
    }
  return written
}

/** Starts the worker that writes checkpoints. */
export const startCheckpoints = ({ database, log }: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'inventory checkpoints',
    log,
    pollMs: 60_000,
    async step() {
      await writeDueCheckpoints(database, minLines, (organisationId, err) =>
        log.error({ err, organisationId }, 'a checkpoint of stock failed and will be tried again'),
      )
      return false
    },
  })
