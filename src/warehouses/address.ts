// What an address is, of a warehouse and of a consignment alike. Spec 2.3, 2.13.

import { changedFields, givenFields } from '../platform/database/write.ts'
import { ShortText, type Static, Type } from '../platform/http/schema.ts'

/** The fields of an address that a request may give. */
export const addressFields = {
  name: ShortText,
  code: Type.String({ maxLength: 50 }),
  // As it is given: an address may stand for several people, or for none.
  email: Type.String({ maxLength: 254 }),
  phone: ShortText,
  streetAddress: ShortText,
  suburb: ShortText,
  city: ShortText,
  state: ShortText,
  postCode: ShortText,
  country: ShortText,
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
}
export const addressFieldNames = Object.keys(addressFields) as (keyof typeof addressFields)[]

/** An address as a request gives it. */
export type AddressInput = {
  [Field in keyof typeof addressFields]?: Static<(typeof addressFields)[Field]> | null
}

/** An address as its column holds it: the fields that are set. */
export type StoredAddress = { [Field in keyof typeof addressFields]?: Static<(typeof addressFields)[Field]> }

/**
 * An address as its column holds it: the known fields that say something, in one order, so that equal
 * addresses are equal JSON.
 */
export const toStoredAddress = (address: AddressInput): StoredAddress =>
  givenFields(changedFields(address, addressFieldNames), addressFieldNames)
