// Consignment tasks: the work done for consignments. Spec 4.16.

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
import { consignmentFilters, taskTypeFilter } from './filters.ts'
import { report } from './report.ts'

export const consignmentTasks = report({
  name: 'consignment-tasks',
  title: 'Consignment tasks',
  chapter: 'consignments',
  description: 'The work done for consignments.',
  partners: 'all',
  filters: { ...consignmentFilters(), ...taskTypeFilter },
  columns: {
    ...consignmentColumns,
    taskTypeCode: text('Task code', 12),
    taskTypeName: text('Task', 24),
    value: quantity('Value'),
  },
  rows: request => sql`
    select ${consignmentValues}, t.code as task_type_code, t.name as task_type_name, r.value
    from consignment c ${consignmentJoins}
    join consignment_task r on r.organisation_id = c.organisation_id and r.consignment_id = c.id
    join task_type t on t.organisation_id = r.organisation_id and t.id = r.task_type_id
    where ${consignmentConditions(request)} ${enteredInPeriod(request)} ${hasProduct(request)}
      ${equal(sql`t.id`, request.filters.taskTypeId)}`,
  order: sql`date_entered, ordinal, task_type_name, value`,
})
