// The carrier, addresses, locations and ports of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { partChangeEndpoint } from './change-fields.ts'
import { draftOrPendingRule, requireConsigneeFieldsOnly } from './client-changes.ts'

export const route = [
  partChangeEndpoint({
    put: '/v1/consignments/:consignmentId/route',
    part: 'route',
    name: 'updateConsignmentRoute',
    partners: 'clients',
    summary: 'Change the carrier, addresses, locations and ports of a consignment',
    description:
      'Goods come in and go out by the default locations where nobody says otherwise; those of the ' +
      'warehouse count where they are null. ' +
      `${draftOrPendingRule} They change the consignee side only: the destination address, its attention ` +
      'and the authority to leave; of an Inwards consignment the origin address and its attention.',
    event: EventType.ConsignmentRouteUpdated,
    verify: requireConsigneeFieldsOnly,
  }),
]
