// Sets the ediStatus of a consignment, of which each connection has its own. Spec 2.2; decisions 2, 4.
//
// It is not part of the consignment: it can change in every status, including Closed, and raises no event.

import type { Actor } from '../access/actor.ts'
import { sql, type Tx } from '../platform/database/db.ts'

/** Sets the ediStatus and message for the calling connection. Returns false if nothing changes. */
export async function setEdiStatus(
  tx: Tx,
  actor: Actor,
  consignmentId: string,
  ediStatus: number | null,
  message: string | null,
): Promise<boolean> {
  const writtenCount = await tx.run(sql`
    insert into consignment_edi as stored (organisation_id, consignment_id, identity_connection_id,
      edi_status, message)
    select ${actor.organisationId}::uuid, ${consignmentId}::uuid, ${actor.connectionId}::uuid, new.edi_status,
      new.message
    from (select ${ediStatus}::int as edi_status, ${message}::text as message) new
    where new.edi_status is not null or new.message is not null
      or exists (select from consignment_edi where organisation_id = ${actor.organisationId}
        and consignment_id = ${consignmentId}
        and identity_connection_id = ${actor.connectionId})
    on conflict on constraint consignment_edi_pkey do update
    set edi_status = excluded.edi_status, message = excluded.message, modified_utc = now()
    where row(stored.edi_status, stored.message) is distinct from row(excluded.edi_status, excluded.message)`)
  return writtenCount > 0
}
