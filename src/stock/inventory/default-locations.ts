// Where goods come in and go out when nobody says: the consignment's location, else the warehouse's, else one
// that is made when the first goods need it.

import { sql, type Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/new-id.ts'
import { LocationType } from '../../warehouses/enumerations.ts'

const columns = { receive: 'default_receive_location_id', dispatch: 'default_dispatch_location_id' } as const
const names = { receive: 'RECEIVE', dispatch: 'DISPATCH' } as const

/** Which way goods go. */
export type Direction = keyof typeof names

/**
 * The id of the location of a warehouse where goods come in or go out. The warehouse's row is locked where a
 * location has to be made, RECEIVE or DISPATCH (Transitional): call it before the stock is locked.
 */
export async function defaultLocationOf(
  tx: Tx,
  organisationId: string,
  warehouseId: string,
  way: Direction,
): Promise<string> {
  const column = columns[way]
  const where = sql`organisation_id = ${organisationId} and id = ${warehouseId}`
  const read = sql`select default_receive_location_id, default_dispatch_location_id from warehouse
    where ${where}`
  type Read = { defaultReceiveLocationId: string | null; defaultDispatchLocationId: string | null }
  const of = (row: Read) =>
    column === 'default_receive_location_id' ? row.defaultReceiveLocationId : row.defaultDispatchLocationId
  const known = of(await tx.row<Read>(read))
  if (known !== null) return known
  const meanwhile = of(await tx.row<Read>(sql`${read} for no key update`))
  if (meanwhile !== null) return meanwhile
  await tx.run(sql`
    insert into warehouse_location (organisation_id, id, warehouse_id, name, type)
    values (${organisationId}, ${newId()}, ${warehouseId}, ${names[way]}, ${LocationType.Transitional})
    on conflict (organisation_id, warehouse_id, lower(name)) do nothing`)
  const { id } = await tx.row<{ id: string }>(sql`
    select id from warehouse_location where organisation_id = ${organisationId}
      and warehouse_id = ${warehouseId} and lower(name) = lower(${names[way]})`)
  await tx.run(
    way === 'receive'
      ? sql`update warehouse set default_receive_location_id = ${id} where ${where}`
      : sql`update warehouse set default_dispatch_location_id = ${id} where ${where}`,
  )
  return id
}
