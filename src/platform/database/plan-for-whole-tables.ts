// Planner settings for the few transactions that read large parts of tables.

import { sql } from './db.ts'

/**
 * Columns to select. They undo, until the transaction ends, what pools.ts sets for the connections that
 * write: PostgreSQL plans the following statements for their actual values and may read whole tables.
 */
export const planForWholeTables = sql`set_config('enable_seqscan', 'on', true),
  set_config('plan_cache_mode', 'auto', true)`
