// What people have allowed apps to do in their name: the identity connections of the authorisation code
// grant. Spec 5.3; open-points 3.

import { v7 as uuidv7 } from 'uuid'
import { partnerKind } from '../partners/partner.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import type { PartnerKind } from '../platform/http/actor.ts'
import { commonScopes, type Role, scopesOfRole } from './effective-scopes.ts'
import type { RegisteredApp } from './registered-apps.ts'

/** A person who may use an app, with what they have allowed it so far. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly fullName: string
  readonly role: Role
  /** set for a person who belongs to a partner */
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  /** what a sign-in of the person must have begun with; with any other it is over */
  readonly sessionNumber: number
  /** null until the person has allowed the app anything, or has created it */
  readonly connectionId: string | null
  readonly allowedScopes: readonly string[]
  /** raised whenever the person withdraws what was allowed */
  readonly consentNumber: number
}

/** The person of the app's organisation with this id; undefined when there is none or it is disabled. */
export const personOf = (db: Db, app: RegisteredApp, userId: string): Promise<Person | undefined> =>
  db.maybe<Person>(sql`
    select u.id as user_id, u.email, u.full_name, u.role, u.partner_id, ${partnerKind},
      u.session_number, c.id as connection_id, coalesce(c.allowed_scopes, '{}') as allowed_scopes,
      coalesce(c.consent_number, 0) as consent_number
    from app_user u
    left join identity_connection c on c.organisation_id = u.organisation_id
      and c.custom_app_id = ${app.customAppId} and c.user_id = u.id
    where u.organisation_id = ${app.organisationId} and u.id = ${userId} and u.disabled_utc is null`)

/** What of the asked scopes the person can allow the app. */
export const allowableScopes = (app: RegisteredApp, person: Person, asked: Iterable<string>) =>
  commonScopes(new Set(asked), new Set(app.scopes), scopesOfRole[person.role])

/**
 * What a token of the person may do: what it was asked for, as far as app, role and consent reach at
 * this moment.
 */
export const effectiveScopes = (app: RegisteredApp, person: Person, asked: Iterable<string>) =>
  commonScopes(new Set(allowableScopes(app, person, asked)), new Set(person.allowedScopes))

/** Records that the person allows the app these scopes, besides what was allowed before. */
export async function recordConsent(
  tx: Tx,
  app: Pick<RegisteredApp, 'organisationId' | 'customAppId'>,
  userId: string,
  scopes: readonly string[],
): Promise<void> {
  await tx.run(sql`
    insert into identity_connection as c (organisation_id, id, custom_app_id, user_id, allowed_scopes)
    values (${app.organisationId}, ${uuidv7()}, ${app.customAppId}, ${userId}, ${scopes})
    on conflict (organisation_id, custom_app_id, user_id) do update
      set allowed_scopes = array(select distinct scope
        from unnest(c.allowed_scopes || excluded.allowed_scopes) scope order by scope)`)
}
