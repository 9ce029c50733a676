// Consumable types: material used for consignments, such as pallets and wrap. Spec 4.15; decision 8.

import { Name } from '../platform/http/schema.ts'
import { setUpCollection } from './set-up-collection.ts'

export const consumableTypes = setUpCollection({
  path: '/v1/consumable-types',
  noun: 'consumable type',
  fields: { name: Name },
})
