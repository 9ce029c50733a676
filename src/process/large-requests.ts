// The thread that serves requests with large bodies: all endpoints, over connections of its own. The service
// (service.ts) starts it for the first such request.

import { workerData } from 'node:worker_threads'
import { accessRules } from '../access/access-rules.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import type { DatabaseOptions } from '../platform/database/pools.ts'
import { openServer } from '../platform/http/server.ts'
import { maxLaneRequests } from '../platform/lane/messages.ts'
import { serveLane } from '../platform/lane/serve-lane.ts'
import { openOutgoingHttp } from '../platform/outgoing/outgoing-http.ts'
import { tellEffects } from '../rehearsal/tell-effects.ts'
import { endpointsOf } from '../routes.ts'
import type { Config } from './config.ts'
import { openSecrets } from './database-key.ts'
import { formats } from './formats.ts'

/** What the thread receives. It opens the secrets itself, as the service does when it starts. */
export interface LargeRequestsData
  extends Pick<Config, 'dataDir' | 'encryptionKey' | 'webhookAllowPrivate' | 'webhookPorts'> {
  readonly connection: DatabaseOptions['connection']
}

const {
  connection,
  dataDir,
  encryptionKey: key,
  webhookAllowPrivate,
  webhookPorts,
}: LargeRequestsData = workerData

await serveLane(async ({ log, metrics, authenticate }) => {
  const database = openDatabase({
    connection,
    // One connection for each request that is admitted at a time, so that none waits.
    poolSize: maxLaneRequests,
    hasLowPriority: true,
    maxStatementMs: 35_000,
    onError: error => log.warn(`A task after a commit failed: ${error.message}`),
  })
  const secretBox = await openSecrets(database, { dataDir, encryptionKey: key && Buffer.from(key) })
  const app = openServer({
    endpoints: endpointsOf({
      secretBox,
      outgoing: openOutgoingHttp({ allowPrivate: webhookAllowPrivate, ports: webhookPorts }),
    }),
    database,
    metrics,
    log,
    authenticate,
    access: accessRules,
    tellEffects,
    isBehindAnother: true,
    formats,
  })
  return { app, close: () => database.close() }
})
