// Grants: what a person has allowed an app, and the codes and refresh tokens that hang on it. Spec 5.3, 5.4.

import { type Context, type Grant, interactionPolicy, type Provider } from 'oidc-provider'
import type { Database } from '../platform/database/db.ts'
import { holds } from '../platform/http/scopes.ts'
import { audience } from './access-token.ts'
import { allowableScopes, type Person, personOf } from './allowed-scopes.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'

/**
 * Accepted wherever scopes are asked for, and without effect: refresh tokens do not depend on it. Open-points
 * 3.
 */
export const offlineAccess = 'offline_access'

/**
 * Who has to be asked what: to sign in, for a session that is nobody's of this app's organisation; for
 * consent, when not all was given before. `onBeginning` is called before a sign-in that begins is stored.
 */
export function prompts(onBeginning: (ctx: Context) => Promise<void>): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy
  const noAccount = new Check('no_account', 'the user has to sign in', async ctx => {
    if (ctx.oidc?.account !== undefined) return false
    // An app that asks whether somebody is signed in gets its answer at once, and nothing is stored.
    if (ctx.oidc?.params.prompt !== 'none') await onBeginning(ctx)
    return true
  })
  const noGrant = new Check(
    'no_grant',
    'the user has to allow the app',
    ctx => ctx.oidc?.grant?.jti === undefined,
  )
  return [
    new Prompt({ name: 'login', requestable: true }, noAccount),
    new Prompt({ name: 'consent', requestable: true }, noGrant),
  ]
}

/**
 * A grant of its own for every sign-in, so that revoking one leaves the others: what the person has just
 * allowed, or had allowed before.
 */
export async function grantOf(
  provider: Provider,
  database: Database,
  apps: RegisteredApps,
  { oidc }: Context,
): Promise<Grant | undefined> {
  const { client, account, result } = oidc ?? {}
  if (oidc === undefined || client === undefined || account === undefined) return undefined
  if (result !== undefined && 'consent' in result && result.consent)
    return provider.Grant.find(result.consent.grantId)
  const app = await apps.find(client.clientId)
  if (app === undefined) return undefined
  const person = await personOf(database.db, app, account.accountId)
  if (person === undefined || needsConsent(app, person, oidc.requestParamScopes)) return undefined
  return newGrant(provider, client.clientId, person.userId, oidc.requestParamScopes)
}

/** Whether the person has not yet allowed the app all of what it asks for and they may allow. */
function needsConsent(app: RegisteredApp, person: Person, asked: Iterable<string>): boolean {
  const allowed = new Set(person.allowedScopes)
  const wanted = allowableScopes(app, person, asked)
  return wanted.length === 0 || !wanted.every(scope => holds(allowed, scope))
}

/** A saved grant for these scopes. What a token may do is decided when it is made. */
export async function newGrant(
  provider: Provider,
  clientId: string,
  accountId: string,
  asked: Iterable<string>,
): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addResourceScope(audience, [...asked].filter(scope => scope !== offlineAccess).join(' '))
  await grant.save()
  return grant
}
