// Grants: what a person has allowed an app, on which its codes and refresh tokens depend. Spec 5.3, 5.4.

import { type Grant, interactionPolicy, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { includesScope } from '../access/scopes.ts'
import type { Database } from '../platform/database/db.ts'
import { audience } from './access-token.ts'
import { recordConsent } from './consents.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'
import { grantableScopes } from './scopes-of-token.ts'
import { findUser, type User } from './user.ts'

/** A scope that may be requested and has no effect. Decision 3. */
export const offlineAccess = 'offline_access'

/** What an interaction that was counted as a started sign-in remembers: the address that began it. */
const startDetails = ({ ip }: KoaContextWithOIDC) => ({ startedFrom: ip })

/**
 * Decides when a person is prompted: to sign in, if nobody of the app's organisation is signed in; for
 * consent, if they have not consented to everything before. `beforeSignIn` is called before a new sign-in is
 * stored.
 */
export function createPrompts(
  beforeSignIn: (ctx: KoaContextWithOIDC) => Promise<void>,
): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy
  const noAccount = new Check(
    'no_account',
    'the user has to sign in',
    async ctx => {
      if (ctx.oidc.account !== undefined) return false
      // With prompt=none the app only asks whether anybody is signed in, and nothing is stored.
      if (ctx.oidc.params?.prompt !== 'none') await beforeSignIn(ctx)
      return true
    },
    startDetails,
  )
  const noGrant = new Check(
    'no_grant',
    'the user has to allow the app',
    ctx => ctx.oidc.grant?.jti === undefined,
  )
  return [
    new Prompt({ name: 'login', requestable: true }, noAccount),
    new Prompt({ name: 'consent', requestable: true }, noGrant),
  ]
}

/**
 * The grant of a sign-in: the one that the person has just given, or a new one for what they allowed before.
 * Every sign-in has its own grant, so that revoking one leaves the others.
 */
export async function findOrCreateGrant(
  provider: Provider,
  database: Database,
  apps: RegisteredApps,
  { oidc }: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { client, account, result } = oidc
  if (client === undefined || account === undefined) return undefined
  const newGrantId = result?.consent?.grantId
  if (newGrantId !== undefined) return provider.Grant.find(newGrantId)
  const app = await apps.find(client.clientId)
  if (app === undefined) return undefined
  const user = await findUser(database.db, app, account.accountId)
  if (user === undefined) return undefined
  if (app.builtIn !== null) await consentSilently(database, app, user, oidc.requestParamScopes)
  else if (needsConsent(app, user, oidc.requestParamScopes)) return undefined
  return createGrant(provider, client.clientId, user.userId, oidc.requestParamScopes)
}

/**
 * Records that a person allows a built-in app what it requests, without asking: it is the service itself.
 * That is more than their role holds, so that what the role gains later counts with the next token.
 */
async function consentSilently(
  database: Database,
  app: RegisteredApp,
  user: User,
  requested: Iterable<string>,
): Promise<void> {
  const wanted = [...requested].filter(scope => scope !== offlineAccess)
  const allowed = new Set(user.allowedScopes)
  if (user.connectionId !== null && wanted.every(scope => allowed.has(scope))) return
  await database.atomically(tx => recordConsent(tx, app, user.userId, wanted))
}

/** Whether the app requests anything that the person may allow and has not allowed yet. */
function needsConsent(app: RegisteredApp, user: User, requested: Iterable<string>): boolean {
  const allowed = new Set(user.allowedScopes)
  const grantable = grantableScopes(app, user, requested)
  return grantable.length === 0 || !grantable.every(scope => includesScope(allowed, scope))
}

/** Saves a new grant for these scopes. The scopes of a token are decided when the token is issued. */
export async function createGrant(
  provider: Provider,
  clientId: string,
  accountId: string,
  requested: Iterable<string>,
): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addResourceScope(audience, [...requested].filter(scope => scope !== offlineAccess).join(' '))
  await grant.save()
  return grant
}
