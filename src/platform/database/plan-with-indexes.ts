// Planner settings for transactions with many statements, each of which reads few rows of large tables.

import { sql } from './db.ts'

/**
 * Columns to select. They make PostgreSQL plan the rest of the transaction with index look-ups, and plan each
 * statement only once. A prepared plan lives as long as its connection: a plan that scans whole tables, made
 * while they were empty, would be slow once they are full. Without the second setting the first five plans
 * (or all of them, if a list is shorter than the planner expects) would be made anew for the actual values,
 * and planning takes longer than running the statement.
 */
export const planWithIndexes = sql`set_config('enable_seqscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`
