// The attributes that a consignment line asks for. Spec 2.11.

import { sql } from '../../platform/database/db.ts'
import type { StockDescription } from '../ledger/stock-identity.ts'

/** An attribute that a line requires; without a description, any value is accepted. */
export interface AttributeCriterion {
  name: string
  /** null if the organisation has no attribute of this name */
  productAttributeId: string | null
  description: string | null
}

/** The attributes that a line `l` asks for, with their ids. */
export const requestedAttributes = sql`case when l.attributes is null or l.attributes = '[]' then '[]'
  else coalesce((
    select jsonb_agg(jsonb_build_object('name', g.name, 'description', nullif(g.description, ''),
      'productAttributeId', t.id))
    from jsonb_to_recordset(l.attributes) as g (name text, description text)
    left join product_attribute t on t.organisation_id = l.organisation_id and lower(t.name) = lower(g.name)
    where g.name <> ''
  ), '[]') end`

/** Returns whether stock has an attribute that a line asks for. */
export const hasAttribute = (
  stock: Pick<StockDescription, 'attributes'>,
  { productAttributeId, description }: AttributeCriterion,
) =>
  stock.attributes.some(
    attribute =>
      attribute.productAttributeId === productAttributeId &&
      (description === null || attribute.description?.toLowerCase() === description.toLowerCase()),
  )
