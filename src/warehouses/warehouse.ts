// What a warehouse is: its address, and how one of the caller's is found. Spec 2.13, 2.14.

import { type Db, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { notFound } from '../platform/http/refusal.ts'
import { Email, IntegerEnum, nullables, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { AddressType } from './enumerations.ts'

const ShortText = Type.String({ maxLength: 200 })

/** The fields of an address that a request may give. */
export const addressFields = {
  name: ShortText,
  code: Type.String({ maxLength: 50 }),
  email: Email,
  phone: ShortText,
  streetAddress: ShortText,
  suburb: ShortText,
  city: ShortText,
  state: ShortText,
  postCode: Type.String({ maxLength: 20 }),
  country: ShortText,
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
}
export const addressFieldNames = Object.keys(addressFields) as (keyof typeof addressFields)[]

/** A warehouse's address. */
export const WarehouseAddress = Type.Object({
  id: Uuid,
  type: IntegerEnum(AddressType),
  ...nullables(addressFields),
})

/** An address as it is stored: the fields that are set. */
export type StoredAddress = { [Field in keyof typeof addressFields]?: Static<(typeof addressFields)[Field]> }

/** Refuses (404) a warehouse that is not one of the organisation's. */
export async function requireWarehouse(db: Db, actor: Actor, warehouseId: string): Promise<void> {
  const warehouse = await db.maybe(sql`
    select 1 from warehouse where organisation_id = ${actor.organisationId} and id = ${warehouseId}`)
  if (warehouse === undefined) throw notFound('Warehouse')
}
