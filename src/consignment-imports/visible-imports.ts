// Which imports an actor may see. Open-points 3.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'

/** The code of the partner that an actor belongs to. */
const ownCode = (actor: Actor): Sql =>
  sql`(select lower(code) from partner where organisation_id = ${actor.organisationId}
    and id = ${actor.partnerId})`

/** The imports an actor may see: the organisation's, or those for the client that it belongs to. */
export const visibleImports = (actor: Actor): Sql =>
  sql`i.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and lower(i.request ->> 'clientCode') = ${ownCode(actor)}`}`
