// The consumables of a consignment, each with the quantity used. Spec 2.6, 4.5.

import { EventType } from '../vocabulary/events.ts'
import { entryEndpoints } from './entry-endpoints.ts'

export const consumables = entryEndpoints({
  path: '/v1/consignments/:consignmentId/consumables',
  types: 'consumable_type',
  idName: 'consumableTypeId',
  entries: 'consignment_consumable',
  noun: 'Consumable',
  collection: 'consumables',
  hasValue: true,
  event: EventType.ConsignmentConsumablesUpdated,
})
