// The bytes of a job, for the bridge that holds it. Spec 4.15.

import { sql } from '../../platform/database/db.ts'
import { endpoint, type FileAnswer, file } from '../../platform/http/endpoint.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { ownBridge } from './bridge.ts'
import { PrintJobStatus } from './enumerations.ts'
import { fileName } from './print-job.ts'

export const jobContent = [
  endpoint({
    get: '/v1/printer-bridges/:printerBridgeId/jobs/:printJobId/content',
    name: 'downloadClaimedPrintJob',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Download what is to be printed as a printer bridge',
    description: 'For the bridge that has claimed the job, as long as it holds it.',
    answer: file,
    async handle({ db, actor, params }) {
      const bridge = await ownBridge(db, actor, params.printerBridgeId)
      const job = await db.maybe<Omit<FileAnswer, 'fileName'> & { name: string }>(sql`
        select j.name, j.content_type, j.content as bytes from print_job j
        where j.organisation_id = ${actor.organisationId} and j.id = ${params.printJobId}
          and j.printer_bridge_id = ${bridge.id} and j.status = ${PrintJobStatus.InProgress}`)
      if (job === undefined) throw notFound('Print job')
      return { ...job, fileName: fileName(job) }
    },
  }),
]
