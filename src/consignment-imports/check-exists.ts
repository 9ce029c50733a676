// The endpoint that tells whether an import has become a consignment. Spec 3, 4.2; decision 4.

import { endpoint } from '../access/endpoint.ts'
import { visibleConsignments } from '../consignments/consignment.ts'
import { sql } from '../platform/database/db.ts'
import { statuses } from '../platform/http/endpoint.ts'
import { notFound } from '../platform/http/refusal.ts'
import { ImportStatus } from '../vocabulary/imports.ts'
import { visibleImports } from './visible-imports.ts'

export const checkExists = [
  endpoint({
    get: '/v1/consignments/:consignmentId/check-exists',
    name: 'checkConsignmentExists',
    partners: 'all',
    scope: 'consignment.read',
    summary: 'Has an import become a consignment?',
    description:
      'The status is also 202 while the import waits for reconciliation; its reasons are at ' +
      '`/v1/consignment-imports/{consignmentImportId}`. Pause between two requests.',
    response: statuses({
      201: 'the consignment exists',
      202: 'its import is pending or waits for reconciliation',
    }),
    async handle({ db, actor, params }) {
      const found = await db.row<{ isConsignment: boolean; isOpen: boolean }>(sql`select
        exists (select from consignment c where ${visibleConsignments(actor)}
          and c.id = ${params.consignmentId}) as is_consignment,
        exists (select from consignment_import i where ${visibleImports(actor)}
          and i.id = ${params.consignmentId}
          and i.status in (${ImportStatus.Pending}, ${ImportStatus.PendingReconciliation})) as is_open`)
      if (found.isConsignment) return 201
      if (found.isOpen) return 202
      throw notFound('Consignment')
    },
  }),
]
