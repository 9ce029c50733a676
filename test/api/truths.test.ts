// Each field of an answer tells what was ordered, what happened, what is now, or what was frozen, and the API
// document says which.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markTruths } from '../../src/api/mark-truths.ts'
import { truths } from '../../src/api/truths.ts'
import { allReports } from '../../src/reports/all-reports.ts'
import { apiDocument } from '../support/api-document.ts'

interface Schema {
  properties: Record<string, { $ref?: string; 'x-truth'?: string }>
  'x-truth'?: string
}
const copy = () =>
  JSON.parse(JSON.stringify(apiDocument())) as {
    info: { description: string }
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
    components: { schemas: Record<string, Schema> }
  }
const document = copy()
const { schemas } = document.components

test('the API document says which truth a field tells, and what the truths mean', () => {
  const truthOf = (schema: string, field: string) =>
    schemas[schema]?.properties[field]?.['x-truth'] ?? schemas[schema]?.['x-truth']
  assert.equal(truthOf('ConsignmentProduct', 'expectedQuantity'), truths.ordered)
  assert.equal(truthOf('ConsignmentProduct', 'receivedQuantity'), truths.happened)
  assert.equal(truthOf('ConsignmentDetail', 'clientName'), truths.now)
  assert.equal(truthOf('ConsignmentDetail', 'originAddress'), truths.ordered)
  assert.equal(truthOf('ActivityCharge', 'activityName'), truths.closing)
  assert.equal(truthOf('ScheduleSummaryRow', 'partnerName'), truths.approval)
  assert.equal(truthOf('ConsignmentStatusEventData', 'status'), truths.happened)
  for (const truth of Object.values(truths))
    assert.ok(
      document.info.description.includes(`| ${truth} |`),
      `the introduction does not explain ${truth}`,
    )
})

test('a field, a column or a model without a truth is noticed', () => {
  const changed = copy()
  const own = changed.components.schemas
  for (const name of ['ConsignmentProduct', 'StockBalanceRow', 'ConsignmentDetail', 'Address'])
    Object.assign(own[name]?.properties ?? {}, { ripeness: { type: 'string' } })
  own.Orchard = { properties: { treeCount: {} } }
  Object.assign(changed.paths['/v1/identity']?.get?.responses ?? {}, {
    200: { schema: { $ref: '#/components/schemas/Orchard' } },
  })
  assert.deepEqual(markTruths(changed).toSorted(), [
    ...['ConsignmentDetail.ripeness', 'ConsignmentProduct.ripeness', 'Orchard.treeCount'],
    'StockBalanceRow.ripeness',
  ])
})

test('each column of a report is a field of its rows, so that tables tell the same truths', () => {
  for (const { name, columns } of allReports) {
    const title = `${name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Row`
    assert.deepEqual(Object.keys(columns), Object.keys(schemas[title]?.properties ?? {}), name)
  }
})
