// Downloads what a print job prints. Spec 2.16.

import { endpoint } from '../../access/endpoint.ts'
import { requireScope, type Scope } from '../../access/scopes.ts'
import { sql } from '../../platform/database/db.ts'
import { type FileResponse, fileOf } from '../../platform/http/endpoint.ts'
import { forbidden, notFound, verificationFailed } from '../../platform/http/refusal.ts'
import { fileName, joinContent, printJobs, visiblePrintJobs } from './print-job.ts'

export const printJobContent = [
  endpoint({
    get: '/v1/print-jobs/:printJobId/content',
    name: 'downloadPrintJob',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'Download what a print job prints',
    description:
      'The token needs the scope for reading what was printed too: `consignment.read` for a picking list. ' +
      'Users of a partner can read only what they printed themselves. The content is kept for 7 days after ' +
      'the job has ended. Later: 400.',
    response: fileOf('application/pdf', 'application/zpl', 'application/octet-stream'),
    async handle({ db, actor, params }) {
      const job = await db.maybe<{
        name: string
        contentType: string
        bytes: Buffer | null
        readScopes: Scope[]
        requestedBy: string
      }>(sql`
        select j.name, j.content_type, f.bytes, j.read_scopes, j.requested_by from ${printJobs} ${joinContent}
        where ${visiblePrintJobs(actor)} and j.id = ${params.printJobId}`)
      if (job === undefined) throw notFound('Print job')
      const { bytes, contentType, readScopes, requestedBy } = job
      requireScope(actor, readScopes)
      if (actor.partnerId !== null && requestedBy !== actor.userId)
        throw forbidden('Users of a partner can read only what they printed themselves.')
      if (bytes === null) throw verificationFailed('What the job printed is no longer kept.')
      return { fileName: fileName(job), contentType, bytes } satisfies FileResponse
    },
  }),
]
