// The carrier, addresses, locations and ports of a consignment. Decision 4.

import { EventType } from '../vocabulary/events.ts'
import { partChangeEndpoint } from './change-fields.ts'
import { draftOrPendingRule, requireConsigneeFieldsOnly } from './client-changes.ts'

export const consignmentRoute = [
  partChangeEndpoint({
    put: '/v1/consignments/:consignmentId/route',
    part: 'route',
    name: 'updateConsignmentRoute',
    partners: 'clients',
    summary: 'Change the carrier, addresses, locations and ports of a consignment',
    description:
      'Goods are received at and dispatched from the default locations unless a command names another one. ' +
      "If a default location is null, the warehouse's own applies. " +
      `${draftOrPendingRule} They can change only the consignee side: the destination address, its ` +
      'attention and the authority to leave or, for an Inwards consignment, the origin address and its ' +
      'attention.',
    event: EventType.ConsignmentRouteUpdated,
    verify: requireConsigneeFieldsOnly,
  }),
]
