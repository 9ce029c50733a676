// That what was billed of storage adds up: however often a period was corrected, the transactions of a key
// come to what the latest run of its account knew. Open-points 7.

import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { inPages } from '../../platform/database/in-pages.ts'
import { textOf } from '../rate-cards/exact.ts'
import { readBilled } from './bill-storage.ts'
import { keyText } from './corrections.ts'
import { deriveAsKnown, readIntactRuns } from './derive-storage.ts'
import type { StorageAccount } from './read-stock-history.ts'

/** A key whose transactions come to something else; both as decimals. */
export interface WrongStorageSum {
  organisationId: string
  /** the first transaction of the key; where there is none, the run that billed the period */
  id: string
  stored: string
  computed: string
}

/** A period that was billed. */
interface BilledRun extends StorageAccount {
  id: string
  number: number
  latest: number
}

const nothing = '0.00'
const runsAtOnce = 1_000

async function wrongSums(
  db: Db,
  { id: runId, number, latest, ...at }: BilledRun,
): Promise<WrongStorageSum[]> {
  const { organisationId } = at
  const runs = await readIntactRuns(db, at, { from: number, to: latest })
  const period = runs?.[0]?.period
  if (runs === undefined || period === undefined || period === null) return []
  const { charges } = await deriveAsKnown(db, at, runs)
  const billed = await readBilled(db, at, [{ period }])
  const known = new Set(billed.map(keyText))
  const sums = billed.map(one => ({
    ...{ organisationId, id: one.transactionId, stored: textOf(2, one.amount) },
    computed: textOf(2, charges.get(keyText(one))?.row.amount ?? 0),
  }))
  const missing = [...charges].flatMap(([key, { row }]) =>
    known.has(key) ? [] : [{ organisationId, id: runId, stored: nothing, computed: textOf(2, row.amount) }],
  )
  return [...sums, ...missing].filter(({ stored, computed }) => stored !== computed)
}

/**
 * The keys of the billed periods of runs `r` that do not add up, one period after the other. What a version
 * decided whose content was changed cannot be added up; its transactions tell that.
 */
export async function* wrongStorageSums(db: Db, where: Sql): AsyncGenerator<WrongStorageSum[]> {
  const read = (after: BilledRun | undefined) =>
    db.rows<BilledRun>(sql`
      select r.organisation_id, r.client_id, r.warehouse_id, r.id, r.number, a.run_number as latest
      from storage_run r
      join storage_account a on a.organisation_id = r.organisation_id and a.client_id = r.client_id
        and a.warehouse_id = r.warehouse_id
      where r.period_from is not null and ${where} ${after === undefined ? empty : behindRun(after)}
      order by r.organisation_id, r.client_id, r.warehouse_id, r.number limit ${runsAtOnce}`)
  for await (const runs of inPages(runsAtOnce, read)) for (const run of runs) yield await wrongSums(db, run)
}

const behindRun = ({ organisationId, clientId, warehouseId, number }: BilledRun): Sql => sql`
  and (r.organisation_id, r.client_id, r.warehouse_id, r.number)
    > (${organisationId}, ${clientId}, ${warehouseId}, ${number})`
