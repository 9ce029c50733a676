// Service types: labels that organisations define for their freight services. Spec 4.15; decision 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const serviceTypeCatalogue = setUpCollection({
  path: '/v1/service-types',
  noun: 'service type',
  fields: codeAndName,
  importKind: 'serviceType',
})
