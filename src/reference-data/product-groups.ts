// Product groups. Spec 4.15; decision 8.

import { Name } from '../platform/http/schema.ts'
import { setUpCollection } from './set-up-collection.ts'

export const productGroups = setUpCollection({
  path: '/v1/product-groups',
  noun: 'product group',
  fields: { name: Name },
})
