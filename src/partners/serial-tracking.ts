// How a product's serials are tracked can change only while nothing of it is in stock or on its way: stock
// kept with serials cannot be kept without them, nor the other way round. Spec 2.12.

import { type Db, sql } from '../platform/database/db.ts'
import { type Fault, faultAt } from '../platform/http/fault.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { describeStockOnHand } from './stock-on-hand.ts'

const { Complete, Closed, Void } = ConsignmentStatus
const maxListed = 5

/** The faults of changing how serials of a product are tracked: its stock, and its open consignments. */
export async function serialTrackingFaults(
  db: Db,
  organisationId: string,
  productId: string,
): Promise<Fault[]> {
  const stock = await describeStockOnHand(db, organisationId, sql`p.product_id = ${productId}`)
  const consignments = await db.rows<{ consignmentNumber: string; count: number }>(sql`
    select c.consignment_number, count(*) over () as count from consignment c
    where c.organisation_id = ${organisationId} and c.status not in (${Complete}, ${Closed}, ${Void})
      and exists (
        select from consignment_product l where l.organisation_id = c.organisation_id
          and l.consignment_id = c.id and l.product_id = ${productId})
    order by c.number limit ${maxListed}`)
  const [first] = consignments
  const numbers = consignments.map(({ consignmentNumber }) => consignmentNumber).join(', ')
  const more = first && first.count > maxListed ? ` and ${first.count - maxListed} more` : ''
  return [
    ...(stock === null ? [] : [trackingFault(stock)]),
    ...(first === undefined ? [] : [trackingFault(`open consignments have it: ${numbers}${more}`)]),
  ]
}

const trackingFault = (reason: string) =>
  faultAt('serialTrackingMode', `must stay as it is: ${reason}`, 'state')

/** The fault of a change at the moment at which stock of the product comes in, which the database refuses. */
export const stockCameInFault = trackingFault('stock of the product has just come in')
