// The tasks of a consignment, each with the quantity done. Spec 2.6, 4.6.

import { EventType } from '../vocabulary/events.ts'
import { entryEndpoints } from './entry-endpoints.ts'

export const tasks = entryEndpoints({
  path: '/v1/consignments/:consignmentId/tasks',
  types: 'task_type',
  idName: 'taskTypeId',
  entries: 'consignment_task',
  noun: 'Task',
  collection: 'tasks',
  hasValue: true,
  event: EventType.ConsignmentTasksUpdated,
})
