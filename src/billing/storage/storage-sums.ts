// Checks that storage bills add up: however often a period was corrected, the sum of a key's transactions
// must equal what the latest run of its account computes. Decision 7.

import { type Db, empty, type Sql, sql } from '../../platform/database/db.ts'
import { inPages } from '../../platform/database/in-pages.ts'
import { textOf } from '../evaluator/exact.ts'
import { readBilledStorage } from './bill-storage.ts'
import { keyText } from './corrections.ts'
import { deriveStorageAt, readIntactRuns } from './derive-storage.ts'
import type { StorageAccount } from './read-stock-history.ts'

/** A key whose transactions do not add up; both sums are decimals as text. */
export interface WrongStorageSum {
  organisationId: string
  /** the first transaction of the key or, if there is none, the run that billed the period */
  id: string
  stored: string
  computed: string
}

/** A run that billed a period, and the number of its account's latest run. */
interface BilledRun extends StorageAccount {
  id: string
  number: number
  latest: number
}

const zero = '0.00'
const pageSize = 1_000

async function wrongSums(
  db: Db,
  { id: runId, number, latest, ...account }: BilledRun,
): Promise<WrongStorageSum[]> {
  const { organisationId } = account
  const runs = await readIntactRuns(db, account, { from: number, to: latest })
  const period = runs?.[0]?.period
  if (runs === undefined || period === undefined || period === null) return []
  const { charges } = await deriveStorageAt(db, account, runs)
  const billed = await readBilledStorage(db, account, [{ period }])
  const known = new Set(billed.map(keyText))
  const sums = billed.map(item => ({
    ...{ organisationId, id: item.transactionId, stored: textOf(2, item.amount) },
    computed: textOf(2, charges.get(keyText(item))?.row.amount ?? 0),
  }))
  const missing = [...charges].flatMap(([key, { row }]) =>
    known.has(key) ? [] : [{ organisationId, id: runId, stored: zero, computed: textOf(2, row.amount) }],
  )
  return [...sums, ...missing].filter(({ stored, computed }) => stored !== computed)
}

/**
 * Finds the keys of runs `r` whose transactions do not add up, one billed period at a time. Periods are
 * skipped if the content of a card version was changed; checking their transactions reports that.
 */
export async function* wrongStorageSums(db: Db, where: Sql): AsyncGenerator<WrongStorageSum[]> {
  const read = (after: BilledRun | undefined) =>
    db.rows<BilledRun>(sql`
      select r.organisation_id, r.client_id, r.warehouse_id, r.id, r.number, a.run_number as latest
      from storage_run r
      join storage_account a on a.organisation_id = r.organisation_id and a.client_id = r.client_id
        and a.warehouse_id = r.warehouse_id
      where r.period_from is not null and ${where} ${after === undefined ? empty : afterRun(after)}
      order by r.organisation_id, r.client_id, r.warehouse_id, r.number limit ${pageSize}`)
  for await (const runs of inPages(pageSize, read)) for (const run of runs) yield await wrongSums(db, run)
}

const afterRun = ({ organisationId, clientId, warehouseId, number }: BilledRun): Sql => sql`
  and (r.organisation_id, r.client_id, r.warehouse_id, r.number)
    > (${organisationId}, ${clientId}, ${warehouseId}, ${number})`
