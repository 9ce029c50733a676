// Formats an address as lines. Pure.

import { words } from './words.ts'

/** The fields of an address that documents show. */
type AddressFields = {
  [Field in
    | 'name'
    | 'streetAddress'
    | 'suburb'
    | 'city'
    | 'state'
    | 'postCode'
    | 'country'
    | 'phone'
    | 'email']?: string | null
}

/** Returns the lines of an address, with `attention` (the contact person) below the name. */
export function addressLines(address: AddressFields | null | undefined, attention?: string | null): string[] {
  const { name, streetAddress, suburb, city, state, postCode, country, phone, email } = address ?? {}
  const town = [city, state, postCode].filter(Boolean).join(' ')
  const person = attention ? words.attention(attention) : null
  return [name, person, streetAddress, suburb, town, country, phone, email].filter(
    line => typeof line === 'string' && line.trim() !== '',
  ) as string[]
}
