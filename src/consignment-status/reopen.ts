// Reopening a Closed consignment. Decision 4.

import { endpoint } from '../access/endpoint.ts'
import { lockConsignment } from '../consignments/consignment.ts'
import { changed } from '../platform/http/endpoint.ts'
import { reopen } from './change-status.ts'
import { readReason, StatusReason } from './status.ts'

export const reopenConsignment = [
  endpoint({
    put: '/v1/consignments/:consignmentId/reopen',
    name: 'reopenConsignment',
    canBeRehearsed: true,
    partners: 'none',
    scope: 'consignment',
    extension: true,
    summary: 'Reopen a Closed consignment',
    body: StatusReason,
    bodyOptional: true,
    response: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      return reopen(tx, { ...actor, requestId }, consignment, readReason(body).reason)
    },
  }),
]
