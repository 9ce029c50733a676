// The container of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { changeOfPart } from './change-fields.ts'
import { whileDraftOrPending } from './client-changes.ts'

export const container = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/container',
    part: 'container',
    name: 'updateConsignmentContainer',
    partners: 'clients',
    summary: 'Change the container of a consignment',
    description: whileDraftOrPending,
    event: EventType.ConsignmentContainerUpdated,
  }),
]
