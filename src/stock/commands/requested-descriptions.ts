// What lines of consignments ask of the description of their goods, and which corrections break that. Spec
// 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import type { Allocation } from '../inventory/allocations.ts'
import {
  type DescriptionField,
  descriptionFieldNames,
  descriptionNouns,
  type StockDescription,
} from '../ledger/stock-identity.ts'
import { type AttributeCriterion, hasAttribute, requestedAttributes } from './requested-attributes.ts'

/** The batch, dates and attributes that a line asks for. */
export type RequestedDescription = Record<DescriptionField, string | null> & {
  attributes: AttributeCriterion[]
}

/** Reads the batch, dates and attributes that the lines of allocations request, by line id. */
export async function readRequestedDescriptions(
  db: Db,
  organisationId: string,
  allocations: readonly Allocation[],
): Promise<ReadonlyMap<string, RequestedDescription>> {
  if (allocations.length === 0) return new Map()
  const ids = [...new Set(allocations.map(({ consignmentProductId }) => consignmentProductId))]
  const rows = await db.rows<RequestedDescription & { id: string }>(sql`
    select l.id, lower(l.batch) as batch, l.best_before_date::date, l.expiry_date::date,
      l.packaging_date::date, l.production_date::date, l.sell_by_date::date,
      ${requestedAttributes} as attributes
    from consignment_product l where l.organisation_id = ${organisationId} and l.id = any(${ids})`)
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * The requests of lines that the stock met before and would not meet afterwards: one for each field and
 * attribute, by its name.
 */
export function findBrokenRequests(
  allocations: readonly Allocation[],
  requested: ReadonlyMap<string, RequestedDescription>,
  before: StockDescription,
  after: StockDescription,
): Map<string, Allocation> {
  const broken = new Map<string, Allocation>()
  for (const allocation of allocations) {
    const line = requested.get(allocation.consignmentProductId)
    for (const field of descriptionFieldNames) {
      const value = line?.[field]
      const isMet = (stock: StockDescription) => stock[field]?.toLowerCase() === value
      const noun = descriptionNouns[field]
      if (value && isMet(before) && !isMet(after) && !broken.has(noun)) broken.set(noun, allocation)
    }
    for (const attribute of line?.attributes ?? [])
      if (hasAttribute(before, attribute) && !hasAttribute(after, attribute))
        broken.set(`attribute ${attribute.name}`, allocation)
  }
  return broken
}
