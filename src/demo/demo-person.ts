// The person who can sign in to the demo, from the API reference or by a link, and the app for it.

import { randomBytes } from 'node:crypto'
import { scopes } from '../access/scopes.ts'
import { createCustomApp } from '../custom-apps/create-app.ts'
import { redirectUriFault } from '../custom-apps/custom-app.ts'
import { appsChanged } from '../oauth/registered-apps.ts'
import { sql } from '../platform/database/db.ts'
import { hint } from '../platform/work/hints.ts'
import type { Service } from '../process/service.ts'
import { createUser, hashNewPassword } from '../users/create-user.ts'
import { setPassword } from '../users/set-password.ts'
import { GrantType } from '../vocabulary/organisations.ts'

/** The person who can sign in to the demo, and the credentials of the app that they sign in to. */
export interface DemoPerson {
  email: string
  password: string
  clientId: string
  clientSecret: string
}

/** The redirect URI of the app: the API reference, which can itself start a sign-in. */
const redirectUri = (baseUrl: string) => `${baseUrl}/docs`

/**
 * Creates the person, or updates the redirect URI for the person of an earlier run. Returns undefined if the
 * address cannot be a redirect URI, because it is neither encrypted nor of this machine.
 */
export async function prepareDemoPerson(
  { database, secretBox, baseUrl }: Service,
  organisationId: string,
  earlier: DemoPerson | undefined,
): Promise<DemoPerson | undefined> {
  if (redirectUriFault(redirectUri(baseUrl)) !== undefined) return earlier
  const redirectUris = [redirectUri(baseUrl)]
  if (earlier !== undefined) {
    await database.atomically(async tx => {
      await tx.run(sql`
        update custom_app set redirect_uris = ${redirectUris}
        where organisation_id = ${organisationId} and client_id = ${earlier.clientId}`)
      tx.afterCommit(() => hint(appsChanged))
    })
    return earlier
  }
  const existingUser = await database.db.maybe<{ id: string }>(sql`
    select id from app_user where organisation_id = ${organisationId} and lower(email) = 'demo@example.com'`)
  const password = randomBytes(12).toString('base64url')
  const person = {
    organisationId,
    email: 'demo@example.com',
    fullName: 'Demo Person',
    role: 'administrator' as const,
  }
  const passwordHash = await hashNewPassword(person, password)
  // An earlier run was stopped before it had written the password.
  if (existingUser !== undefined)
    await setPassword(database, { organisationId, userId: existingUser.id }, password)
  const app = await database.atomically(async tx => {
    if (existingUser === undefined) await createUser(tx, { ...person, passwordHash })
    const grantType = GrantType.AuthorisationCode
    const fields = { organisationId, name: 'Demo for people', grantType, scopes: [...scopes], redirectUris }
    return createCustomApp(tx, secretBox, fields)
  })
  const { clientId, clientSecret } = app
  return { email: person.email, password, clientId, clientSecret }
}

/** Instructions for signing in. */
export function describeSignIn({ baseUrl, authUrl }: Service, person: DemoPerson | undefined): string {
  if (person === undefined) return ''
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: person.clientId,
    redirect_uri: redirectUri(baseUrl),
    scope: 'consignment inventory',
    state: 'demo',
  })
  return `
Sign in as a person, in a browser:
  ${authUrl}/connect/authorize?${query}
  Email           ${person.email}
  Password        ${person.password}
  Client id       ${person.clientId}
  Client secret   ${person.clientSecret}
It comes back to the API reference with a code. The reference signs in by itself, too: "oauth2" with this
client id and secret.
`
}
