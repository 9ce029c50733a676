// Downloads what a print job prints. Spec 2.16.

import { sql } from '../../platform/database/db.ts'
import { endpoint, type FileResponse, fileOf } from '../../platform/http/endpoint.ts'
import { notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { fileName, printJobs, visiblePrintJobs } from './print-job.ts'

export const printJobContent = [
  endpoint({
    get: '/v1/print-jobs/:printJobId/content',
    name: 'downloadPrintJob',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'Download what a print job prints',
    description: 'The content is kept for 7 days after the job has ended. Later: 400.',
    response: fileOf('application/pdf', 'application/zpl', 'application/octet-stream'),
    async handle({ db, actor, params }) {
      const job = await db.maybe<{ name: string; contentType: string; bytes: Buffer | null }>(sql`
        select j.name, j.content_type, j.content as bytes from ${printJobs}
        where ${visiblePrintJobs(actor)} and j.id = ${params.printJobId}`)
      if (job === undefined) throw notFound('Print job')
      const { bytes, contentType } = job
      if (bytes === null) throw verificationFailed('What the job printed is no longer kept.')
      return { fileName: fileName(job), contentType, bytes } satisfies FileResponse
    },
  }),
]
