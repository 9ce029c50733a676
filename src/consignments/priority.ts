// The priority of a consignment. Decision 4.

import { EventType } from '../vocabulary/events.ts'
import { partChangeEndpoint } from './change-fields.ts'

export const consignmentPriority = [
  partChangeEndpoint({
    put: '/v1/consignments/:consignmentId/priority',
    part: 'priority',
    name: 'setConsignmentPriority',
    partners: 'none',
    summary: 'Change the priority of a consignment',
    event: EventType.ConsignmentGeneralUpdated,
  }),
]
