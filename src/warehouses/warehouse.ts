// What endpoints share about warehouses: the address, and checking that a warehouse exists. Spec 2.13, 2.14.

import type { Actor } from '../access/actor.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { notFound } from '../platform/http/refusal.ts'
import { allNullable, IntegerEnum, Type, Uuid } from '../platform/http/schema.ts'
import { AddressType } from '../vocabulary/warehouses.ts'
import { addressFields } from './address.ts'

export const WarehouseAddress = Type.Object({
  id: Uuid,
  type: IntegerEnum(AddressType),
  ...allNullable(addressFields),
})

/** Refuses (404) a warehouse that the organisation does not have. */
export async function requireWarehouse(db: Db, actor: Actor, warehouseId: string): Promise<void> {
  const warehouse = await db.maybe(sql`
    select 1 from warehouse where organisation_id = ${actor.organisationId} and id = ${warehouseId}`)
  if (warehouse === undefined) throw notFound('Warehouse')
}
