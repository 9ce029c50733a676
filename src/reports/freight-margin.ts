// Freight margin: what clients are charged for freight, and what carriers are owed for it, by consignment.
// Spec 4.16, 2.8.

import { ChargeType } from '../billing/enumerations.ts'
import { ConsignmentStatus } from '../consignments/enumerations.ts'
import { FreightWarningType } from '../partners/enumerations.ts'
import { sql } from '../platform/database/db.ts'
import { date, flag, maybe, maybes, money, quantity, rate, text } from './columns.ts'
import { carrierPartnerFilter, clientPartnerFilter, period, warehouseFilter, yesOrNo } from './filters.ts'
import { report } from './report.ts'
import { between, equal } from './transactions.ts'

const { ClientFreightAdhoc, ClientFreightProductRate, CarrierFreightAdhoc } = ChargeType

export const freightMargin = report({
  name: 'freight-margin',
  title: 'Freight margin',
  chapter: 'operations',
  description:
    'What clients are charged for freight and what carriers are owed for it, by consignment, without what ' +
    'is excluded. incurredExclTax is null where no cost is known. The threshold is the one of the client: ' +
    'an amount, or a percentage of what is charged.',
  partners: 'none',
  filters: {
    ...period('Date of the charge'),
    ...clientPartnerFilter,
    ...carrierPartnerFilter,
    ...warehouseFilter,
    isBelowThreshold: yesOrNo('Below threshold', 'Whether the margin is below the threshold of the client.'),
  },
  columns: {
    consignmentNumber: text('Consignment', 16),
    clientName: text('Client', 26),
    ...maybes({
      carrierName: text('Carrier', 22),
      warehouseName: text('Warehouse', 22),
      originName: text('Origin', 24),
      destinationName: text('Destination', 24),
    }),
    chargeDate: date('Date'),
    ...maybes({ quantity: quantity('Quantity'), weightKG: quantity('kg'), volumeM3: quantity('m³') }),
    chargedExclTax: money('Charged'),
    chargedFafExclTax: maybe(money('Charged FAF')),
    incurredExclTax: maybe(money('Incurred')),
    marginExclTax: maybe(money('Margin')),
    marginPercent: maybe(rate('Margin %')),
    threshold: maybe(rate('Threshold')),
    isBelowThreshold: flag('Below threshold'),
    isFrozen: flag('Frozen'),
  },
  rows: ({ actor, filters }) => sql`
    select m.*
    from (
      select c.consignment_number, c.number as ordinal, k.name as client_name, v.name as carrier_name,
        w.name as warehouse_name, c.origin_address ->> 'name' as origin_name,
        c.destination_address ->> 'name' as destination_name, a.charge_date, l.quantity, l.weight_kg,
        l.volume_m3, h.charged_excl_tax, null::numeric as charged_faf_excl_tax, h.incurred_excl_tax,
        g.margin_excl_tax, g.margin_percent, x.threshold, coalesce(case k.freight_warning_type
          when ${FreightWarningType.Value} then g.margin_excl_tax < x.threshold
          when ${FreightWarningType.Margin} then g.margin_percent < x.threshold end, false)
          as is_below_threshold, c.status = ${ConsignmentStatus.Closed} as is_frozen
      from consignment c
      join (
        select consignment_id,
          coalesce(sum(amount_excl_tax) filter (where charge_type <= ${ClientFreightProductRate}), 0)
            as charged_excl_tax,
          sum(amount_excl_tax) filter (where charge_type >= ${CarrierFreightAdhoc}) as incurred_excl_tax
        from consignment_charge
        where organisation_id = ${actor.organisationId} and is_included
          and charge_type >= ${ClientFreightAdhoc}
        group by 1
      ) h on h.consignment_id = c.id
      join partner k on k.organisation_id = c.organisation_id and k.id = c.client_id
      left join partner v on v.organisation_id = c.organisation_id and v.id = c.carrier_id
      left join warehouse w on w.organisation_id = c.organisation_id and w.id = c.warehouse_id
      cross join lateral (
        select sum(r.expected_quantity) as quantity, sum(r.expected_weight_kg) as weight_kg,
          sum(r.expected_volume_m3) as volume_m3
        from consignment_product r where r.organisation_id = c.organisation_id and r.consignment_id = c.id
      ) l
      cross join lateral (select coalesce(c.closed_transaction_date, c.date_entered::date) as charge_date) a
      cross join lateral (
        select h.charged_excl_tax - h.incurred_excl_tax as margin_excl_tax, round(case
          when h.charged_excl_tax > 0
            then (h.charged_excl_tax - h.incurred_excl_tax) / h.charged_excl_tax * 100
          when h.incurred_excl_tax > 0 then -100 end, 6) as margin_percent
      ) g
      cross join lateral (
        select case when k.freight_warning_type <> ${FreightWarningType.None}
          then k.freight_warning_threshold end as threshold
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
