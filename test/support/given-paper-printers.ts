// A printer of each type that can be printed on, and the jobs that were sent to them.

import { v7 as uuidv7 } from 'uuid'
import { sql } from '../../src/platform/database/db.ts'
import type { World } from './harness.ts'

/** The stored fields of a print job that tests read. */
export interface PrintJob {
  name: string
  kind: number
  contentType: string
  content: Buffer
  pages: number
  copies: number
  orientation: number | null
  media: string | null
  partnerId: string | null
  consignmentId: string | null
}

/** Sets up the printers of a warehouse, with a bridge that counts as online for the whole test. */
export async function openPrinters(
  { admin, database }: Pick<World, 'admin' | 'database'>,
  warehouseId: string,
) {
  const { organisationId, userId } = admin.actor
  const [appId, bridgeId, label, document, offline] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  const printer = (id: string, name: string, type: number, isReachable: boolean) => sql`
    insert into printer (organisation_id, id, name, type, warehouse_id, printer_bridge_id, is_reachable)
    values (${organisationId}, ${id}, ${name}, ${type}, ${warehouseId}, ${bridgeId}, ${isReachable})`
  await database.atomically(async tx => {
    await tx.run(sql`
      insert into custom_app (organisation_id, id, name, grant_type, client_id, secret_hash, scopes, created_by)
      values (${organisationId}, ${appId}, 'Bridge', 2, ${uuidv7()}, '\\x00', '{print}', ${userId})`)
    await tx.run(sql`
      insert into printer_bridge (organisation_id, id, name, warehouse_id, custom_app_id, last_seen_utc)
      values (${organisationId}, ${bridgeId}, 'Bridge', ${warehouseId}, ${appId}, now() + interval '1 day')`)
    await tx.run(printer(label, 'Labels', 1, true))
    await tx.run(printer(document, 'Office', 2, true))
    await tx.run(printer(offline, 'Cellar', 2, false))
  })
  return {
    printers: { label, document, offline },
    /** A job as it is stored. */
    job: (id: string) =>
      database.db.row<PrintJob>(sql`
        select name, kind, content_type, f.bytes as content, pages, copies, orientation, media, partner_id, consignment_id
        from print_job j join file_content f
          on f.organisation_id = j.organisation_id and f.sha256 = j.content_sha256
        where j.organisation_id = ${organisationId} and j.id = ${id}`),
  }
}
