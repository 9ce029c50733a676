// What documents show about a product: hazards, packs, rotation and handling. Read once per product, however
// many lines it has.

import { buildChain, type Chain, convertQuantity, type StoredStep } from '../../partners/convert-quantity.ts'
import { type Sql, sql } from '../../platform/database/db.ts'
import { MetricResolution, MetricType } from '../../vocabulary/partners.ts'
import { DgStandard } from '../../vocabulary/reference-data.ts'
import { now, rowAt } from '../former-records.ts'
import { formatFigure } from './format.ts'
import { words } from './words.ts'

export interface DocumentProduct {
  code: string
  name: string
  unitName: string | null
  serialTrackingMode: number
  /** the product's own, otherwise its client's */
  rotationMethod: number
  pickInstructions: string | null
  receiveInstructions: string | null
  isDangerousGood: boolean
  dgUnNumber: string | null
  dgPackagingGroup: number | null
  dgMarinePollutant: boolean
  /** the primary one first */
  hazardClasses: { standard: number; name: string }[]
  steps: StoredStep[]
}

/** Products by id. */
export type ProductsById = Readonly<Record<string, DocumentProduct>>

/**
 * A column expression: the products whose ids the subselect `ids` returns, as a JSON object by id; as they
 * were at `moment`, if one is given.
 */
export const productsById = (organisationId: string, ids: Sql, moment: Sql = now): Sql => sql`(
    select coalesce(json_object_agg(d.id, json_build_object(
      'code', d.code, 'name', d.name, 'unitName', coalesce(m.name, n.name),
      'serialTrackingMode', d.serial_tracking_mode,
      'rotationMethod', coalesce(d.rotation_method, k.rotation_method),
      'pickInstructions', d.pick_instructions, 'receiveInstructions', d.receive_instructions,
      'isDangerousGood', d.is_dangerous_good, 'dgUnNumber', d.dg_un_number,
      'dgPackagingGroup', d.dg_packaging_group, 'dgMarinePollutant', d.dg_marine_pollutant,
      'hazardClasses', (
        select coalesce(json_agg(json_build_object('standard', z.dg_standard, 'name', z.name)
          order by h.ordinal, z.dg_standard, z.ordinal), '[]')
        from hazard_classes_at(d.organisation_id, d.id, ${moment}) h
        join dg_hazard_class z on z.id = h.dg_hazard_class_id),
      'steps', (
        select coalesce(json_agg(json_build_object('inputMetricType', s.input_metric_type,
          'inputUnitTypeId', s.input_unit_type_id, 'inputUnitTypeName', t.name,
          'outputMetricType', s.output_metric_type, 'outputUnitTypeId', s.output_unit_type_id,
          'conversionRate', trim_scale(s.conversion_rate)::text) order by s.ordinal), '[]')
        from unit_conversions_at(d.organisation_id, d.id, ${moment}) s
        left join unit_type t on t.organisation_id = s.organisation_id and t.id = s.input_unit_type_id)
    )), '{}')
    from product p cross join lateral ${rowAt(sql`p`, moment)} d
    join partner k on k.organisation_id = d.organisation_id and k.id = d.partner_id
    left join unit_type n on n.organisation_id = d.organisation_id and n.id = d.unit_type_id
    left join unit_type m on m.organisation_id = d.organisation_id and m.id = d.product_unit_type_id
    where p.organisation_id = ${organisationId} and p.id in (${ids})
  )`

const chains = new WeakMap<DocumentProduct, Chain>()

function unitChain(product: DocumentProduct): Chain {
  let chain = chains.get(product)
  if (chain === undefined) {
    chain = buildChain(product.steps)
    chains.set(product, chain)
  }
  return chain
}

/**
 * Formats a quantity in the packs of a product (`12 Carton + 4 Each`); its unit if the product has no packs.
 */
export function describePacks(product: DocumentProduct | undefined, quantity: number): string | null {
  if (product === undefined || quantity < 0) return null
  const { steps, unitName } = product
  if (steps.length === 0) return unitName
  const input = { metricType: MetricType.Item, quantity }
  return convertQuantity(unitChain(product), input, MetricResolution.Cascade)
    .map(metric => {
      const name =
        metric.metricType === MetricType.VirtualPallet
          ? words.pallets(metric.quantity)
          : (metric.unitTypeName ?? unitName ?? words.items(metric.quantity))
      return `${formatFigure(metric.quantity)} ${name}`
    })
    .join(' + ')
}

/** A pallet holds packages; it is not one. */
const isPallet = ({ metricType, unitTypeName }: Chain[number]) =>
  metricType === MetricType.VirtualPallet || /\bpallet\b/i.test(unitTypeName ?? '')

/**
 * Counts the packages of a quantity of items: `12 Carton and 4 Can`. The largest package is the unit
 * `packageUnitTypeId`, or without one the largest of the product's units that is not a pallet. The items of a
 * product without such units are its packages.
 */
export function countPackages(
  product: DocumentProduct,
  quantity: number,
  packageUnitTypeId: string | null,
): string {
  const units = unitChain(product).filter(unit => !isPallet(unit))
  const largest = Math.max(
    0,
    packageUnitTypeId === null ? 0 : units.findIndex(({ unitTypeId }) => unitTypeId === packageUnitTypeId),
  )
  const input = { metricType: MetricType.Item, quantity }
  return convertQuantity(units.slice(largest), input, MetricResolution.Cascade)
    .map(metric => {
      const kind = metric.unitTypeName ?? product.unitName ?? words.dg.packages(metric.quantity)
      return `${formatFigure(metric.quantity)} ${kind}`
    })
    .join(words.dg.and)
}

const transportStandards: readonly number[] = [DgStandard.NewZealand_Dg2005, DgStandard.Australia_AdgCode]

/**
 * The names of hazard classes, each hazard once: the transport classes of one standard, and of the others
 * those whose words a name before does not have already.
 */
function hazardNames(classes: DocumentProduct['hazardClasses']): string[] {
  const standard = transportStandards.find(each => classes.some(hazard => hazard.standard === each))
  const isTransport = (hazard: { standard: number }) => transportStandards.includes(hazard.standard)
  const transport = classes.filter(hazard => hazard.standard === standard)
  const names: string[] = []
  for (const { name } of [...transport, ...classes.filter(hazard => !isTransport(hazard))])
    if (!names.some(known => known.toLowerCase().includes(name.toLowerCase()))) names.push(name)
  return names
}

/** Describes the hazards of a product in one line; empty if it is not dangerous. */
export function hazardLines(product: DocumentProduct | undefined): string[] {
  if (product === undefined || !product.isDangerousGood) return []
  const { dgUnNumber, dgPackagingGroup, hazardClasses, dgMarinePollutant } = product
  const hazards = [
    dgUnNumber ? words.hazards.un(dgUnNumber) : null,
    ...hazardNames(hazardClasses),
    dgPackagingGroup === null ? null : words.hazards.packingGroup(dgPackagingGroup),
    dgMarinePollutant ? words.hazards.marinePollutant : null,
  ].filter(text => text !== null)
  return [hazards.length > 0 ? hazards.join(' · ') : words.hazards.dangerousGoods]
}
