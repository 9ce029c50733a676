// Refuses incoming serials that are in stock already: a serial of a product is in stock only once. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { maxFaults } from '../../platform/http/refusal.ts'

/** Incoming goods of a product with their serials. */
export interface IncomingSerials {
  productId: string
  productCode: string
  serials: readonly { serial: string }[]
}

/**
 * Reports every incoming serial that is in stock already to `refuse`, with the index of its entry. Call it
 * under the stock lock.
 */
export async function refuseDuplicateSerials(
  db: Db,
  organisationId: string,
  entries: readonly IncomingSerials[],
  refuse: ReportEntryFault,
): Promise<void> {
  const incoming = entries.flatMap(({ productId, serials }, n) =>
    serials.map(({ serial }) => ({ n, productId, serial })),
  )
  if (incoming.length === 0) return
  const found = await db.rows<{ n: number; serial: string; locationName: string }>(sql`
    select g.n, g.serial, l.name as location_name
    from ${tableOf('g', { n: 'integer', productId: 'uuid', serial: 'text' }, incoming)}
    join warehouse_product_item i on i.organisation_id = ${organisationId} and i.product_id = g."productId"
      and i.serial = g.serial
    join warehouse_product p on p.organisation_id = i.organisation_id and p.id = i.warehouse_product_id
    join warehouse_location l on l.organisation_id = p.organisation_id and l.id = p.warehouse_location_id
    order by g.n, g.serial limit ${maxFaults + 1}`)
  for (const { n, serial, locationName } of found)
    refuse(
      n,
      `the serial ${serial} of ${entries[n]?.productCode} is in stock already, in ${locationName}`,
      'duplicate',
    )
}
