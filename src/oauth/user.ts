// The users of an app's organisation, as the OAuth server sees them: with what they have allowed the app.
// Spec 5.3; decision 3.

import type { PartnerKind } from '../access/actor.ts'
import type { Role } from '../access/roles.ts'
import { partnerKind } from '../partners/partner.ts'
import { type Db, sql } from '../platform/database/db.ts'
import type { RegisteredApp } from './registered-apps.ts'

export interface UserKey {
  readonly organisationId: string
  readonly userId: string
}

/** A user of the app's organisation, with what they have allowed the app so far. */
export interface User {
  readonly userId: string
  readonly email: string
  readonly fullName: string
  readonly role: Role
  /** set for a user who belongs to a partner */
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  /** a sign-in that began with another number has ended; see end-sessions.ts */
  readonly sessionNumber: number
  /** raised with every change of role or partner; tokens carry it */
  readonly userAccess: number
  /** null until the user has allowed the app something or has created it */
  readonly connectionId: string | null
  readonly allowedScopes: readonly string[]
  /** raised whenever the user withdraws their consent */
  readonly consentNumber: number
}

/** The user of the app's organisation with this id; undefined if there is none or they are disabled. */
export const findUser = (db: Db, app: RegisteredApp, userId: string): Promise<User | undefined> =>
  db.maybe<User>(sql`
    select u.id as user_id, u.email, u.full_name, u.role, u.partner_id, ${partnerKind},
      u.session_number, u.access_number as user_access, c.id as connection_id,
      coalesce(c.allowed_scopes, '{}') as allowed_scopes,
      coalesce(c.consent_number, 0) as consent_number
    from app_user u
    left join identity_connection c on c.organisation_id = u.organisation_id
      and c.custom_app_id = ${app.customAppId} and c.user_id = u.id
    where u.organisation_id = ${app.organisationId} and u.id = ${userId} and u.disabled_utc is null`)
