// The dangerous goods declaration of a consignment: the multimodal form of the IMDG Code. Spec 4.2;
// open-points 4.

import { sql } from '../../../platform/database/db.ts'
import { verificationFailed } from '../../../platform/http/refusal.ts'
import { ConsignmentType } from '../../../vocabulary/consignments.ts'
import { PrintJobKind } from '../../../vocabulary/printing.ts'
import { paperEndpoints } from '../../paper-endpoints.ts'
import { addressLines } from '../addresses.ts'
import { type DangerousGoods, descriptionOf, type HazardClass, refusalOf } from '../dg-description.ts'
import { breakable, figureOf } from '../format.ts'
import { sumOf } from '../paper.ts'
import { words } from '../words.ts'
import { containerKind, type Detail, kilograms, readConsignment, requirePaper } from './consignment-paper.ts'

/** The goods of one product in one kind of package, as read from the database. */
interface Goods extends Omit<DangerousGoods, 'packages' | 'hazardClasses'> {
  quantity: number
  cubeM3: number | null
  hazchem: string | null
  hazardClasses: HazardClass[]
}

interface DeclarationData {
  goods: Goods[]
  /** nothing is picked yet, so the expected quantities are declared */
  isExpected: boolean
  emergencyPhone: string | null
  country: string | null
  /** the shipper's address if the consignment has no origin address */
  warehouseAddress: Detail['originAddress']
}

const isOutwards = sql`(c.detail ->> 'type')::integer = ${ConsignmentType.Outwards}`

const declarationColumns = sql`(
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
        -- If the mass of one line is unknown, so is the total.
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
          -- A mass of 0 is not known.
          coalesce(nullif(r.expected_weight_kg, 0) * q.quantity / nullif(r.expected_quantity, 0),
            nullif(d.weight_kg, 0) * q.quantity) as weight,
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

/** Joins `moved.is_any`: whether anything of the consignment is picked or dispatched. */
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

/** The contents of the boxes of the form. */
function formOf(c: Detail, found: DeclarationData, organisationName: string) {
  const { goods, emergencyPhone, country, warehouseAddress } = found
  const addressBox = (lines: readonly string[]) => lines.slice(0, 6).map(line => breakable(line))
  const box = (text: string | null | undefined) => breakable(text ?? '')
  return {
    words: words.dg.form,
    shipper: addressBox([c.client.name, ...addressLines(c.originAddress ?? warehouseAddress)]),
    shippersReference: box(c.referenceNumber),
    emergencyPhone: box(emergencyPhone),
    forwardersReference: box(c.carrierReference),
    consignee: addressBox(addressLines(c.destinationAddress, c.destinationAddressAttention)),
    carrier: box(c.carrier?.name),
    handling: [...new Set(goods.flatMap(({ hazchem }) => (hazchem ? [words.dg.hazchem(hazchem)] : [])))].join(
      ', ',
    ),
    vessel: box([c.containerVesselName, c.containerVoyage].filter(Boolean).join(', ')),
    loadPort: box(c.loadShippingPortCode),
    dischargePort: box(c.dischargeShippingPortCode),
    destination: box([c.destinationAddress?.city, c.destinationAddress?.country].filter(Boolean).join(', ')),
    container: box(c.containerNumber),
    seal: box(c.containerSealNumber),
    containerKind: containerKind(c),
    tare: kilograms(c.containerTareWeightKG) ?? '',
    gross: kilograms(c.containerGrossWeightKG) ?? '',
    packer: box(organisationName),
    company: box(c.client.name),
    rows: goods.map((item, i) => rowOf(item, country, i === 0 ? box(c.referenceNumber) : '')),
    totalGross: sumOf(goods, ({ grossKG }) => grossKG) ?? '',
    totalCube: sumOf(goods, ({ cubeM3 }) => cubeM3) ?? '',
  }
}

export const dgDeclarationPdf = paperEndpoints({
  path: '/v1/consignments/:consignmentId/dg-declaration-pdf',
  name: 'DgDeclaration',
  partners: 'all',
  scope: 'consignment.read',
  subject: 'the dangerous goods declaration of a consignment',
  description:
    'The multimodal form of the IMDG Code, for road, rail and sea. Refused (400) if there are no dangerous ' +
    'goods, or if required data are missing, with a sentence for each product. Before picking, it declares ' +
    'the expected quantities and is marked PROVISIONAL on every page.',
  isSpecified: true,
  isPrinterInBody: true,
  kind: PrintJobKind.DgDeclaration,
  options: {},
  async read({ db, actor, params }) {
    const { consignment, head, ...found } = await readConsignment<DeclarationData>(
      db,
      actor,
      params.consignmentId as string,
      declarationColumns,
      moved,
    )
    requirePaper(consignment)
    const { goods, country, isExpected } = found
    const { consignmentNumber } = consignment
    if (goods.length === 0)
      throw verificationFailed(`Consignment ${consignmentNumber} has no dangerous goods.`)
    const refusals = goods.flatMap(item => refusalOf(withPackages(item), country) ?? [])
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
