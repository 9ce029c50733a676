// How statements of a transaction are planned that has many of them, each of which finds few rows of large
// tables.

import { sql } from './db.ts'

/**
 * Columns to select: what follows in the transaction is planned to look rows up by their keys. A plan is kept
 * for as long as its connection is: one that reads whole tables, made while they were empty, would be slow
 * once they are not. And it is made once: the database would make the first five anew, each for the values
 * that it is given, or all of them where a list has fewer ids than it reckons with, and planning takes longer
 * than what is planned.
 */
export const planWithIndexes = sql`set_config('enable_seqscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true)`
