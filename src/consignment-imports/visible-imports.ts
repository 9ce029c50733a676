// Which imports an actor may see. Open-points 3.

import { empty, type Sql, sql } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'

/**
 * The imports `i` that an actor may see: all of the organisation, or those of the client that it belongs to.
 * Codes are given to others in the course of time, so a client sees what is known to be its own, and nothing
 * while that is not known.
 */
export const visibleImports = (actor: Actor): Sql =>
  sql`i.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and i.client_id = ${actor.partnerId}`}`
