// What bills take from the set-up of an organisation: its tax rates and activity types.

import { type Db, sql } from '../../platform/database/db.ts'
import type { BillingSetUp } from './rate-consignment.ts'

type Named<T> = T & { id: string }
type OneOf<M> = M extends ReadonlyMap<string, infer V> ? Named<V> : never

/** Reads the tax rates and activity types of an organisation, inactive ones too. */
export async function readSetUp(db: Db, organisationId: string): Promise<BillingSetUp> {
  const { taxRates, activityTypes } = await db.row<{
    taxRates: OneOf<BillingSetUp['taxRates']>[]
    activityTypes: OneOf<BillingSetUp['activityTypes']>[]
  }>(sql`
    select (
        select coalesce(json_agg(json_build_object('id', id, 'percent', percent::text)), '[]') from tax_rate
        where organisation_id = ${organisationId}
      ) as tax_rates, (
        select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name,
          'revenueAccountId', revenue_account_id, 'taxRateId', tax_rate_id)), '[]')
        from activity_type where organisation_id = ${organisationId}
      ) as activity_types`)
  const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map(row => [row.id, row]))
  return { taxRates: byId(taxRates), activityTypes: byId(activityTypes) }
}
