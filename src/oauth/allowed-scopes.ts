// What people have allowed apps to do on their behalf: the identity connections of the authorisation code
// grant. Spec 5.3; decision 3.

import { v7 as uuidv7 } from 'uuid'
import type { PartnerKind } from '../access/actor.ts'
import { commonScopes, type Role, scopesOfRole } from '../access/roles.ts'
import { partnerKind } from '../partners/partner.ts'
import { type Db, sql, type Tx } from '../platform/database/db.ts'
import type { RegisteredApp } from './registered-apps.ts'

/** A person of the app's organisation, with what they have allowed the app so far. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly fullName: string
  readonly role: Role
  /** set for a person who belongs to a partner */
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  /** a sign-in that began with another number has ended; see end-sessions.ts */
  readonly sessionNumber: number
  /** raised with every change of role or partner; tokens carry it */
  readonly userAccess: number
  /** null until the person has allowed the app something or has created it */
  readonly connectionId: string | null
  readonly allowedScopes: readonly string[]
  /** raised whenever the person withdraws their consent */
  readonly consentNumber: number
}

/** The person of the app's organisation with this id; undefined if there is none or they are disabled. */
export const personOf = (db: Db, app: RegisteredApp, userId: string): Promise<Person | undefined> =>
  db.maybe<Person>(sql`
    select u.id as user_id, u.email, u.full_name, u.role, u.partner_id, ${partnerKind},
      u.session_number, u.access_number as user_access, c.id as connection_id,
      coalesce(c.allowed_scopes, '{}') as allowed_scopes,
      coalesce(c.consent_number, 0) as consent_number
    from app_user u
    left join identity_connection c on c.organisation_id = u.organisation_id
      and c.custom_app_id = ${app.customAppId} and c.user_id = u.id
    where u.organisation_id = ${app.organisationId} and u.id = ${userId} and u.disabled_utc is null`)

/** Which of the requested scopes the person can allow the app: those that both app and role hold. */
export const grantableScopes = (app: RegisteredApp, person: Person, requested: Iterable<string>) =>
  commonScopes(new Set(requested), new Set(app.scopes), scopesOfRole[person.role])

/** The scopes of a person's token: those requested that app, role and consent allow at this moment. */
export const effectiveScopes = (app: RegisteredApp, person: Person, requested: Iterable<string>) =>
  commonScopes(new Set(grantableScopes(app, person, requested)), new Set(person.allowedScopes))

/** Records that the person allows the app these scopes, in addition to what was allowed before. */
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
