// Lists and reads print jobs. Spec 2.16.

import { endpoint } from '../../access/endpoint.ts'
import { empty, sql } from '../../platform/database/db.ts'
import { json } from '../../platform/http/endpoint.ts'
import { contains, pageOf, pageQuery, readPage, searchIn } from '../../platform/http/paging.ts'
import { notFound } from '../../platform/http/refusal.ts'
import { IntegerEnum, named, type Static, Type, Uuid } from '../../platform/http/schema.ts'
import { PrintJobStatus } from '../../vocabulary/paper.ts'
import {
  printJobs as jobs,
  PrintAttempt,
  PrintCancellation,
  PrintJob,
  PrintRetry,
  printJobColumns,
  printJobFields,
  visiblePrintJobs,
} from './print-job.ts'

const PrintJobDetail = named(
  'PrintJobDetail',
  Type.Object({
    ...printJobFields,
    attempts: Type.Array(PrintAttempt),
    retries: Type.Array(PrintRetry),
    cancellations: Type.Array(PrintCancellation),
  }),
)

export const printJobs = [
  endpoint({
    get: '/v1/print-jobs',
    name: 'listPrintJobs',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'List print jobs',
    description: 'Newest first. Jobs are listed for 90 days after they have ended.',
    query: pageQuery({
      PrinterId: Type.Optional(Uuid),
      WarehouseId: Type.Optional(Uuid),
      ConsignmentId: Type.Optional(Uuid),
      Status: Type.Optional(IntegerEnum(PrintJobStatus)),
      IsInDoubt: Type.Optional(
        Type.Boolean({ description: 'Whether they may be on paper although they have failed.' }),
      ),
      SearchText: searchIn('name'),
    }),
    response: json(pageOf('printJobs', PrintJob)),
    handle: ({ db, actor, query }) =>
      readPage(db, 'printJobs', query, {
        columns: printJobColumns,
        from: sql`${jobs} where ${visiblePrintJobs(actor)}
          ${query.PrinterId === undefined ? empty : sql`and j.printer_id = ${query.PrinterId}`}
          ${query.WarehouseId === undefined ? empty : sql`and p.warehouse_id = ${query.WarehouseId}`}
          ${query.ConsignmentId === undefined ? empty : sql`and j.consignment_id = ${query.ConsignmentId}`}
          ${query.Status === undefined ? empty : sql`and j.status = ${query.Status}`}
          ${query.IsInDoubt === undefined ? empty : sql`and j.is_in_doubt = ${query.IsInDoubt}`}
          ${query.SearchText ? sql`and ${contains(sql`j.search_text`, query.SearchText)}` : empty}`,
        order: sql`j.created_utc desc, j.id desc`,
      }),
  }),
  endpoint({
    get: '/v1/print-jobs/:printJobId',
    name: 'getPrintJob',
    partners: 'clients',
    scope: 'print',
    extension: true,
    summary: 'Read a print job',
    response: json(PrintJobDetail),
    async handle({ db, actor, params }) {
      const job = await db.maybe<Static<typeof PrintJobDetail>>(sql`
        select ${printJobColumns}, j.attempts, j.retries, j.cancellations from ${jobs}
        where ${visiblePrintJobs(actor)} and j.id = ${params.printJobId}`)
      if (job === undefined) throw notFound('Print job')
      return job
    },
  }),
]
