// Locks a print job that a user is about to cancel or retry. Spec 2.16.

import type { Actor } from '../../access/actor.ts'
import { sql, type Tx } from '../../platform/database/db.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { printJobs, visiblePrintJobs } from './print-job.ts'

export interface LockedPrintJob {
  printerId: string
  type: 1 | 2
  language: number
  dotsPerMM: number | null
  contentType: string
  status: number
  phase: number
  isContentKept: boolean
  /** of the printer's bridge */
  printerBridgeId: string | null
}

/**
 * Locks a job that the actor may see, and returns it with its printer. Refuses any other (404).
 */
export async function lockPrintJob(tx: Tx, actor: Actor, printJobId: string): Promise<LockedPrintJob> {
  const job = await tx.maybe<LockedPrintJob>(sql`
    select j.printer_id, p.type, p.language, p.dots_per_mm, j.content_type, j.status, j.phase,
      j.content_sha256 is not null as is_content_kept, p.printer_bridge_id
    from ${printJobs} where ${visiblePrintJobs(actor)} and j.id = ${printJobId}
    for no key update of j`)
  if (job === undefined) throw notFound('Print job')
  return job
}
