// Prints a test page: the printer's settings, a ruler that reveals scaling, one barcode of each symbology and
// nine scripts. Spec 4.15.

import { endpoint } from '../../../access/endpoint.ts'
import { sql } from '../../../platform/database/db.ts'
import { json } from '../../../platform/http/endpoint.ts'
import { notFound } from '../../../platform/http/refusal.ts'
import { optional, Type } from '../../../platform/http/schema.ts'
import { PrinterLanguage, PrintJobKind } from '../../../vocabulary/paper.ts'
import { renderLabelsPdf, writeLabelsZpl } from '../../labels/label-file.ts'
import {
  Copies,
  findPrinter,
  type PrinterType,
  PrintJobCreated,
  submitPrintJob,
} from '../../print-jobs/submit.ts'
import { layOutTestPage } from './test-page-layout.ts'

export const printTestPage = [
  endpoint({
    post: '/v1/printers/:printerId/test-page/print',
    name: 'printTestPage',
    partners: 'none',
    scope: 'print',
    extension: true,
    summary: 'Print a test page',
    description:
      'It is in the language of the printer, and fills the medium that is loaded. The ruler on it should ' +
      'measure the 50 mm that are written beside it, or less on a small label. If it does not, the printer ' +
      'or its driver scales the page, and barcodes may become unreadable.',
    body: Type.Object({ copies: optional(Copies) }),
    bodyOptional: true,
    ownTransactions: true,
    response: json(PrintJobCreated),
    async handle({ database, actor, params, body }) {
      const { db } = database
      const target = await db.maybe<{ type: PrinterType; warehouseName: string }>(sql`
        select p.type, w.name as warehouse_name
        from printer p join warehouse w on w.organisation_id = p.organisation_id and w.id = p.warehouse_id
        where p.organisation_id = ${actor.organisationId} and p.id = ${params.printerId}`)
      if (target === undefined) throw notFound('Printer')
      const printer = await findPrinter(db, actor, params, target.type, 'printerId')
      const { label, media } = layOutTestPage(printer, target.warehouseName)
      const copies = body.copies ?? 1
      const isZpl = printer.language === PrinterLanguage.Zpl
      const job = isZpl
        ? {
            contentType: 'application/zpl',
            content: await writeLabelsZpl([label], copies, actor.organisationId),
            pages: 1,
          }
        : { contentType: 'application/pdf', ...(await renderLabelsPdf([label], actor.organisationId)) }
      return database.inOneStatement(tx =>
        submitPrintJob(tx, actor, printer, {
          kind: PrintJobKind.TestPage,
          readScopes: 'print',
          copies,
          name: `Test page of ${printer.name}`,
          ...job,
          media,
        }),
      )
    },
  }),
]
