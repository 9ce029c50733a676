// Finds the warehouse of a command, whose door it passes.

import { type Database, join, raw, type Sql, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import { batchCalls } from '../../platform/work/batch-calls.ts'

/** A record that tells the warehouse of a command. */
export interface WarehouseClue {
  table: 'consignment' | 'warehouse_product' | 'job' | 'stock_count'
  id: string
}

interface Search extends WarehouseClue {
  database: Database
  organisationId: string
}

const maxRemembered = 10_000
const remembered = new RecentMap<string>(maxRemembered)

/** Selects the warehouses of records of a table. Asked by a table of ids, it is planned only once. */
function warehousesIn([table, searches]: [WarehouseClue['table'], readonly Search[]]): Sql {
  const keys = searches.map(({ organisationId, id }) => ({ organisationId, id }))
  return sql`
    select r.id, found.warehouse_id
    from ${tableOf('r', { organisationId: 'uuid', id: 'uuid' }, keys)}
    cross join lateral (
      select t.warehouse_id from ${raw(table)} t
      where t.organisation_id = r."organisationId" and t.id = r.id offset 0
    ) found`
}

const search = batchCalls<Search, string | null>({
  key: ({ database }) => database,
  maxConcurrent: 1,
  maxCount: 500,
  maxWeight: 500,
  weight: () => 1,
  async runBatch(searches) {
    const { database } = searches[0] as Search
    // Only the tables that are asked, which most often is one.
    const found = await database.db.rows<{ id: string; warehouseId: string | null }>(
      join([...Map.groupBy(searches, ({ table }) => table)].map(warehousesIn), ' union all '),
    )
    const warehouseOf = new Map(found.map(({ id, warehouseId }) => [id, warehouseId]))
    return searches.map(({ id }) => warehouseOf.get(id) ?? null)
  },
})

/**
 * Returns the id of the warehouse that a record belongs to; null if it is unknown. The warehouse of a
 * consignment may have changed since: it is only a hint.
 */
export async function findWarehouse(
  database: Database,
  organisationId: string,
  clue: WarehouseClue,
): Promise<string | null> {
  const key = `${organisationId} ${clue.id}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const warehouseId = await search({ ...clue, database: database.original, organisationId })
  if (warehouseId !== null) remembered.set(key, warehouseId)
  return warehouseId
}
