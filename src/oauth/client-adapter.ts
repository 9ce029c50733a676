// Presents the custom apps to the OAuth library as clients, which it reads and never stores.

import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { BuiltInApp } from '../access/actor.ts'
import { includesScope, scopes } from '../access/scopes.ts'
import { builtInRedirectUri } from './built-in-apps.ts'
import { offlineAccess } from './grants.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'

/** GrantType.AuthorisationCode. Importing it would be circular: src/organisations imports this folder. */
const authorisationCode: RegisteredApp['grantType'] = 1

/** Makes the storage adapter of the library's model Client. The pages of built-in apps are at `baseUrl`. */
export function createClientAdapter(apps: RegisteredApps, baseUrl: string): Adapter {
  const refuseToStore = () => Promise.reject(new Error('Custom apps are not stored by the OAuth server.'))
  return {
    find: async clientId => {
      const app = await apps.find(clientId)
      return app === undefined ? undefined : clientMetadata(app, baseUrl)
    },
    upsert: refuseToStore,
    findByUid: refuseToStore,
    findByUserCode: refuseToStore,
    consume: refuseToStore,
    destroy: refuseToStore,
    revokeByGrantId: refuseToStore,
  }
}

/**
 * The app as a client of the library. Instead of the secret it holds the hashes of the app's secrets; see
 * library-patches.ts.
 */
function clientMetadata(app: RegisteredApp, baseUrl: string): AdapterPayload {
  const appScopes = new Set(app.scopes)
  const isForPeople = app.grantType === authorisationCode
  return {
    client_id: app.clientId,
    // A browser can keep no secret.
    ...(app.builtIn === null
      ? { client_secret: secretHashes(app).join('.'), token_endpoint_auth_method: 'client_secret_post' }
      : { token_endpoint_auth_method: 'none', [builtInProperty]: app.builtIn }),
    grant_types: isForPeople ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
    response_types: isForPeople ? ['code'] : [],
    redirect_uris: app.builtIn === null ? [...app.redirectUris] : [builtInRedirectUri(baseUrl)],
    scope: [...scopes.filter(scope => includesScope(appScopes, scope)), offlineAccess].join(' '),
  }
}

/** The property of a client of the library that says which built-in app it is. */
export const builtInProperty = 'built_in'

/** Which built-in app a client of the library is; undefined for a custom app. */
export function builtInOf(client: object | undefined): BuiltInApp | undefined {
  const builtIn: unknown = client && Reflect.get(client, builtInProperty)
  return builtIn === 'portal' || builtIn === 'floor' ? builtIn : undefined
}

/** The hashes of the secrets that are valid at this moment, in base64url. */
const secretHashes = ({ secrets }: RegisteredApp): string[] =>
  secrets.filter(({ until }) => performance.now() < until).map(({ hash }) => hash.toString('base64url'))
