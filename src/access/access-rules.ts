// What the server asks about the callers of endpoints, and what the API document says of them. Decision 3.

import type { AccessRules } from '../platform/http/access-rules.ts'
import type { AccessInWords } from '../platform/http/openapi.ts'
import type { Actor } from './actor.ts'
import type { Access, Endpoint } from './endpoint.ts'
import { partnersInWords, refusePartner, restrictParams } from './partner-access.ts'
import { requireScope } from './scopes.ts'
import { withAuthor } from './with-author.ts'

/** The rules of the service, for its server. */
export const accessRules: AccessRules<Access, Actor> = {
  check(endpoint, actor) {
    requireScope(actor, endpoint.access.scope)
    refusePartner(endpoint, actor)
  },
  // A busy integration must not freeze the people of its organisation, nor they an integration.
  personalLimit: ({ limit }, { app }) => (app !== undefined && limit === 'standard' ? 'people' : undefined),
  paramsFor: restrictParams,
  databaseFor: ({ access }, database, request) =>
    access.isAdministration ? withAuthor(database, request) : database,
}

/** Says for the API document who may call an endpoint. */
export const describeAccess = ({ access: { partners, scope } }: Endpoint): AccessInWords => ({
  sentence: partnersInWords[partners],
  extensions: { 'x-partners': partners },
  scopes: scope === 'any' ? [] : [scope].flat(),
})
