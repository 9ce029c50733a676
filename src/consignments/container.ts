// The container of a consignment. Decision 4.

import { EventType } from '../vocabulary/events.ts'
import { partChangeEndpoint } from './change-fields.ts'
import { draftOrPendingRule } from './client-changes.ts'

export const consignmentContainer = [
  partChangeEndpoint({
    put: '/v1/consignments/:consignmentId/container',
    part: 'container',
    name: 'updateConsignmentContainer',
    partners: 'clients',
    summary: 'Change the container of a consignment',
    description: draftOrPendingRule,
    event: EventType.ConsignmentContainerUpdated,
  }),
]
