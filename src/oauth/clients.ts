// The custom apps as the OAuth library sees them: clients that it finds and never stores.

import type { Adapter } from 'oidc-provider'
import { holds, scopes } from '../platform/http/scopes.ts'
import { offlineAccess } from './grants.ts'
import type { RegisteredApp, RegisteredApps } from './registered-apps.ts'

/** GrantType.AuthorisationCode of the organisations, which stand on this folder. */
const authorisationCode: RegisteredApp['grantType'] = 1

/** The adapter of the library's model Client. */
export function openClientAdapter(apps: RegisteredApps): Adapter {
  const never = () => Promise.reject(new Error('Custom apps are not stored by the OAuth server.'))
  return {
    find: async clientId => {
      const app = await apps.find(clientId)
      return app === undefined ? undefined : metadataOf(app)
    },
    upsert: never,
    findByUid: never,
    consume: never,
    destroy: never,
    revokeByGrantId: never,
  }
}

/** In the place of the secret stands its hash; library-seams.ts compares it. */
function metadataOf(app: RegisteredApp): object {
  const given = new Set(app.scopes)
  const isForPeople = app.grantType === authorisationCode
  return {
    client_id: app.clientId,
    client_secret: app.secretHash.toString('base64url'),
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: isForPeople ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
    response_types: isForPeople ? ['code'] : [],
    redirect_uris: app.redirectUris,
    scope: [...scopes.filter(scope => holds(given, scope)), offlineAccess].join(' '),
  }
}
