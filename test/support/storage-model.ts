// A simple model of storage charges in SQL: it reads every line of the ledger for every day and keeps nothing
// in between. The service's results are compared with it.

import { empty, join, raw, type Sql, sql } from '../../src/platform/database/db.ts'

/** A storage rule as these tests vary it, with the field names of the API. */
export interface ModelRule {
  metric: number
  rounding?: number
  roundTo?: number
  count: number
  method: number
  period?: number
  isInAdvance?: boolean
  receiptsCharged?: number
  freeHours?: number
  groupBy: readonly string[]
}

/** The owner of the goods, the warehouse, and the days. */
export interface ModelOf {
  clientId: string
  warehouseId: string
  timeZone: string
  from: string
  to: string
  isFirst: boolean
  /** the rules: by version 1, goods that were moved into a group count as received there */
  evaluatorVersion: number
}

const groups: Record<string, Sql> = {
  zone: sql`'zone=' || coalesce(l.warehouse_zone_id::text, '')`,
  location: sql`'location=' || s.warehouse_location_id`,
  product: sql`'product=' || s.product_id`,
  productGroup: sql`'productGroup=' || coalesce(p.product_group_id::text, '')`,
  hazardClass: sql`'hazardClass=' || coalesce((
    select string_agg(h.dg_hazard_class_id::text, '+' order by h.dg_hazard_class_id::text)
    from product_dg_hazard_class h where h.product_id = p.id), '')`,
  logisticUnit: sql`'logisticUnit=' || coalesce(s.logistic_unit_id::text, '')`,
}

/** The least common multiple of 48 and 7, the numbers of items per pallet in these tests. */
const palletParts = 336
const values: Record<number, Sql> = {
  2: sql`t.quantity`,
  3: sql`t.weight_kg`,
  4: sql`t.volume_m3`,
  5: sql`t.quantity * ${palletParts} / (select c.conversion_rate from product_unit_conversion c
    where c.product_id = p.id)`,
}
const placeColumns: Record<number, Sql> = {
  10: sql`s.logistic_unit_id`,
  13: sql`s.warehouse_location_id`,
}

/** Stands for the movement by which goods enter when their free time ends. */
const afterFreeTime = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Rounds a total to the steps of the rule, in millionths of the metric. */
function roundMetric(rule: ModelRule, total: Sql): Sql {
  const value = sql`greatest(${total}, 0)::numeric / ${rule.metric === 5 ? palletParts : 1}`
  const step = sql`${rule.roundTo ?? 1}::numeric`
  if (rule.rounding === 1) return sql`round(ceil(${value} / ${step}) * ${step}, 6)`
  if (rule.rounding === 2) return sql`round(round(${value} / ${step}) * ${step}, 6)`
  return sql`round(${value}, 6)`
}

/** The first days of the second and later periods of a receipt. */
function periodStarts(period: number): Sql {
  const weeks = ({ 1: 1, 2: 2, 5: 4 } as Record<number, number>)[period]
  if (weeks !== undefined) return sql`received_date + n * ${weeks * 7}::integer`
  if (period === 4) return sql`(received_date + n * interval '1 month')::date`
  return sql`(received_date + n / 2 * interval '1 month')::date + n % 2 * 15`
}

/** Computes the metric that counts for a day of a group. */
function countDay(rule: ModelRule, { from, to, isFirst }: ModelOf): Sql {
  const n = sql`(${to}::date - ${from}::date + 1)`
  const over = sql`(day - ${from}::date)`
  if (rule.method === 4) {
    const came = roundMetric(rule, sql`came`)
    const share = [
      sql`0`,
      came,
      sql`case when ${over} < ${n} / 2 then ${came} else round(${came} / 2, 6) end`,
      sql`round(${came} * (${n} - ${over}) / ${n}, 6)`,
    ][rule.receiptsCharged ?? 0] as Sql
    const opens = !rule.isInAdvance || isFirst
    return sql`${share}
      ${opens ? sql`+ case when ${over} = 0 then ${roundMetric(rule, sql`opening`)} else 0 end` : empty}
      ${rule.isInAdvance ? sql`+ case when day = ${to}::date then ${roundMetric(rule, sql`closing`)} else 0 end` : empty}`
  }
  if (rule.method === 5) return roundMetric(rule, sql`own`)
  const total = [
    sql`closing`,
    sql`opening`,
    sql`greatest(opening, peak)`,
    sql`opening + came`,
    sql`first_value(opening) over days + sum(came) over days`,
  ][rule.count - 1] as Sql
  return roundMetric(rule, total)
}

const methods: Record<number, Sql> = {
  1: sql`sum(counted)`,
  2: sql`round(sum(counted) / count(*), 6)`,
  3: sql`max(counted)`,
  4: sql`sum(counted)`,
  5: sql`sum(counted)`,
}

/**
 * The ledger lines, with their group and the time from which they count; goods in a free period count after
 * it.
 */
const lines = (rule: ModelRule, { clientId, warehouseId, timeZone }: ModelOf): Sql => {
  const names = Object.keys(groups).filter(name => rule.groupBy.includes(name))
  const key =
    names.length === 0
      ? sql`''`
      : join(
          names.map(name => groups[name] as Sql),
          ` || ',' || `,
        )
  return sql`
    select ${key} as grp, ${rule.method === 5 ? sql`s.received_date` : sql`null::date`} as received_date,
      ${placeColumns[rule.metric] ?? sql`null::uuid`} as place, t.quantity, ${values[rule.metric] ?? sql`0`} as value,
      case when t.effective_utc <= f.until then f.until else t.effective_utc end as at,
      case when t.effective_utc <= f.until then ${afterFreeTime}::uuid
        else t.movement_id end as movement
    from inventory_transaction t
    join warehouse_product s on s.id = t.warehouse_product_id
    join product p on p.id = s.product_id
    join partner k on k.id = s.partner_id
    join warehouse_location l on l.id = s.warehouse_location_id
    cross join lateral (
      select coalesce(${rule.freeHours ?? null}::numeric, p.free_storage_hours, k.free_storage_hours) as hours
    ) h
    cross join lateral (
      select case when h.hours > 0 then coalesce((
        select max(r.effective_utc)
        from inventory_transaction r join warehouse_product q on q.id = r.warehouse_product_id
        where q.product_id = s.product_id and q.received_date = s.received_date
          and q.warehouse_id = s.warehouse_id and r.type = 3 and r.quantity > 0
          and (r.effective_utc at time zone ${timeZone})::date = s.received_date
      ), s.received_date::timestamp at time zone ${timeZone}) + h.hours * interval '1 hour' end as until
    ) f
    where s.partner_id = ${clientId} and s.warehouse_id = ${warehouseId} and t.type <> 0
      ${rule.metric === 10 ? sql`and s.logistic_unit_id is not null` : empty}`
}

/** Returns a query for the metric of each group that has one, by the key of the group. */
export const storageModel = (rule: ModelRule, of: ModelOf): Sql => {
  const countsPlaces = placeColumns[rule.metric] !== undefined
  const upTo = sql`l.grp = m.grp and l.received_date is not distinct from m.received_date
    and (l.at, l.movement) <= (m.at, m.movement)`
  const period = rule.period ?? 4
  const came =
    of.evaluatorVersion === 1
      ? empty
      : sql`and (c.movement = ${afterFreeTime}::uuid
          or (select sum(l.quantity) from line l where l.movement = c.movement) > 0)`
  return sql`
    with line as materialized (${lines(rule, of)}),
    moment as (
      select grp, received_date, at, movement, (at at time zone ${of.timeZone})::date as day
      from line group by 1, 2, 3, 4
    ), level as materialized (
      select m.*, ${
        countsPlaces
          ? sql`(select count(*) from (
            select l.place from line l where ${upTo} group by l.place having sum(l.quantity) > 0) filled)`
          : sql`(select sum(l.value) from line l where ${upTo})`
      } as level
      from moment m
    ), change as materialized (
      select *, level - lag(level, 1, 0) over (partition by grp, received_date order by at, movement) as delta
      from level
    ), day as (
      select g.grp, g.received_date, d.day::date as day,
        coalesce((select sum(c.delta) from change c where c.grp = g.grp
          and c.received_date is not distinct from g.received_date and c.day < d.day), 0) as opening,
        coalesce((select sum(c.delta) from change c where c.grp = g.grp
          and c.received_date is not distinct from g.received_date and c.day <= d.day), 0) as closing,
        coalesce((select sum(c.delta) from change c where c.grp = g.grp and c.delta > 0 ${came}
          and c.received_date is not distinct from g.received_date and c.day = d.day), 0) as came,
        coalesce((select max(c.level) from change c where c.grp = g.grp
          and c.received_date is not distinct from g.received_date and c.day = d.day), 0) as peak
      from (select distinct grp, received_date from line) g
      cross join generate_series(${of.from}::date, ${of.to}::date, interval '1 day') d (day)
    ), whole as (
      select grp, day, max(opening) as opening, max(closing) as closing, max(came) as came, max(peak) as peak,
        sum(case when exists (
            select from generate_series(1, 60) n where ${periodStarts(period)} = day
          ) then opening else 0 end
          + case when day < (select ${periodStarts(period)} from generate_series(1, 1) n) then came else 0 end
        ) as own
      from day group by grp, day
    ), counting as (
      select grp, ${countDay(rule, of)} as counted from whole window days as (partition by grp order by day)
    )
    select grp, metric::text as metric
    from (select grp, ${methods[rule.method] ?? raw('0')} as metric from counting group by grp) result
    where metric > 0 order by grp`
}
