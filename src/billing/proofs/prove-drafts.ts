// Proves the Draft schedules in the background, each once a day, and those that differ again and again until
// they are as they should be. A difference is a defect: it is told (`/v1/attention`), and never repaired
// automatically.

import { sql } from '../../platform/database/db.ts'
import { startWorkLoop, type WorkLoop } from '../../platform/work/work-loop.ts'
import type { WorkerContext } from '../../platform/work/worker-context.ts'
import { proveSchedule } from './prove-schedule.ts'

const pollMs = 600_000

/** Starts the loop. */
export const startProvingDrafts = (context: WorkerContext): WorkLoop =>
  startWorkLoop({
    name: 'schedule proofs',
    log: context.log,
    pollMs,
    step: () => proveNextDraft(context),
  })

/** Proves the Draft whose proof is the oldest, if one is due. Returns whether there was one. */
export async function proveNextDraft({
  database,
  log,
}: Pick<WorkerContext, 'database' | 'log'>): Promise<boolean> {
  const draft = await takeNextDraft(database)
  if (draft === undefined) return false
  const { organisationId, id } = draft
  const { differing } = await proveSchedule(database.db, organisationId, id)
  const differs = differing.length > 0
  await database.inOneStatement(tx =>
    tx.run(sql`update schedule_proof set differs = ${differs}
      where organisation_id = ${organisationId} and partner_schedule_id = ${id}`),
  )
  if (differs) log.error({ organisationId, scheduleId: id, differing }, 'a schedule differs from its proof')
  return true
}

/**
 * Notes that a Draft is being proved, so that no other process proves the same one, and returns it. Until the
 * result is written, the one before it counts.
 */
const takeNextDraft = (database: WorkerContext['database']) =>
  database.inOneStatement(tx =>
    tx.maybe<{ organisationId: string; id: string }>(sql`
      insert into schedule_proof as f (organisation_id, partner_schedule_id, differs)
      select s.organisation_id, s.id, coalesce(f.differs, false)
      from partner_schedule s
      left join schedule_proof f on f.organisation_id = s.organisation_id and f.partner_schedule_id = s.id
      where s.status = 1 and (f.proved_utc is null or ${isDue})
      order by f.proved_utc nulls first, s.id limit 1
      on conflict on constraint schedule_proof_pkey do update set proved_utc = now() where ${isDue}
      returning organisation_id, partner_schedule_id as id`),
  )

const isDue = sql`f.proved_utc < now() - (case when f.differs then interval '10 minutes'
  else interval '1 day' end)`
