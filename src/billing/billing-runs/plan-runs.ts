// Finds the periods that are over and have no run yet, and makes their runs. What was missed while nothing
// ran is made for its own period. Open-points 7.

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

/** So many runs of one partner are made in one go. */
const maxAtOnce = 100

/** Makes a run, due from an instant on, and returns its id. The row of the partner must be locked. */
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

/** Locks a partner, so that its periods are given by one at a time, and reads it. */
export async function lockBilledPartner(
  tx: Tx,
  organisationId: string,
  partnerId: string,
): Promise<BilledPartner | undefined> {
  const where = sql`p.organisation_id = ${organisationId} and p.id = ${partnerId}`
  await tx.run(sql`select from partner p where ${where} for no key update`)
  return (await readBilledPartners(tx, where))[0]
}

/** Makes the runs of a partner that are due, the oldest first, up to the first that is not. */
const planPartner = (database: Database, { organisationId, partnerId }: BilledPartner, now: Date) =>
  database.atomically(async tx => {
    const partner = await lockBilledPartner(tx, organisationId, partnerId)
    if (partner === undefined) return 0
    const zones = (await warehousesOf(tx, partner)).map(({ timezoneId }) => timezoneId)
    let planned = 0
    for (const period of periodsOf(partner, zones).take(maxAtOnce)) {
      if (period.runUtc > now) break
      await insertRun(tx, partner, period, period.runUtc)
      planned++
    }
    return planned
  })

/**
 * Makes the runs that are due at an instant, and returns how many. A partner for which that fails stops no
 * other; the first failure is thrown at the end.
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
