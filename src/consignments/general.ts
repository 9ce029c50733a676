// The references, dates and instructions of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { changeOfPart } from './change-fields.ts'
import { whileDraftOrPending } from './client-changes.ts'

export const general = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/general',
    part: 'general',
    name: 'updateConsignmentGeneral',
    partners: 'clients',
    summary: 'Change the references, dates and instructions of a consignment',
    description: whileDraftOrPending,
    event: EventType.ConsignmentGeneralUpdated,
  }),
]
