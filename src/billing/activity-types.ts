// Activity types: the name of an activity on bills, and its revenue account and tax rate. Decision 7.

import { faultAt } from '../platform/http/fault.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { Uuid } from '../platform/http/schema.ts'
import { codeAndName, setUpCollection } from '../reference-data/set-up-collection.ts'

const refuseUnknown = (field: string, noun: string) => () =>
  verificationFailed(faultAt(field, `does not refer to a ${noun}`, 'unknown_reference'))

export const activityTypes = setUpCollection({
  path: '/v1/activity-types',
  noun: 'activity type',
  fields: codeAndName,
  optionalFields: { revenueAccountId: Uuid, taxRateId: Uuid },
  reach: { read: 'financial.read', write: 'financial', partners: 'none' },
  refusals: {
    activity_type_revenue_account_fkey: refuseUnknown('revenueAccountId', 'revenue account'),
    activity_type_tax_rate_fkey: refuseUnknown('taxRateId', 'tax rate'),
  },
})
