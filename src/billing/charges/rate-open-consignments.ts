// Computes the current charges of many open consignments, batch by batch.

import { nilId } from '../../consignments/list/filters.ts'
import { type Db, empty, sql } from '../../platform/database/db.ts'
import { ConsignmentStatus } from '../../vocabulary/consignments.ts'
import { loadVersions } from '../rate-cards/version-cache.ts'
import type { BillableConsignment } from './billable-consignment.ts'
import { readSetUp } from './billing-set-up.ts'
import { type RatedConsignment, rateConsignment, versionIdsOf } from './rate-consignment.ts'
import { readBillableConsignments } from './read-billable-consignments.ts'

/** Which consignments to rate. Absent fields do not filter. */
export interface ConsignmentFilter {
  clientId?: string | undefined
  carrierId?: string | undefined
  warehouseId?: string | undefined
}

/** How many consignments are rated in one go, which blocks the event loop. */
export const ratingBatchSize = 200

const { Void, Closed } = ConsignmentStatus

/** Reads the numbers of an organisation's open consignments, from the narrow listing table. */
const readOpenNumbers = async (
  db: Db,
  organisationId: string,
  { clientId, carrierId, warehouseId }: ConsignmentFilter,
): Promise<number[]> =>
  (
    await db.rows<{ number: number }>(sql`
      select number from consignment_listing
      where organisation_id = ${organisationId} and identity_connection_id = ${nilId} and edi_status = 0
        and status not in (${Void}, ${Closed})
        ${clientId === undefined ? empty : sql`and client_id = ${clientId}`}
        ${carrierId === undefined ? empty : sql`and carrier_id = ${carrierId}`}
        ${warehouseId === undefined ? empty : sql`and warehouse_id = ${warehouseId}`}
      order by number`)
  ).map(({ number }) => number)

/** Computes the current charges of an organisation's open consignments, in the order of their numbers. */
export async function* rateOpenConsignments(
  db: Db,
  organisationId: string,
  filter: ConsignmentFilter,
): AsyncGenerator<{ consignment: BillableConsignment; rated: RatedConsignment }> {
  const setUp = await readSetUp(db, organisationId)
  const numbers = await readOpenNumbers(db, organisationId, filter)
  for (let at = 0; at < numbers.length; at += ratingBatchSize) {
    const batch = numbers.slice(at, at + ratingBatchSize)
    const where = sql`c.organisation_id = ${organisationId} and c.number = any(${batch}::bigint[])
      and c.status not in (${Void}, ${Closed})`
    const consignments = await readBillableConsignments(db, { where })
    const versions = await loadVersions(db, organisationId, consignments.flatMap(versionIdsOf))
    for (const consignment of consignments)
      yield { consignment, rated: rateConsignment(consignment, versions, setUp) }
  }
}
