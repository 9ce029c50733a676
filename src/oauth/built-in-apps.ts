// The browser apps that every organisation has: the portal, and the app for the floor. Each is a row among
// the custom apps, so that disabling, revoking and history work as for any other. A browser can keep no
// secret, so they sign people in with PKCE instead, and their refresh token is kept in a cookie; see
// browser-tokens.ts.

import type { FastifyInstance } from 'fastify'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import type { BuiltInApp } from '../access/actor.ts'
import { scopes } from '../access/scopes.ts'
import { operatorOf } from '../organisations/organisation.ts'
import { type Database, type Db, sql } from '../platform/database/db.ts'
import { insertInto } from '../platform/database/write.ts'
import { rateLimitExceeded } from '../platform/http/refusal.ts'
import { isUuid } from '../platform/http/validation.ts'
import { windowMs } from '../platform/limits/limits.ts'
import { SlidingWindow } from '../platform/limits/sliding-window.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { hashSecret, newClientSecret } from './client-secrets.ts'
import { networkOf } from './network-of.ts'

/** What the endpoint needs. */
export interface BuiltInAppParts {
  /** the address of the OAuth server */
  issuer: string
  /** the address of the portal */
  baseUrl: string
  hasLimits: boolean
  database: Database
  secretBox: SecretBox
}

/** The only address to which a built-in app may send people back. */
export const builtInRedirectUri = (baseUrl: string): string => `${baseUrl}/signed-in`

/** What a person sees as the name of each app. */
const names: Record<BuiltInApp, string> = { portal: 'Waybill portal', floor: 'Waybill floor app' }

const askedPerMinute = 30

/** Adds GET /connect/portal, which tells the portal's page how to sign people in. */
export function addPortalApp(scope: FastifyInstance, parts: BuiltInAppParts): void {
  const asked = new SlidingWindow(askedPerMinute, windowMs)
  scope.get('/connect/portal', async (request, reply) => {
    const wait = parts.hasLimits ? asked.take(networkOf(request.ip), performance.now()) : 0
    if (wait > 0) throw rateLimitExceeded(wait)
    const { Organisation } = request.query as Record<string, unknown>
    const organisation = await findOrganisation(parts.database.db, Organisation)
    // The same for an organisation that is unknown and for a question that names none.
    if (organisation === undefined)
      return reply
        .code(404)
        .send({ error: 'invalid_request', error_description: 'there is no such organisation' })
    const app = await findOrMake(parts, organisation.id, 'portal')
    if (app.isDisabled)
      return reply.code(403).send({ error: 'access_denied', error_description: 'the portal is switched off' })
    return {
      organisationId: organisation.id,
      organisationName: organisation.name,
      clientId: app.clientId,
      authorizeUrl: authorizeUrlOf(parts, app.clientId),
      baseUrl: parts.baseUrl,
    }
  })
}

/** The organisation with this id or this prefix; without a name the only one, if there is one. */
async function findOrganisation(db: Db, asked: unknown): Promise<{ id: string; name: string } | undefined> {
  if (asked !== undefined && typeof asked !== 'string') return undefined
  const condition =
    asked === undefined
      ? sql`true`
      : isUuid(asked)
        ? sql`id = ${asked}`
        : sql`consignment_prefix = upper(${asked})`
  const found = await db.rows<{ id: string; name: string }>(
    sql`select id, name from organisation where ${condition} limit 2`,
  )
  return found.length === 1 ? found[0] : undefined
}

interface MadeApp {
  clientId: string
  isDisabled: boolean
}

/** Finds the row of a built-in app, or makes it. Of two that make it at once, one does. */
async function findOrMake(
  { database, secretBox }: BuiltInAppParts,
  organisationId: string,
  builtIn: BuiltInApp,
): Promise<MadeApp> {
  const find = (db: Db) =>
    db.maybe<MadeApp>(sql`
      select client_id, disabled_utc is not null as is_disabled from custom_app
      where organisation_id = ${organisationId} and built_in = ${builtIn}`)
  const existing = await find(database.db)
  if (existing !== undefined) return existing
  return database.atomically(async tx => {
    await tx.run(sql`select id from organisation where id = ${organisationId} for no key update`)
    const made = await find(tx)
    if (made !== undefined) return made
    const createdBy = await operatorOf(tx, organisationId)
    const id = uuidv7()
    const clientId = uuidv4()
    const secretHash = secretBox.seal(hashSecret(newClientSecret()))
    const row = { organisationId, id, name: names[builtIn], grantType: 1, clientId, builtIn, createdBy }
    await tx.run(insertInto('custom_app', { ...row, secretHash, scopes: [...scopes], redirectUris: [] }))
    const connection = { organisationId, id: uuidv7(), customAppId: id, userId: createdBy }
    await tx.run(insertInto('identity_connection', connection))
    return { clientId, isDisabled: false }
  })
}

/** Where a sign-in begins. The page adds its challenge (PKCE) and state. */
function authorizeUrlOf({ issuer, baseUrl }: BuiltInAppParts, clientId: string): string {
  const url = new URL(`${issuer}/connect/authorize`)
  url.searchParams.set('response_type', 'code')
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('redirect_uri', builtInRedirectUri(baseUrl))
  url.searchParams.set('scope', scopes.join(' '))
  return url.href
}
