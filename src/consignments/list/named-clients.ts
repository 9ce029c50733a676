// The clients that a search for consignments finds by their names.

import type { Actor } from '../../access/actor.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { Relationship } from '../../vocabulary/partners.ts'

/** A statement for the ids of clients whose name contains the text. */
export const namedClients = ({ organisationId }: Actor, text: string): Sql => sql`
  select id from partner
  where organisation_id = ${organisationId} and relationship = ${Relationship.Client}
    and lower(name) like containing(${text})`
