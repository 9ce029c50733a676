// The container of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { anyOf, changeOfPart } from './change-fields.ts'
import { whileDraftOrPending } from './client-changes.ts'
import { containerFields } from './request-fields.ts'

export const container = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/container',
    name: 'updateConsignmentContainer',
    partners: 'clients',
    summary: 'Change the container of a consignment',
    description: whileDraftOrPending,
    fields: containerFields,
    body: anyOf('ConsignmentContainerChange', containerFields),
    event: EventType.ConsignmentContainerUpdated,
  }),
]
