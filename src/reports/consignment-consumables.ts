// Consignment consumables: the material used for consignments. Spec 4.16.

import { sql } from '../platform/database/db.ts'
import { quantity, text } from './columns.ts'
import { equal } from './conditions.ts'
import {
  consignmentColumns,
  consignmentConditions,
  consignmentJoins,
  consignmentValues,
  enteredInPeriod,
  hasProduct,
} from './consignment-lines.ts'
import { consignmentFilters, consumableTypeFilter } from './filters.ts'
import { report } from './report.ts'

export const consignmentConsumables = report({
  name: 'consignment-consumables',
  title: 'Consignment consumables',
  chapter: 'consignments',
  description: 'The material used for consignments.',
  partners: 'all',
  filters: { ...consignmentFilters(), ...consumableTypeFilter },
  columns: { ...consignmentColumns, consumableTypeName: text('Consumable', 24), value: quantity('Value') },
  rows: request => sql`
    select ${consignmentValues}, t.name as consumable_type_name, r.value
    from consignment c ${consignmentJoins}
    join consignment_consumable r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
    join consumable_type t on t.organisation_id = r.organisation_id and t.id = r.consumable_type_id
    where ${consignmentConditions(request)} ${enteredInPeriod(request)} ${hasProduct(request)}
      ${equal(sql`t.id`, request.filters.consumableTypeId)}`,
  order: sql`date_entered, ordinal, consumable_type_name, value`,
})
