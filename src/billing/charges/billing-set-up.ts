// The part of an organisation's set-up that billing uses: its tax rates and activity types.

import { type Db, type Sql, sql } from '../../platform/database/db.ts'
import type { BillingSetUp } from './rate-consignment.ts'

type RowOf<M> = M extends ReadonlyMap<string, infer V> ? V & { id: string } : never

/** The set-up as a statement returns it. */
export interface StoredSetUp {
  taxRates: RowOf<BillingSetUp['taxRates']>[]
  activityTypes: RowOf<BillingSetUp['activityTypes']>[]
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

/** Indexes the set-up by id. */
export const setUpOf = ({ taxRates, activityTypes }: StoredSetUp): BillingSetUp => ({
  taxRates: byId(taxRates),
  activityTypes: byId(activityTypes),
})

/** Reads the tax rates and activity types of an organisation, inactive ones included. */
export const readSetUp = async (db: Db, organisationId: string): Promise<BillingSetUp> =>
  setUpOf(await db.row<StoredSetUp>(sql`select ${setUpColumns(sql`${organisationId}::uuid`)}`))
