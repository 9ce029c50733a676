// Revenue accounts that charges are booked to. Spec 4.15; decision 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const revenueAccounts = setUpCollection({
  path: '/v1/revenue-accounts',
  noun: 'revenue account',
  fields: codeAndName,
})
