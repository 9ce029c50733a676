// Facts that charges were made of, kept once under their hash, so that no later change reaches back.

import { hash } from 'node:crypto'
import { type Sql, sql } from '../../platform/database/db.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'

// Thousands of lines refer to what is known of a few products; nothing changes what was read.
const known = new WeakMap<object, string>()

/** An id that is the hash of what it stands for. */
export function factsId(facts: object): string {
  let id = known.get(facts)
  if (id === undefined) {
    id = hashOf(facts)
    known.set(facts, id)
  }
  return id
}

function hashOf(facts: object): string {
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

/** The statement that keeps facts which are not kept yet. */
export function insertFacts(table: keyof typeof inserts, organisationId: string, facts: object[]): Sql {
  const once = new Map(Array.from(new Set(facts), one => [factsId(one), one]))
  const rows = [...once].map(([id, one]) => ({ id, facts: one })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return sql`${inserts[table](organisationId, rows)} on conflict do nothing`
}
