// The priority of a consignment. Open-points 4.

import { EventType } from '../events/event.ts'
import { IntegerEnum, named, Type } from '../platform/http/schema.ts'
import { changeOfPart } from './change-fields.ts'
import { ConsignmentPriority } from './enumerations.ts'
import { priorityFields } from './request-fields.ts'

export const priority = [
  changeOfPart({
    put: '/v1/consignments/:consignmentId/priority',
    name: 'setConsignmentPriority',
    partners: 'none',
    summary: 'Change the priority of a consignment',
    fields: priorityFields,
    body: named('ConsignmentPriorityChange', Type.Object({ priority: IntegerEnum(ConsignmentPriority) })),
    event: EventType.ConsignmentGeneralUpdated,
  }),
]
