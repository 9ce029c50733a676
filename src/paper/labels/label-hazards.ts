// What labels say about dangerous goods: the UN number and the classes of a product.

import { type Sql, sql } from '../../platform/database/db.ts'
import { DgStandard } from '../../vocabulary/reference-data.ts'

/** The hazards of a product as read from the database. */
export interface StoredHazards {
  isDangerousGood: boolean
  dgUnNumber: string | null
  hazardClasses: { standard: number; code: string; name: string }[]
}

/** The fields of `StoredHazards` for json_build_object, of product `d` at a moment. */
export const hazardJsonFields = (
  moment: Sql,
): Sql => sql`'isDangerousGood', d.is_dangerous_good, 'dgUnNumber', d.dg_un_number,
  'hazardClasses', (
    select coalesce(json_agg(json_build_object('standard', k.dg_standard, 'name', k.name,
      'code', case when y.code ~ '^[0-9][.][0-9]' then y.code else k.code end
    ) order by h.ordinal, k.dg_standard, k.ordinal), '[]')
    from hazard_classes_at(d.organisation_id, d.id, ${moment}) h
    join dg_hazard_class k on k.id = h.dg_hazard_class_id
    left join dg_hazard_category y on y.id = h.dg_hazard_category_id)`

/**
 * Describes dangerous goods: "UN 1263 Class 3 (6.1)", or the names of the GHS classes without a transport
 * class. Null if the product is not dangerous.
 */
export function describeHazards({
  isDangerousGood,
  dgUnNumber,
  hazardClasses,
}: StoredHazards): string | null {
  if (!isDangerousGood) return null
  const transport = [DgStandard.NewZealand_Dg2005, DgStandard.Australia_AdgCode]
    .map(standard => hazardClasses.filter(hazardClass => hazardClass.standard === standard))
    .find(classes => classes.length > 0)
  const number = dgUnNumber === null ? null : `UN ${dgUnNumber.replace(/^UN */i, '')}`
  const [primary, ...subsidiary] = (transport ?? []).map(({ code }) => code)
  const others = subsidiary.length === 0 ? '' : ` (${subsidiary.join(', ')})`
  const classes =
    primary === undefined
      ? [...new Set(hazardClasses.map(({ name }) => name))].join(', ')
      : `Class ${primary}${others}`
  return [number, classes].filter(part => part).join(' ') || 'Dangerous goods'
}
