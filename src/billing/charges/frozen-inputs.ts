// What Closed consignments were charged by, as it was frozen with their latest closing. Open-points 7.

import { type Db, raw, type Sql, sql } from '../../platform/database/db.ts'
import { ChargePartKind } from '../enumerations.ts'
import type { ChargeSubject, SubjectLine, SubjectValue } from './charge-subject.ts'

interface FrozenPart extends SubjectLine {
  kind: number
  typeId: string | null
  name: string | null
}

interface FrozenSubject extends Omit<ChargeSubject, 'lines' | 'tasks' | 'consumables'> {
  parts: FrozenPart[]
  evaluatorVersion: number
  sources: Record<string, string>
}

/** A subject as it was frozen, with where it was known from. */
export interface Frozen extends ChargeSubject {
  evaluatorVersion: number
  /** ids of events, by what they told */
  sources: Record<string, string>
}

// Names are only shown: they are those of now.
const parts = sql`(
  select coalesce(json_agg(json_build_object(
    'kind', r.kind, 'id', r.record_id, 'typeId', r.type_id, 'name', coalesce(t.name, u.name),
    'productId', r.product_id, 'productCode', p.code, 'productName', p.name, 'facts', f.facts,
    'attributes', coalesce(r.attributes, '[]'), 'packageTypeCode', r.package_type_code,
    'quantity', r.quantity::text, 'weight', r.weight_kg::text, 'volume', r.volume_m3::text,
    'logisticUnits', r.logistic_units, 'serials', r.serials) order by r.ordinal), '[]')
  from charge_input_part r
  left join product_facts f on f.organisation_id = r.organisation_id and f.id = r.product_facts_id
  left join product p on p.organisation_id = r.organisation_id and p.id = r.product_id
  left join task_type t on t.organisation_id = r.organisation_id and t.id = r.type_id
  left join consumable_type u on u.organisation_id = r.organisation_id and u.id = r.type_id
  where r.organisation_id = i.organisation_id and r.consignment_id = i.consignment_id
    and r.closing_number = i.closing_number)`

const card = (side: 'client' | 'carrier'): Sql => {
  const of = raw(`i.${side}`)
  return sql`case when ${of}_version_id is not null then json_build_object(
    'rateCardVersionId', ${of}_version_id, 'because', ${of}_because, 'fafPercent', ${of}_faf_percent::text,
    'fafProfileRateId', ${of}_faf_profile_rate_id) end`
}

/**
 * What consignments were charged by when they were Closed last; `where` is a condition on `consignment
 * c`.
 */
export async function readFrozen(db: Db, where: Sql): Promise<Frozen[]> {
  const rows = await db.rows<FrozenSubject>(sql`
    select i.organisation_id, i.consignment_id as id, c.consignment_number, c.reference_number,
      c.container_number, c.status, i.consignment_type, i.client_id, i.carrier_id,
      carrier.name as carrier_name, i.warehouse_id, null as warehouse_revenue_account_id,
      null as warehouse_cost_centre_id, i.priority, i.is_containerised, i.container_size, i.container_type,
      i.charge_date, i.charge_utc, extract(isodow from i.charge_date)::integer as weekday, i.is_by_expected,
      origin.facts as origin, destination.facts as destination,
      i.origin_locality_ids::text[] as origin_locality_ids,
      i.destination_locality_ids::text[] as destination_locality_ids,
      i.service_type_ids::text[] as service_type_ids, ${parts} as parts,
      ${card('client')} as client_card, ${card('carrier')} as carrier_card,
      i.client_freight_resolution, i.carrier_freight_resolution, i.freight_warning_type,
      i.freight_warning_threshold::text as freight_warning_threshold, '[]'::json as exclusions,
      i.closing_number - 1 as closings, i.evaluator_version, i.sources
    from consignment c
    cross join lateral (
      select * from charge_input i
      where i.organisation_id = c.organisation_id and i.consignment_id = c.id
      order by i.closing_number desc limit 1
    ) i
    left join partner carrier on carrier.organisation_id = i.organisation_id and carrier.id = i.carrier_id
    left join place_facts origin on origin.organisation_id = i.organisation_id
      and origin.id = i.origin_place_facts_id
    left join place_facts destination on destination.organisation_id = i.organisation_id
      and destination.id = i.destination_place_facts_id
    where ${where}
    order by c.id`)
  return rows.map(({ parts, ...row }) => ({
    ...row,
    lines: parts.filter(({ kind }) => kind === ChargePartKind.Line),
    tasks: valuesOf(parts, ChargePartKind.Task),
    consumables: valuesOf(parts, ChargePartKind.Consumable),
  }))
}

const valuesOf = (parts: readonly FrozenPart[], kind: ChargePartKind): SubjectValue[] =>
  parts
    .filter(part => part.kind === kind)
    .map(({ typeId, name, quantity }) => ({ typeId: typeId as string, name: name ?? '', quantity }))
