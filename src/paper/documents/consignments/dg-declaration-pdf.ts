// The dangerous goods declaration of a consignment: the multimodal form of the IMDG Code. Spec 4.2;
// open-points 4.

import { ConsignmentType } from '../../../consignments/enumerations.ts'
import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { paperEndpoints } from '../../paper-endpoints.ts'
import { PrintJobKind } from '../../printer-bridges/enumerations.ts'
import { addressLines } from '../addresses.ts'
import { type DangerousGoods, descriptionOf, type HazardClass, refusalOf } from '../dg-description.ts'
import { breakable, figureOf } from '../format.ts'
import { sumOf } from '../paper.ts'
import { words } from '../words.ts'
import { containerKind, type Detail, kilograms, readConsignment, requirePaper } from './consignment-paper.ts'

/** Goods of one product in one kind of package, as the database has them. */
interface Goods extends Omit<DangerousGoods, 'packages' | 'hazardClasses'> {
  quantity: number
  cubeM3: number | null
  hazchem: string | null
  hazardClasses: HazardClass[]
}

interface Dangerous {
  goods: Goods[]
  /** nothing is picked yet: what is declared is what was asked for */
  isExpected: boolean
  emergencyPhone: string | null
  country: string | null
  /** where goods come from that say nothing of it */
  warehouseAddress: Detail['originAddress']
}

const isOutwards = sql`(c.detail ->> 'type')::integer = ${ConsignmentType.Outwards}`

const dangerous = sql`(
    select coalesce(json_agg(json_build_object('productCode', d.code, 'unNumber', d.dg_un_number,
      'properShippingName', d.dg_proper_shipping_name, 'technicalName', d.dg_technical_name,
      'packingGroup', d.dg_packaging_group, 'isMarinePollutant', d.dg_marine_pollutant,
      'flashpoint', d.dg_flashpoint_deg_c, 'hazchem', d.dg_hazchem_eac,
      'packageKind', coalesce(y.name, m.name, n.name, ${words.dg.packages}::text),
      'quantity', trim_scale(g.quantity), 'grossKG', trim_scale(round(g.weight, 3)),
      'cubeM3', trim_scale(round(g.volume, 3)),
      'hazardClasses', (
        select coalesce(json_agg(json_build_object('standard', z.dg_standard, 'code', z.code,
          'category', a.code) order by h.ordinal, z.ordinal), '[]')
        from product_dg_hazard_class h
        join dg_hazard_class z on z.id = h.dg_hazard_class_id
        left join dg_hazard_category a on a.id = h.dg_hazard_category_id
        where h.organisation_id = d.organisation_id and h.product_id = d.id)
      ) order by g.first, d.code), '[]')
    from (
      select r.organisation_id, r.product_id, r.package_type_id, min(r.ordinal) as first,
        sum(k.quantity) as quantity,
        -- Of lines whose mass is not known the whole is not.
        case when bool_and(k.weight is not null) then sum(k.weight) end as weight,
        case when bool_and(k.volume is not null) then sum(k.volume) end as volume
      from consignment_product r
      join product d on d.organisation_id = r.organisation_id and d.id = r.product_id
        and d.is_dangerous_good
      cross join lateral (
        select case when ${isOutwards} and moved.is_any then r.picked_quantity + r.dispatched_quantity
          else r.expected_quantity end as quantity
      ) q
      cross join lateral (
        select q.quantity,
          coalesce(r.expected_weight_kg * q.quantity / nullif(r.expected_quantity, 0),
            d.weight_kg * q.quantity) as weight,
          coalesce(r.expected_volume_m3 * q.quantity / nullif(r.expected_quantity, 0),
            d.volume_m3 * q.quantity) as volume
      ) k
      where r.organisation_id = c.organisation_id and r.consignment_id = c.id and k.quantity > 0
      group by 1, 2, 3
    ) g
    join product d on d.organisation_id = g.organisation_id and d.id = g.product_id
    left join package_type y on y.organisation_id = g.organisation_id and y.id = g.package_type_id
    left join unit_type n on n.organisation_id = d.organisation_id and n.id = d.unit_type_id
    left join unit_type m on m.organisation_id = d.organisation_id and m.id = d.product_unit_type_id
  ) as goods, ${isOutwards} and not moved.is_any as is_expected,
  coalesce(o.dg_emergency_phone, w.contact_phone, w.main_phone) as emergency_phone,
  coalesce(c.detail -> 'originAddress' ->> 'country', w.address ->> 'country') as country,
  w.address as warehouse_address`

/** Whether anything of the consignment is picked or has left. */
const moved = sql`
    cross join lateral (
      select exists (
        select from consignment_product r
        where r.organisation_id = c.organisation_id and r.consignment_id = c.id
          and r.picked_quantity + r.dispatched_quantity > 0
      ) as is_any
    ) moved`

const rowOf = (goods: Goods, country: string | null, marks: string) => ({
  marks,
  description: breakable(descriptionOf(withPackages(goods), country)),
  gross: figureOf(goods.grossKG) ?? '',
  cube: figureOf(goods.cubeM3) ?? '',
})

const withPackages = (goods: Goods): DangerousGoods => ({
  ...goods,
  packages: figureOf(goods.quantity) as string,
})

/** What is written in the boxes. */
function formOf(c: Detail, found: Dangerous, organisationName: string) {
  const { goods, emergencyPhone, country, warehouseAddress } = found
  const broken = (lines: readonly string[]) => lines.slice(0, 6).map(line => breakable(line))
  const of = (text: string | null | undefined) => breakable(text ?? '')
  return {
    words: words.dg.form,
    shipper: broken([c.client.name, ...addressLines(c.originAddress ?? warehouseAddress)]),
    shippersReference: of(c.referenceNumber),
    emergencyPhone: of(emergencyPhone),
    forwardersReference: of(c.carrierReference),
    consignee: broken(addressLines(c.destinationAddress, c.destinationAddressAttention)),
    carrier: of(c.carrier?.name),
    handling: [...new Set(goods.flatMap(({ hazchem }) => (hazchem ? [words.dg.hazchem(hazchem)] : [])))].join(
      ', ',
    ),
    vessel: of([c.containerVesselName, c.containerVoyage].filter(Boolean).join(', ')),
    loadPort: of(c.loadShippingPortCode),
    dischargePort: of(c.dischargeShippingPortCode),
    destination: of([c.destinationAddress?.city, c.destinationAddress?.country].filter(Boolean).join(', ')),
    container: of(c.containerNumber),
    seal: of(c.containerSealNumber),
    containerKind: containerKind(c),
    tare: kilograms(c.containerTareWeightKG) ?? '',
    gross: kilograms(c.containerGrossWeightKG) ?? '',
    packer: of(organisationName),
    company: of(c.client.name),
    rows: goods.map((one, i) => rowOf(one, country, i === 0 ? of(c.referenceNumber) : '')),
    totalGross: sumOf(goods, ({ grossKG }) => grossKG) ?? '',
    totalCube: sumOf(goods, ({ cubeM3 }) => cubeM3) ?? '',
  }
}

export const dgDeclarationPdf = paperEndpoints({
  path: '/v1/consignments/:consignmentId/dg-declaration-pdf',
  name: 'DgDeclaration',
  partners: 'all',
  scope: 'consignment.read',
  what: 'the dangerous goods declaration of a consignment',
  description:
    'The multimodal form of the IMDG Code, for road, rail and sea. Refused (400) where there are no ' +
    'dangerous goods, and where something of them is not known, with a sentence for each product. Before ' +
    'picking it declares what is expected, and says PROVISIONAL on every page.',
  isSpecified: true,
  isPrinterInBody: true,
  kind: PrintJobKind.DgDeclaration,
  options: {},
  async read({ db, actor, params }) {
    const { consignment, head, ...found } = await readConsignment<Dangerous>(
      db,
      actor,
      params.consignmentId as string,
      dangerous,
      moved,
    )
    requirePaper(consignment)
    const { goods, country, isExpected } = found
    const { consignmentNumber } = consignment
    if (goods.length === 0)
      throw verificationFailed(`Consignment ${consignmentNumber} has no dangerous goods.`)
    const refusals = goods.flatMap(one => refusalOf(withPackages(one), country) ?? [])
    if (refusals.length > 0) throw verificationFailed(...new Set(refusals))
    return {
      title: words.titles.dangerousGoods,
      number: consignmentNumber,
      head,
      partnerId: consignment.clientId,
      consignmentId: consignment.id,
      blocks: [],
      ...(isExpected ? { watermark: words.dg.provisional } : {}),
      template: 'dg-declaration',
      more: { form: formOf(consignment, found, head.organisationName) },
    }
  },
})
