// Serials that entries bring in, and that are in stock already: a serial is so once. Spec 2.14.

import { type Db, sql } from '../../platform/database/db.ts'
import { tableOf } from '../../platform/database/table-of.ts'
import type { ReportEntryFault } from '../../platform/http/entry-faults.ts'
import { maxFaults } from '../../platform/http/refusal.ts'

/** Goods of a product that come in with serials. */
export interface IncomingSerials {
  productId: string
  productCode: string
  serials: readonly { serial: string }[]
}

/**
 * Tells `refuse`, as the end of a sentence, of every serial that is in stock already, by the number of the
 * entry that brings it. Ask under the lock.
 */
export async function refuseSerialsInStock(
  db: Db,
  organisationId: string,
  entries: readonly IncomingSerials[],
  refuse: ReportEntryFault,
): Promise<void> {
  const given = entries.flatMap(({ productId, serials }, n) =>
    serials.map(({ serial }) => ({ n, productId, serial })),
  )
  if (given.length === 0) return
  const found = await db.rows<{ n: number; serial: string; locationName: string }>(sql`
    select g.n, g.serial, l.name as location_name
    from ${tableOf('g', { n: 'integer', productId: 'uuid', serial: 'text' }, given)}
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
