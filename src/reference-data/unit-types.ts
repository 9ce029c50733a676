// Unit types: the units that products are counted in, such as cartons and pallets. Spec 4.15; decision 8.

import { Name } from '../platform/http/schema.ts'
import { setUpCollection } from './set-up-collection.ts'

export const unitTypes = setUpCollection({
  path: '/v1/unit-types',
  noun: 'unit type',
  fields: { name: Name },
})
