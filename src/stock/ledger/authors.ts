// Who makes the moves that are posted together, with the names that they have now: the ledger keeps them, so
// that whoever is renamed later does not rename the past.

import { type Sql, sql } from '../../platform/database/db.ts'
import type { MovementSource } from './movement.ts'

/** A part of a statement with the moves as `move`: a row of `author` for each connection and user. */
export const authors = (organisationId: string, source: MovementSource): Sql => sql`
  author as materialized (
    select a.*, u.full_name as user_name, p.name as app_name
    from (
      select distinct coalesce(m."connectionId", ${source.connectionId}) as "connectionId",
        coalesce(m."userId", ${source.userId}) as "userId"
      from move m
    ) a
    left join app_user u on u.organisation_id = ${organisationId} and u.id = a."userId"
    left join identity_connection i on i.organisation_id = ${organisationId} and i.id = a."connectionId"
    left join custom_app p on p.organisation_id = ${organisationId} and p.id = i.custom_app_id
  )`
