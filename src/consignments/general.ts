// The references, dates and instructions of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { anyOf, changeOfPart } from './change-fields.ts'
import { whileDraftOrPending } from './client-changes.ts'
import { generalFields } from './request-fields.ts'

export const general = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/general',
    name: 'updateConsignmentGeneral',
    partners: 'clients',
    summary: 'Change the references, dates and instructions of a consignment',
    description: whileDraftOrPending,
    fields: generalFields,
    body: anyOf('ConsignmentGeneralChange', generalFields),
    event: EventType.ConsignmentGeneralUpdated,
  }),
]
