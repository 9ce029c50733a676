// What a partner is: a client or a carrier, which never changes. Spec 2.11.

import { type Sql, sql } from '../platform/database/db.ts'
import { Relationship } from '../vocabulary/partners.ts'

/**
 * A column of a select list: whether the partner of `app_user u` is a client or a carrier, null if it has
 * none.
 */
export const partnerKind: Sql = sql`(
  select case p.relationship when ${Relationship.Client} then 'client' else 'carrier' end
  from partner p where p.organisation_id = u.organisation_id and p.id = u.partner_id) as partner_kind`
