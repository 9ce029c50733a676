// The figures of a proof are written as everywhere in the portal.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleWords as words } from '../../portal/src/words/schedules.ts'

test('inputs have their thousands apart and no zeros at the end, and keep every place that they have', () => {
  assert.equal(words.inputValue('KAU-001 quantity', '120000.0000', null), '120,000')
  assert.equal(words.inputValue('KAU-001 volume', '1234.567890', 'm³'), '1,234.56789 m³')
  assert.equal(words.inputValue('creditedQuantity', '1500', null), '1,500')
  assert.equal(words.inputValue('spentExclTax', '1500.5', null), '1,500.50')
  assert.equal(words.inputValue('groupKey', '10045', null), '10045', 'what names something is no figure')
})

test('so have the figures of steps and days, but not the codes that stand beside them', () => {
  assert.equal(words.figure('1200.000000 + 34.5'), '1,200 + 34.5')
  assert.equal(words.figure('-1234.50'), '-1,234.50')
  assert.equal(words.operationInWords('10045: ÷ 1200 to a pallet'), '10045: ÷ 1,200 to a pallet')
  assert.equal(words.operationInWords('× (1 + 0.150000)'), '× (1 + 0.15)')
  assert.equal(words.operationInWords('− 1234.50, at most 22000.00'), '− 1,234.50, at most 22,000.00')
  assert.match(words.dayInWords('2026-11-01', '12345.500000'), /: 12,345\.5$/)
})
