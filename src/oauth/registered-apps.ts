// Custom apps and revoked access, kept in memory for the token endpoint and the authentication of access
// tokens. They are at most a few seconds out of date. Spec 5.1.

import type { FastifyBaseLogger } from 'fastify'
import type { BuiltInApp, PartnerKind } from '../access/actor.ts'
import { scopes as allScopes } from '../access/scopes.ts'
import { partnerKind } from '../partners/partner.ts'
import { type Database, sql } from '../platform/database/db.ts'
import { RecentMap } from '../platform/recent-map.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import { onHint } from '../platform/work/hints.ts'
import { keepFresh } from '../platform/work/keep-fresh.ts'

/** A custom app that may request tokens, with the connection of the user who created it. */
export interface RegisteredApp {
  readonly organisationId: string
  readonly customAppId: string
  readonly clientId: string
  /**
   * SHA-256 of its secrets: of the current one, which signs webhooks, and after a rotation of the previous
   * one. `until` is when the secret expires, in the time of performance.now().
   */
  readonly secrets: readonly { hash: Buffer; until: number }[]
  /** 1 AuthorisationCode, 2 ClientCredentials */
  readonly grantType: 1 | 2
  readonly scopes: readonly string[]
  readonly redirectUris: readonly string[]
  /** which of the browser apps it is that every organisation has; null for a custom app */
  readonly builtIn: BuiltInApp | null
  readonly userId: string
  readonly connectionId: string
  readonly partnerId: string | null
  readonly partnerKind: PartnerKind | null
  /** the access numbers of the app and of the user who created it, which tokens carry */
  readonly appAccess: number
  readonly userAccess: number
}

/** The custom apps, and which access tokens are refused before they expire. */
export interface RegisteredApps {
  /** The app with this client id; undefined if there is none or it is disabled. */
  find(clientId: string): Promise<RegisteredApp | undefined>
  /**
   * Whether the access tokens of an app (by client id) or of a person (by user id) are to be refused. Does
   * not query the database.
   */
  isDisabled(clientOrUserId: string): boolean
  /**
   * Whether an access token with this access number of an app (by client id) or a user (by user id) was made
   * before the secret was replaced without overlap, or before the role or partner changed. Does not query the
   * database.
   */
  isOutdated(clientOrUserId: string, accessNumber: number): boolean
  /**
   * Whether a person has withdrawn the consent with this number, on which an access token is based. Does not
   * query the database.
   */
  isWithdrawn(connectionId: string, consentNumber: number): boolean
  close(): void
}

/** The hint that a custom app or the access of a user was changed, or a consent withdrawn. */
export const appsChanged = 'custom-apps'

const maxAgeMs = 10_000
const refreshRevokedMs = 5_000
const maxApps = 5_000
const clientIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Opens the registry. Revoked access has been read when the promise resolves. */
export async function openRegisteredApps(
  database: Database,
  secretBox: SecretBox,
  log: FastifyBaseLogger,
): Promise<RegisteredApps> {
  const apps = new RecentMap<{ until: number; app: Promise<RegisteredApp | undefined> }>(maxApps)
  let revoked: RevokedAccess = { disabled: new Set(), accessNumbers: new Map(), consents: new Map() }
  const copy = await keepFresh({
    name: 'The list of disabled apps and users',
    intervalMs: refreshRevokedMs,
    log,
    async load() {
      revoked = await readRevoked(database)
    },
  })
  const stopListening = onHint(appsChanged, () => {
    apps.clear()
    void copy.refresh()
  })

  /** Only apps that exist stay in memory, so that made-up ids do not displace them. */
  async function read(clientId: string): Promise<RegisteredApp | undefined> {
    let app: RegisteredApp | undefined
    try {
      const row = await readApp(database, clientId)
      app = row && decryptSecrets(row, secretBox, log)
      return app
    } finally {
      if (app === undefined) apps.delete(clientId)
    }
  }

  return {
    async find(clientId) {
      if (!clientIdPattern.test(clientId) || revoked.disabled.has(clientId)) return undefined
      const cachedApp = apps.get(clientId)
      if (cachedApp !== undefined && cachedApp.until > performance.now()) return cachedApp.app
      const app = read(clientId)
      apps.set(clientId, { until: performance.now() + maxAgeMs, app })
      return app
    },
    isDisabled: id => revoked.disabled.has(id),
    isOutdated: (id, accessNumber) => accessNumber < (revoked.accessNumbers.get(id) ?? 0),
    isWithdrawn: (connectionId, consentNumber) => consentNumber < (revoked.consents.get(connectionId) ?? 0),
    close() {
      stopListening()
      copy.close()
    },
  }
}

/** The revocations for which access tokens are refused before they expire. */
interface RevokedAccess {
  /** client ids of apps and ids of users */
  readonly disabled: ReadonlySet<string>
  /** by client id or id of user: tokens with a lower number are refused */
  readonly accessNumbers: ReadonlyMap<string, number>
  /** by connection: the number of its next consent; tokens with a lower number are refused */
  readonly consents: ReadonlyMap<string, number>
}

/** Reads the revocations that can affect a valid token. Tokens last an hour, so older revocations cannot. */
async function readRevoked({ db }: Database): Promise<RevokedAccess> {
  const rows = await db.rows<{ id: string; consentNumber: number | null; accessNumber: number | null }>(sql`
    select client_id as id, null::int as consent_number, null::int as access_number from custom_app
    where disabled_utc > now() - interval '65 minutes'
    union all
    select id::text, null, null from app_user where disabled_utc > now() - interval '65 minutes'
    union all
    select client_id, null, access_number from custom_app
    where access_changed_utc > now() - interval '65 minutes'
    union all
    select id::text, null, access_number from app_user
    where access_changed_utc > now() - interval '65 minutes'
    union all
    select id::text, consent_number, null from identity_connection
    where withdrawn_utc > now() - interval '65 minutes'`)
  const revoked = {
    disabled: new Set<string>(),
    accessNumbers: new Map<string, number>(),
    consents: new Map<string, number>(),
  }
  for (const { id, consentNumber, accessNumber } of rows) {
    if (consentNumber !== null) revoked.consents.set(id, consentNumber)
    else if (accessNumber !== null) revoked.accessNumbers.set(id, accessNumber)
    else revoked.disabled.add(id)
  }
  return revoked
}

/** An app as the database stores it, with encrypted hashes of its secrets. */
interface AppRow extends Omit<RegisteredApp, 'secrets'> {
  secretHash: Buffer
  previousSecretHash: Buffer | null
  /** for how many more milliseconds the previous secret is valid */
  previousSecretMs: number | null
}

/** Decrypts the hashes of an app's secrets. An app whose secrets cannot be decrypted counts as unknown. */
function decryptSecrets(
  { secretHash, previousSecretHash, previousSecretMs, ...app }: AppRow,
  secretBox: SecretBox,
  log: FastifyBaseLogger,
): RegisteredApp | undefined {
  try {
    const secrets = [{ hash: secretBox.open(secretHash), until: Number.POSITIVE_INFINITY }]
    if (previousSecretHash !== null)
      secrets.push({
        hash: secretBox.open(previousSecretHash),
        until: performance.now() + (previousSecretMs ?? 0),
      })
    // A browser app holds scopes that are newer than its row too.
    return { ...app, secrets, ...(app.builtIn === null ? {} : { scopes: allScopes }) }
  } catch (error) {
    log.error({ err: error, customAppId: app.customAppId }, 'the secret of a custom app cannot be decrypted')
    return undefined
  }
}

/** Reads an app, with the hashes of its secrets still encrypted. */
const readApp = (database: Database, clientId: string): Promise<AppRow | undefined> =>
  database.db.maybe<AppRow>(sql`
    select a.organisation_id, a.id as custom_app_id, a.client_id, a.secret_hash, a.previous_secret_hash,
      extract(epoch from a.previous_secret_expires_utc - now()) * 1000 as previous_secret_ms,
      a.grant_type, a.scopes, a.redirect_uris, a.built_in,
      u.id as user_id, c.id as connection_id, u.partner_id, ${partnerKind},
      a.access_number as app_access, u.access_number as user_access
    from custom_app a
    join app_user u on u.organisation_id = a.organisation_id and u.id = a.created_by
    join identity_connection c on c.organisation_id = a.organisation_id and c.custom_app_id = a.id
      and c.user_id = a.created_by
    where a.client_id = ${clientId} and a.disabled_utc is null`)
