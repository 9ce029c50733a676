// What all workers share.

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/db.ts'
import type { Metrics } from '../metrics.ts'
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts'
import type { Presence } from '../presence/presence.ts'
import type { SecretBox } from '../secret-box.ts'

/** What all workers share. */
export interface WorkerContext {
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly secretBox: SecretBox
  readonly outgoing: OutgoingHttp
  readonly metrics: Metrics
  /** this process among the others; its id marks the work that it claims */
  readonly presence: Pick<Presence, 'id' | 'deadWorkers'>
}
