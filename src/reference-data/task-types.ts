// Task types: the kinds of work recorded on consignments. Spec 4.15; decision 8.

import { codeAndName, setUpCollection } from './set-up-collection.ts'

export const taskTypes = setUpCollection({
  path: '/v1/task-types',
  noun: 'task type',
  fields: codeAndName,
  importKind: 'taskType',
})
