// The carrier, addresses and ports of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { changeOfPart } from './change-fields.ts'

export const route = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/route',
    part: 'route',
    name: 'updateConsignmentRoute',
    partners: 'clients',
    summary: 'Change the carrier, addresses and ports of a consignment',
    event: EventType.ConsignmentRouteUpdated,
  }),
]
