// Whether stock was in quarantine at an instant, which follows from the type that its location had then.

import { type Sql, sql } from '../../platform/database/db.ts'
import { LocationType } from '../../vocabulary/warehouses.ts'
import type { AsOf } from './as-of.ts'

/**
 * Joins to rows of stock whether they were in quarantine at an instant, as `was.quarantined`. A type counts
 * from when it was recorded.
 */
export const joinQuarantine = ({ asOf, knownAt }: AsOf, row: Sql): Sql => sql`
  cross join lateral (
    select coalesce((
      select f.type = ${LocationType.Quarantine} from warehouse_location_former_type f
      where f.organisation_id = ${row}.organisation_id
        and f.warehouse_location_id = ${row}.warehouse_location_id
        and f.ended_utc > least(${asOf}::timestamptz, ${knownAt}::timestamptz)
      order by f.ended_utc limit 1
    ), ${row}.is_quarantined) as quarantined
  ) was`
