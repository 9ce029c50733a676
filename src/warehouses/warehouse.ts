// What a warehouse is: its address, and how one of the caller's is found. Spec 2.13, 2.14.

import { type Db, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { notFound } from '../platform/http/refusal.ts'
import { allNullable, IntegerEnum, Type, Uuid } from '../platform/http/schema.ts'
import { addressFields } from './address.ts'
import { AddressType } from './enumerations.ts'

/** A warehouse's address. */
export const WarehouseAddress = Type.Object({
  id: Uuid,
  type: IntegerEnum(AddressType),
  ...allNullable(addressFields),
})

/** Refuses (404) a warehouse that is not one of the organisation's. */
export async function requireWarehouse(db: Db, actor: Actor, warehouseId: string): Promise<void> {
  const warehouse = await db.maybe(sql`
    select 1 from warehouse where organisation_id = ${actor.organisationId} and id = ${warehouseId}`)
  if (warehouse === undefined) throw notFound('Warehouse')
}
