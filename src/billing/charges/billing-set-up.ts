// What bills take from the set-up of an organisation: its tax rates and activity types.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import type { BillingSetUp } from './rate-consignment.ts'

type Named<T> = T & { id: string }
type OneOf<M> = M extends ReadonlyMap<string, infer V> ? Named<V> : never

/** The set-up as a statement reads it. */
export interface StoredSetUp {
  taxRates: OneOf<BillingSetUp['taxRates']>[]
  activityTypes: OneOf<BillingSetUp['activityTypes']>[]
}

/** The columns of a `StoredSetUp`: an organisation's tax rates and activity types, inactive ones included. */
export const setUpColumns = (organisationId: Sql): Sql => sql`(
    select coalesce(json_agg(json_build_object('id', x.id, 'percent', x.percent::text)), '[]')
    from tax_rate x where x.organisation_id = ${organisationId}
  ) as tax_rates, (
    select coalesce(json_agg(json_build_object('id', x.id, 'code', x.code, 'name', x.name,
      'revenueAccountId', x.revenue_account_id, 'taxRateId', x.tax_rate_id)), '[]')
    from activity_type x where x.organisation_id = ${organisationId}
  ) as activity_types`

const byId = <T extends { id: string }>(rows: T[]) => new Map(rows.map(row => [row.id, row]))

/** The set-up by ids. */
export const setUpOf = ({ taxRates, activityTypes }: StoredSetUp): BillingSetUp => ({
  taxRates: byId(taxRates),
  activityTypes: byId(activityTypes),
})

/** Reads the tax rates and activity types of an organisation, inactive ones too. */
export const readSetUp = async (db: Db, organisationId: string): Promise<BillingSetUp> =>
  setUpOf(await db.row<StoredSetUp>(sql`select ${setUpColumns(sql`${organisationId}::uuid`)}`))
