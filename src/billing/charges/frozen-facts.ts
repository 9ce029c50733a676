// Facts that charges depend on, stored once under their hash, so that later changes do not affect old
// charges.

import { hash } from 'node:crypto'
import { type Sql, sql } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'

// Thousands of lines share the facts of a few products. The cache is safe because facts are never modified.
const idsOfFacts = new WeakMap<object, string>()

/** Returns the id of facts: a UUID made from their hash. */
export function factsId(facts: object): string {
  let id = idsOfFacts.get(facts)
  if (id === undefined) {
    id = uuidOfHash(facts)
    idsOfFacts.set(facts, id)
  }
  return id
}

function uuidOfHash(facts: object): string {
  const digits = hash('sha256', JSON.stringify(facts), 'hex')
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20, 32)].join('-')
}

interface Facts {
  id: string
  facts: object
}
const fields = { id: 'uuid', facts: 'jsonb' }
const inserts = {
  product_facts: insertRows<Facts>('product_facts', fields),
  place_facts: insertRows<Facts>('place_facts', fields),
  location_facts: insertRows<Facts>('location_facts', fields),
}

/** Returns the statement that stores those of the facts that are not stored yet. */
export function insertFacts(table: keyof typeof inserts, organisationId: string, facts: object[]): Sql {
  const byId = new Map(Array.from(new Set(facts), fact => [factsId(fact), fact]))
  const rows = [...byId].map(([id, fact]) => ({ id, facts: fact })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sql`${inserts[table](organisationId, rows)} on conflict do nothing`
}
