// Finds the warehouse of a command, whose door it passes.

import { type Database, sql } from '../../platform/database/db.ts'
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

const search = batchCalls<Search, string | null>({
  key: ({ database }) => database,
  maxConcurrent: 1,
  maxCount: 500,
  maxWeight: 500,
  weight: () => 1,
  async runBatch(searches) {
    const { database } = searches[0] as Search
    const idsOf = (table: WarehouseClue['table']) =>
      searches.flatMap(clue => (clue.table === table ? clue.id : []))
    const organisations = [...new Set(searches.map(({ organisationId }) => organisationId))]
    const found = await database.db.rows<Record<'id' | 'warehouseId', string>>(sql`
      select id, warehouse_id from consignment where organisation_id = any(${organisations})
        and id = any(${idsOf('consignment')}) and warehouse_id is not null
      union all
      select id, warehouse_id from warehouse_product where organisation_id = any(${organisations})
        and id = any(${idsOf('warehouse_product')})
      union all
      select id, warehouse_id from job where organisation_id = any(${organisations})
        and id = any(${idsOf('job')}) and warehouse_id is not null
      union all
      select id, warehouse_id from stock_count where organisation_id = any(${organisations})
        and id = any(${idsOf('stock_count')})`)
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
