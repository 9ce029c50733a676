// Product attributes: properties of stock other than its batch and dates. Spec 4.15; decision 8.

import { Name } from '../platform/http/schema.ts'
import { setUpCollection } from './set-up-collection.ts'

export const productAttributes = setUpCollection({
  path: '/v1/product-attributes',
  noun: 'product attribute',
  fields: { name: Name },
})
