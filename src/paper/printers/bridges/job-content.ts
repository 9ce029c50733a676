// Downloads the bytes of a claimed job, for the bridge that holds it. Spec 4.15.

import { endpoint } from '../../../access/endpoint.ts'
import { sql } from '../../../platform/database/db.ts'
import { type FileResponse, fileOf } from '../../../platform/http/endpoint.ts'
import { notFound } from '../../../platform/http/refusal.ts'
import { PrintJobStatus } from '../../../vocabulary/paper.ts'
import { fileName, joinContent } from '../../print-jobs/print-job.ts'
import { isCallersApp, joinApp } from '../printer.ts'
import { findCallingBridge } from './bridge.ts'

export const bridgeJobContent = [
  endpoint({
    get: '/v1/printer-bridges/:printerBridgeId/jobs/:printJobId/content',
    name: 'downloadClaimedPrintJob',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Download what is to be printed as a printer bridge',
    description: 'For the bridge that has claimed the job, while it holds the job.',
    response: fileOf('application/pdf', 'application/zpl', 'application/octet-stream'),
    async handle({ db, actor, params }) {
      const job = await db.maybe<Omit<FileResponse, 'fileName'> & { name: string }>(sql`
        select j.name, j.content_type, f.bytes
        from printer_bridge b ${joinApp}
          join print_job j on j.organisation_id = b.organisation_id and j.printer_bridge_id = b.id
          ${joinContent}
        where b.organisation_id = ${actor.organisationId} and b.id = ${params.printerBridgeId}
          and ${isCallersApp(actor)} and j.id = ${params.printJobId}
          and j.status = ${PrintJobStatus.InProgress}`)
      if (job !== undefined) return { ...job, fileName: fileName(job) }
      await findCallingBridge(db, actor, params.printerBridgeId)
      throw notFound('Print job')
    },
  }),
]
