// Cost centres that charges are booked to. Spec 4.15; decision 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const costCentres = setUpCollection({
  path: '/v1/cost-centres',
  noun: 'cost centre',
  fields: codeAndName,
})
