// Which imports an actor may see. Decision 3.

import type { Actor } from '../access/actor.ts'
import { empty, type Sql, sql } from '../platform/database/db.ts'

/**
 * The imports that an actor may see, as an SQL condition on `consignment_import i`: all of the organisation,
 * or those of the client that the actor belongs to. Codes can be given to other clients over time, so a
 * client sees only imports that are known by id to be its own.
 */
export const visibleImports = (actor: Actor): Sql =>
  sql`i.organisation_id = ${actor.organisationId}
    ${actor.partnerId === null ? empty : sql`and i.client_id = ${actor.partnerId}`}`
