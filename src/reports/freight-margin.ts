// Freight margin: what clients are charged for freight, and what carriers are owed for it, by consignment.
// Spec 4.16, 2.8; decision 7.

import { rateOpenConsignments } from '../billing/charges/rate-open-consignments.ts'
import { figures, moved, workDoneAt } from '../billing/charges/read-billable-consignments.ts'
import { type Sql, sql } from '../platform/database/db.ts'
import { ChargeType } from '../vocabulary/billing.ts'
import { ConsignmentStatus } from '../vocabulary/consignments.ts'
import { FreightWarningType } from '../vocabulary/partners.ts'
import { date, flag, money, nullableColumn, nullableColumns, quantity, rate, text } from './columns.ts'
import { between, equal } from './conditions.ts'
import {
  booleanFilter,
  carrierPartnerFilter,
  clientPartnerFilter,
  period,
  warehouseFilter,
} from './filters.ts'
import { checkComputedRows, report } from './report.ts'

const { ClientFreightAdhoc, ClientFreightProductRate, CarrierFreightAdhoc } = ChargeType

/** A charge for freight, computed for an open consignment. Decimals are text. */
interface FreightCharge {
  consignmentId: string
  chargeType: ChargeType
  amount: string
  /** the fuel adjustment as a fraction: 0.1 for 10 % */
  faf: string
}

/**
 * The figures of line `r` by which it is charged, for each product: what moved or, before that, what is
 * expected.
 */
const lineFigures = sql`
  select r.product_id, r.expected_quantity as quantity, r.expected_weight_kg as weight_kg,
    r.expected_volume_m3 as volume_m3
  where not f.takes_actual
  union all
  select moved.product_id, moved.quantity, nullif(moved.weight_kg, 0), nullif(moved.volume_m3, 0)
  where f.takes_actual and moved.line_id is not null`

/**
 * What consignment `c` was charged from when it was last Closed; no row unless it is Closed now. Its weight
 * and volume are 0 if they were not known.
 */
const latestInput = sql`
  select i.* from charge_input i
  where i.organisation_id = c.organisation_id and i.consignment_id = c.id
    and c.status = ${ConsignmentStatus.Closed} and i.evaluator_version > 0
  order by i.closing_number desc limit 1`

/**
 * Every charge for freight that counts: charges entered by hand, charges of the latest closing of Closed
 * consignments, and charges computed for open ones. A charge of 0 stands for each Closed consignment whose
 * carrier had a rate card, because its cost is known even if it is nothing.
 */
const freightCharges = (organisationId: string, computed = '[]'): Sql => sql`
  select h.consignment_id, h.charge_type, h.amount_excl_tax as amount, h.faf_percent as faf
  from consignment_charge h
  where h.organisation_id = ${organisationId} and h.is_included and h.charge_type >= ${ClientFreightAdhoc}
    and (h.closing_number is null or exists (
      select from consignment c cross join lateral (${latestInput}) i
      where c.organisation_id = h.organisation_id and c.id = h.consignment_id
        and i.closing_number = h.closing_number))
  union all
  select c.id, ${CarrierFreightAdhoc}, 0, 0
  from charge_input n join consignment c on c.organisation_id = n.organisation_id and c.id = n.consignment_id
  cross join lateral (${latestInput}) i
  where n.organisation_id = ${organisationId} and n.carrier_version_id is not null
    and i.closing_number = n.closing_number
  union all
  select u."consignmentId", u."chargeType", u.amount, u.faf
  from json_to_recordset(${computed}::json) u ("consignmentId" uuid, "chargeType" smallint,
    amount numeric, faf numeric)`

export const freightMargin = report({
  name: 'freight-margin',
  title: 'Freight margin',
  chapter: 'operations',
  description:
    'What clients are charged for freight and what carriers are owed for it, by consignment, without ' +
    'excluded charges: frozen for Closed consignments, computed now for open ones. chargedFafExclTax is ' +
    'the part of chargedExclTax that fuel adjustment added. incurredExclTax is null if no cost is known. ' +
    'quantity, weightKG and volumeM3 are those that are charged: what moved or, before that, what is ' +
    'expected. ' +
    'The threshold is that of the client: an amount, or a percentage of what is charged.',
  partners: 'none',
  filters: {
    ...period('Date of the charge'),
    ...clientPartnerFilter,
    ...carrierPartnerFilter,
    ...warehouseFilter,
    isBelowThreshold: booleanFilter(
      'Below threshold',
      'Whether the margin is below the threshold of the client.',
    ),
  },
  columns: {
    consignmentNumber: text('Consignment', 16),
    clientName: text('Client', 26),
    ...nullableColumns({
      carrierName: text('Carrier', 22),
      warehouseName: text('Warehouse', 22),
      originName: text('Origin', 24),
      destinationName: text('Destination', 24),
    }),
    chargeDate: date('Date'),
    ...nullableColumns({
      quantity: quantity('Quantity'),
      weightKG: quantity('kg'),
      volumeM3: quantity('m³'),
    }),
    chargedExclTax: money('Charged'),
    chargedFafExclTax: money('Charged FAF'),
    incurredExclTax: nullableColumn(money('Incurred')),
    marginExclTax: nullableColumn(money('Margin')),
    marginPercent: nullableColumn(rate('Margin %')),
    threshold: nullableColumn(rate('Threshold')),
    isBelowThreshold: flag('Below threshold'),
    isFrozen: flag('Frozen'),
  },
  async compute(db, { actor, filters }, signal) {
    const charges: FreightCharge[] = []
    const filter = {
      clientId: filters.clientPartnerId,
      carrierId: filters.carrierPartnerId,
      warehouseId: filters.warehouseId,
    }
    for await (const { consignment, rated } of rateOpenConsignments(db, actor.organisationId, filter)) {
      signal.throwIfAborted()
      checkComputedRows(charges.length, 'ask for one client, carrier or warehouse')
      const common = { consignmentId: consignment.id }
      // With a rate card of the carrier the cost is known, even if it is nothing.
      if (rated.carrier !== null)
        charges.push({ ...common, chargeType: CarrierFreightAdhoc, amount: '0', faf: '0' })
      for (const { chargeType, isIncluded, amountExclTax: amount, fafPercent: faf } of rated.charges)
        if (isIncluded && chargeType >= ClientFreightAdhoc)
          charges.push({ ...common, chargeType, amount, faf })
    }
    return charges
  },
  rows: ({ actor, filters, computed }) => sql`
    select m.*
    from (
      select c.consignment_number, c.number as ordinal, k.name as client_name, v.name as carrier_name,
        w.name as warehouse_name, c.origin_address ->> 'name' as origin_name,
        c.destination_address ->> 'name' as destination_name, a.charge_date,
        coalesce(i.quantity, l.quantity) as quantity,
        nullif(coalesce(i.weight_kg, l.weight_kg), 0) as weight_kg,
        nullif(coalesce(i.volume_m3, l.volume_m3), 0) as volume_m3,
        h.charged_excl_tax, h.charged_faf_excl_tax, h.incurred_excl_tax,
        g.margin_excl_tax, g.margin_percent, x.threshold, coalesce(case x.type
          when ${FreightWarningType.Value} then g.margin_excl_tax < x.threshold
          when ${FreightWarningType.Margin} then case
            when h.charged_excl_tax > 0 then g.margin_excl_tax * 100 < x.threshold * h.charged_excl_tax
            else g.margin_percent < x.threshold end
          end, false) as is_below_threshold, c.status = ${ConsignmentStatus.Closed} as is_frozen
      from consignment c
      join (
        select consignment_id,
          coalesce(sum(amount) filter (where charge_type <= ${ClientFreightProductRate}), 0)
            as charged_excl_tax,
          coalesce(sum(amount - round(amount / nullif(1 + faf, 0), 2))
            filter (where charge_type <= ${ClientFreightProductRate}), 0) as charged_faf_excl_tax,
          sum(amount) filter (where charge_type >= ${CarrierFreightAdhoc}) as incurred_excl_tax
        from (${freightCharges(actor.organisationId, computed)}) f
        group by 1
      ) h on h.consignment_id = c.id
      join organisation o on o.id = c.organisation_id
      join partner k on k.organisation_id = c.organisation_id and k.id = c.client_id
      left join partner v on v.organisation_id = c.organisation_id and v.id = c.carrier_id
      left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
      left join lateral (${latestInput}) i on true
      cross join lateral (${figures}) f
      cross join lateral (
        select sum(q.quantity) as quantity,
          sum(coalesce(q.weight_kg, round(q.quantity * p.weight_kg, 4))) as weight_kg,
          sum(coalesce(q.volume_m3, round(q.quantity * p.volume_m3, 6))) as volume_m3
        from consignment_product r
        left join ${moved} moved on moved.line_id = r.id
        cross join lateral (${lineFigures}) q
        left join product p on p.organisation_id = r.organisation_id and p.id = q.product_id
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
          and i.closing_number is null
      ) l
      cross join lateral (
        select coalesce(i.charge_date, (${workDoneAt})::date,
          (now() at time zone coalesce(w.timezone_id, o.timezone_id))::date) as charge_date
      ) a
      cross join lateral (
        select h.charged_excl_tax - h.incurred_excl_tax as margin_excl_tax, round(case
          when h.charged_excl_tax > 0
            then (h.charged_excl_tax - h.incurred_excl_tax) / h.charged_excl_tax * 100
          when h.incurred_excl_tax > 0 then -100 end, 6) as margin_percent
      ) g
      cross join lateral (
        select y.type, case when y.type <> ${FreightWarningType.None} then y.threshold end as threshold
        from (
          select coalesce(i.freight_warning_type, k.freight_warning_type) as type,
            coalesce(i.freight_warning_threshold, k.freight_warning_threshold) as threshold
        ) y
      ) x
      where c.organisation_id = ${actor.organisationId} and c.status <> ${ConsignmentStatus.Void}
        ${between(sql`a.charge_date`, filters.dateFrom, filters.dateTo)}
        ${equal(sql`c.client_id`, filters.clientPartnerId)}
        ${equal(sql`c.carrier_id`, filters.carrierPartnerId)}
        ${equal(sql`c.warehouse_id`, filters.warehouseId)}
    ) m
    where true ${equal(sql`m.is_below_threshold`, filters.isBelowThreshold)}`,
  order: sql`charge_date, ordinal`,
})
