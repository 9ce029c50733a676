// Lists of organisations, apps and users across all organisations, for the operator of the service.

import { type Db, sql } from '../platform/database/db.ts'
import { validationFailed } from '../platform/http/refusal.ts'
import { allOptional, Type, Uuid } from '../platform/http/schema.ts'
import { createValidation } from '../platform/http/validation.ts'

export interface ListedOrganisation {
  id: string
  name: string
  consignmentPrefix: string
  timezoneId: string
  createdUtc: string
}

export interface ListedApp {
  id: string
  organisationId: string
  name: string
  clientId: string
  /** 1 AuthorisationCode, 2 ClientCredentials */
  grantType: number
  scopes: string[]
  isDisabled: boolean
  createdUtc: string
}

export interface ListedUser {
  id: string
  organisationId: string
  email: string
  fullName: string
  role: string
  partnerId: string | null
  isDisabled: boolean
  hasPassword: boolean
  createdUtc: string
}

const check = createValidation().body(Type.Object(allOptional({ organisationId: Uuid })))

/** The condition for records of one organisation, or of all. Throws 400 for an invalid id. */
function isOfOrganisation(organisationId: string | undefined) {
  const faults = check({ organisationId })
  if (faults.length > 0) throw validationFailed(...faults)
  return sql`organisation_id = coalesce(${organisationId ?? null}::uuid, organisation_id)`
}

/** Every organisation, by name. */
export const listOrganisations = (db: Db): Promise<ListedOrganisation[]> =>
  db.rows(sql`
    select id, name, consignment_prefix, timezone_id, created_utc from organisation order by name, id`)

/** The custom apps, by name. Throws 400 for an invalid organisation id. */
export async function listApps(db: Db, organisationId: string | undefined): Promise<ListedApp[]> {
  return db.rows(sql`
    select id, organisation_id, name, client_id, grant_type, scopes, disabled_utc is not null as is_disabled,
      created_utc
    from custom_app where ${isOfOrganisation(organisationId)} order by name, id`)
}

/** The users, by email address. Throws 400 for an invalid organisation id. */
export async function listUsers(db: Db, organisationId: string | undefined): Promise<ListedUser[]> {
  return db.rows(sql`
    select id, organisation_id, email, full_name, role, partner_id, disabled_utc is not null as is_disabled,
      password_hash is not null as has_password, created_utc
    from app_user where ${isOfOrganisation(organisationId)} order by lower(email), id`)
}
