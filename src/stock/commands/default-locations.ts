// The default locations of a warehouse, where goods come in or go out if neither the request nor the
// consignment names a location. They are created when the first goods need them. Spec 2.14.

import { sql, type Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'

const columns = { receive: 'default_receive_location_id', dispatch: 'default_dispatch_location_id' } as const
const names = { receive: 'RECEIVE', dispatch: 'DISPATCH' } as const

/** The direction in which goods pass the warehouse. */
export type Direction = keyof typeof names

/**
 * Returns the id of a warehouse's default location for a direction. If there is none, it locks the row of the
 * warehouse and creates a Transitional location RECEIVE or DISPATCH. Call it before the stock is locked.
 */
export async function defaultLocationOf(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  direction: Direction,
): Promise<string> {
  const column = columns[direction]
  const where = sql`organisation_id = ${organisationId} and id = ${warehouseId}`
  const read = sql`select default_receive_location_id, default_dispatch_location_id from warehouse
    where ${where}`
  type Defaults = { defaultReceiveLocationId: string | null; defaultDispatchLocationId: string | null }
  const defaultOf = (row: Defaults) =>
    column === 'default_receive_location_id' ? row.defaultReceiveLocationId : row.defaultDispatchLocationId
  const existing = defaultOf(await tx.row<Defaults>(read))
  if (existing !== null) return existing
  const createdMeanwhile = defaultOf(await tx.row<Defaults>(sql`${read} for no key update`))
  if (createdMeanwhile !== null) return createdMeanwhile
  await tx.run(sql`
    insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
    values (${organisationId}, ${newId()}, ${warehouseId}, ${names[direction]}, ${LocationType.Transitional})
    on conflict (organisation_id, warehouse_id, lower(name)) do nothing`)
  const { id } = await tx.row<{ id: string }>(sql`
    select id from warehouse_location where organisation_id = ${organisationId}
      and warehouse_id = ${warehouseId} and lower(name) = lower(${names[direction]})`)
  await tx.run(
    direction === 'receive'
      ? sql`update warehouse set default_receive_location_id = ${id} where ${where}`
      : sql`update warehouse set default_dispatch_location_id = ${id} where ${where}`,
  )
  return id
}
