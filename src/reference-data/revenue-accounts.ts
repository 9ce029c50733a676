// Revenue accounts, to which charges are booked. Spec 4.15; open-points 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const revenueAccounts = setUpCollection({
  path: '/v1/revenue-accounts',
  noun: 'revenue account',
  fields: codeAndName,
})
