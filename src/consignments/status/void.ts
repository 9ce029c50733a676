// Voiding a consignment. Open-points 4.

import { changed, endpoint } from '../../platform/http/endpoint.ts'
import { lockConsignment } from '../consignment.ts'
import { ConsignmentStatus } from '../enumerations.ts'
import { changeStatus } from './change-status.ts'
import { Reason, reasonOf } from './status.ts'

export const voidConsignment = [
  endpoint({
    put: '/v1/consignments/:consignmentId/void',
    name: 'voidConsignment',
    partners: 'clients',
    scope: 'consignment',
    extension: true,
    summary: 'Void a consignment',
    body: Reason,
    bodyOptional: true,
    answer: changed,
    async handle({ tx, actor, params, body, requestId }) {
      const consignment = await lockConsignment(tx, actor, params.consignmentId)
      return changeStatus(tx, { ...actor, requestId }, consignment, ConsignmentStatus.Void, reasonOf(body))
    },
  }),
]
