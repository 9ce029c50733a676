// Grants: what a person has allowed an app, on which its codes and refresh tokens depend. Spec 5.3, 5.4.

import { type Grant, interactionPolicy, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { includesScope } from '../access/scopes.ts'
import type { Database } from '../platform/database/db.ts'
import { audience } from './access-token.ts'
import { grantableScopes, type Person, personOf } from './allowed-scopes.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'

/** A scope that may be requested and has no effect. Decision 3. */
export const offlineAccess = 'offline_access'

/** What an interaction that was counted as a started sign-in remembers: the address that began it. */
const beginningOf = ({ ip }: KoaContextWithOIDC) => ({ startedFrom: ip })

/**
 * Decides when a person is prompted: to sign in, if nobody of the app's organisation is signed in; for
 * consent, if they have not consented to everything before. `beforeSignIn` is called before a new sign-in is
 * stored.
 */
export function prompts(
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
    beginningOf,
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
export async function grantOf(
  provider: Provider,
  database: Database,
  apps: RegisteredApps,
  { oidc }: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { client, account, result } = oidc
  if (client === undefined || account === undefined) return undefined
  const given = result?.consent?.grantId
  if (given !== undefined) return provider.Grant.find(given)
  const app = await apps.find(client.clientId)
  if (app === undefined) return undefined
  const person = await personOf(database.db, app, account.accountId)
  if (person === undefined || needsConsent(app, person, oidc.requestParamScopes)) return undefined
  return newGrant(provider, client.clientId, person.userId, oidc.requestParamScopes)
}

/** Whether the app requests anything that the person may allow and has not allowed yet. */
function needsConsent(app: RegisteredApp, person: Person, requested: Iterable<string>): boolean {
  const allowed = new Set(person.allowedScopes)
  const grantable = grantableScopes(app, person, requested)
  return grantable.length === 0 || !grantable.every(scope => includesScope(allowed, scope))
}

/** Saves a new grant for these scopes. The scopes of a token are decided when the token is issued. */
export async function newGrant(
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
