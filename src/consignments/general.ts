// The references, dates and instructions of a consignment. Decision 4.

import { EventType } from '../vocabulary/events.ts'
import { partChangeEndpoint } from './change-fields.ts'
import { draftOrPendingRule } from './client-changes.ts'

export const consignmentGeneral = [
  partChangeEndpoint({
    put: '/v1/consignments/:consignmentId/general',
    part: 'general',
    name: 'updateConsignmentGeneral',
    partners: 'clients',
    summary: 'Change the references, dates and instructions of a consignment',
    description: draftOrPendingRule,
    event: EventType.ConsignmentGeneralUpdated,
  }),
]
