// The carrier, addresses and ports of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { anyOf, changeOfPart } from './change-fields.ts'
import { routeFields } from './request-fields.ts'

export const route = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/route',
    name: 'updateConsignmentRoute',
    partners: 'clients',
    summary: 'Change the carrier, addresses and ports of a consignment',
    fields: routeFields,
    body: anyOf('ConsignmentRouteChange', routeFields),
    event: EventType.ConsignmentRouteUpdated,
  }),
]
