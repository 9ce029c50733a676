// An address as the lines of an envelope. Pure.

import { words } from './words.ts'

/** What lines are made of; anything may be missing. */
type Addressed = {
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

/** The lines of an address, with the person whom it is for. */
export function addressLines(address: Addressed | null | undefined, attention?: string | null): string[] {
  const { name, streetAddress, suburb, city, state, postCode, country, phone, email } = address ?? {}
  const town = [city, state, postCode].filter(Boolean).join(' ')
  const person = attention ? words.attention(attention) : null
  return [name, person, streetAddress, suburb, town, country, phone, email].filter(
    line => typeof line === 'string' && line.trim() !== '',
  ) as string[]
}
