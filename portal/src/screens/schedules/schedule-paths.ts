// What acts on schedules change, and who may act.

import { hasScope, kindOf, type Me } from '../../me.ts'

/** The paths whose data an act on money changes. */
export const moneyPaths = [
  '/v1/schedules',
  '/v1/schedule-transactions',
  '/v1/billing-runs',
  '/v1/billed-partners',
  '/v1/attention',
] as const

/** Whether the person may change what is billed. */
export const mayChangeMoney = (me: Me): boolean => hasScope(me, 'financial') && kindOf(me) === 'staff'
