// What a partner is: a client or a carrier, for ever. Spec 2.11.

import { type Sql, sql } from '../platform/database/db.ts'
import { Relationship } from './enumerations.ts'

/** Whether the partner of `app_user u` is a client or a carrier, in a select list; null where it has none. */
export const partnerKind: Sql = sql`(
  select case p.relationship when ${Relationship.Client} then 'client' else 'carrier' end
  from partner p where p.organisation_id = u.organisation_id and p.id = u.partner_id) as partner_kind`
