// Selects the contents of the header and footer of a document: the organisation, the client, the user and the
// time.

import type { Actor } from '../../access/actor.ts'
import { raw, type Sql, sql } from '../../platform/database/db.ts'

/**
 * A column `header` (a `PageHeader` as JSON) for a statement with `organisation o`. `partnerId` and
 * `timezoneId` are SQL expressions for the client and for the zone of the printed time.
 */
export const headerColumn = (actor: Actor, partnerId: string, timezoneId: string): Sql => sql`(
    select json_build_object(
      'organisationName', o.name, 'paperSize', o.paper_size, 'printedUtc', as_utc(now()),
      'printedLocal', as_local((now() at time zone ${raw(timezoneId)})::timestamp(0)),
      'printedBy', (
        select u.full_name from app_user u where u.organisation_id = o.id and u.id = ${actor.userId}
      ),
      'clientName', k.name, 'clientLogo', encode(g.thumbnail, 'base64'), 'organisationLogo', (
        select encode(thumbnail, 'base64') from organisation_logo g where g.organisation_id = o.id
      ))
    from partner k
    left join partner_logo g on g.organisation_id = k.organisation_id and g.partner_id = k.id
    where k.organisation_id = o.id and k.id = ${raw(partnerId)}
  ) as header`
