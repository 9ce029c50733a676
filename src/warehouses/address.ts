// Addresses of warehouses and consignments. Spec 2.3, 2.13.

import { changedFields, givenFields } from '../platform/database/write.ts'
import { allOptional, named, ShortText, type Static, Type } from '../platform/http/schema.ts'

/** The fields of an address that a request may give. */
export const addressFields = {
  name: ShortText,
  code: Type.String({ maxLength: 50 }),
  // Not validated as an email address: it may contain several addresses, or none.
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

/** An address, in requests and responses. Every field may be left out or null. Spec 2.3. */
export const Address = named(
  'Address',
  Type.Object(allOptional(addressFields), {
    description:
      'An address is one value: in a change it replaces the whole address, because a new street must not ' +
      'keep the old suburb. null removes it.',
  }),
)
export type Address = Static<typeof Address>

/** An address in a request. Null and absent fields are both allowed. */
export type AddressInput = {
  [Field in keyof typeof addressFields]?: Static<(typeof addressFields)[Field]> | null
}

/** An address as stored in its column: only the fields that are set. */
export type StoredAddress = { [Field in keyof typeof addressFields]?: Static<(typeof addressFields)[Field]> }

/**
 * Converts an address to its stored form: only known fields that are set, in a fixed order, so that equal
 * addresses are equal JSON.
 */
export const toStoredAddress = (address: AddressInput): StoredAddress =>
  givenFields(changedFields(address, addressFieldNames), addressFieldNames)
