// Calls of the demo itself: to a server of its own inside this process, which does not listen and has no rate
// limits. They use up nothing of what the user may do meanwhile, and nothing that the user does refuses them.

import { pino } from 'pino'
import { accessRules } from '../access/access-rules.ts'
import type { Actor } from '../access/actor.ts'
import { type Db, sql } from '../platform/database/db.ts'
import { openServer } from '../platform/http/server.ts'
import { createMetrics } from '../platform/metrics.ts'
import { openOutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import { formats } from '../process/formats.ts'
import type { Service } from '../process/service.ts'
import { endpointsOf } from '../routes.ts'
import type { CallApi } from './call-api.ts'
import type { Call } from './load-history.ts'

/** The server. */
export interface DemoServer {
  /** Returns calls as an app. */
  callAs(clientId: string): Promise<Call>
  close(): Promise<void>
}

/** Opens the server. */
export function openDemoServer({ database, secretBox }: Pick<Service, 'database' | 'secretBox'>): DemoServer {
  const actors = new Map<string | undefined, Actor>()
  const app = openServer({
    endpoints: endpointsOf({ secretBox, outgoing: openOutgoingHttp({ allowPrivate: true }) }),
    database,
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    authenticate: clientId => actors.get(clientId) as Actor,
    access: accessRules,
    formats,
  })
  const callAs =
    (clientId: string): Call =>
    async (method, path, body) => {
      const response = await app.inject({
        method,
        url: path,
        headers: { 'content-type': 'application/json', authorization: clientId },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      })
      if (response.statusCode >= 400)
        throw new Error(`${method} ${path} answered ${response.statusCode}: ${response.body}`)
      return { status: response.statusCode, body: response.body === '' ? {} : response.json() }
    }
  return {
    async callAs(clientId) {
      actors.set(clientId, await actorOf(database.db, clientId))
      return callAs(clientId)
    },
    close: async () => void (await app.close()),
  }
}

/** An app that calls for itself, with all its scopes. */
async function actorOf(db: Db, clientId: string): Promise<Actor> {
  const { scopes, ...actor } = await db.row<{
    organisationId: string
    connectionId: string
    userId: string
    scopes: string[]
  }>(sql`
    select c.organisation_id, c.id as connection_id, c.user_id, a.scopes
    from identity_connection c join custom_app a on a.organisation_id = c.organisation_id
      and a.id = c.custom_app_id
    where a.client_id = ${clientId}`)
  return { ...actor, clientId, partnerId: null, partnerKind: null, scopes: new Set(scopes) }
}

/** The same calls, which return only the body. */
export const bodiesOf =
  (call: Call): CallApi =>
  async <T>(...[method, path, body]: Parameters<CallApi>) =>
    (await call(method, path, body)).body as T
