// Plans the runs of periods that are over. Runs that were missed during downtime are created for their own
// periods. Decision 7.

import { type Database, sql, type Tx } from '../../platform/database/db.ts'
import { insertInto } from '../../platform/database/write.ts'
import { newId } from '../../platform/new-id.ts'
import {
  type BilledPartner,
  isBilledByRuns,
  periodsOf,
  readBilledPartners,
  warehousesOf,
} from './billed-partner.ts'
import type { Period } from './billing-period.ts'

/** The most runs of one partner that are created in one transaction. */
const maxPlannedAtOnce = 100

/** Creates a run that is due from an instant on, and returns its id. The partner's row must be locked. */
export async function insertRun(
  tx: Tx,
  { organisationId, partnerId }: Pick<BilledPartner, 'organisationId' | 'partnerId'>,
  { periodFrom, periodTo }: Period,
  dueUtc: Date,
): Promise<string> {
  const id = newId()
  const run = { organisationId, id, partnerId, periodFrom, periodTo, dueUtc: dueUtc.toISOString() }
  await tx.run(insertInto('billing_run', run))
  return id
}

/**
 * Locks and reads a partner, so that only one transaction at a time creates its runs. Undefined if unknown.
 */
export async function lockBilledPartner(
  tx: Tx,
  organisationId: string,
  partnerId: string,
): Promise<BilledPartner | undefined> {
  const where = sql`p.organisation_id = ${organisationId} and p.id = ${partnerId}`
  await tx.run(sql`select from partner p where ${where} for no key update`)
  return (await readBilledPartners(tx, where))[0]
}

/** Creates the due runs of a partner, the oldest first. Returns how many. */
const planPartner = (database: Database, { organisationId, partnerId }: BilledPartner, now: Date) =>
  database.atomically(async tx => {
    const partner = await lockBilledPartner(tx, organisationId, partnerId)
    if (partner === undefined) return 0
    const zones = (await warehousesOf(tx, partner)).map(({ timezoneId }) => timezoneId)
    let planned = 0
    for (const period of periodsOf(partner, zones).take(maxPlannedAtOnce)) {
      if (period.runUtc > now) break
      await insertRun(tx, partner, period, period.runUtc)
      planned++
    }
    return planned
  })

/**
 * Creates the runs that are due at an instant, and returns how many. A failure for one partner does not stop
 * the others; the first one is thrown at the end.
 */
export async function planRuns(database: Database, now: Date): Promise<number> {
  let planned = 0
  const failures: unknown[] = []
  for (const partner of await readBilledPartners(database.db, isBilledByRuns)) {
    const [first] = periodsOf(partner, [])
    if (first === undefined || first.runUtc > now) continue
    try {
      planned += await planPartner(database, partner, now)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return planned
}
