import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatAmount,
  formatDate,
  formatDateTime,
  formatFigure,
  formatNonZero,
  withSoftBreaks,
} from '../../../src/paper/documents/format.ts'

test('dates are written out, with the time unless it is midnight', () => {
  assert.equal(formatDate('2026-11-21'), '21 Nov 2026')
  assert.equal(formatDateTime('2026-11-01T15:04:00Z'), '1 Nov 2026 15:04')
  assert.equal(formatDateTime('2026-11-21T00:00:00Z'), '21 Nov 2026')
  assert.equal(formatDateTime(null), null)
})

test('figures have commas between thousands and no trailing zeros', () => {
  assert.equal(formatFigure(1234567.8912), '1,234,567.8912')
  assert.equal(formatFigure(0), '0')
  assert.equal(formatNonZero(0), null)
  assert.equal(formatAmount(1234.5), '1,234.50')
})

test('a long run without spaces becomes withSoftBreaks, and nothing else changes', () => {
  const long = 'X'.repeat(40)
  assert.equal(withSoftBreaks(long).replaceAll('\u200b', ''), long)
  assert.equal(withSoftBreaks(long).split('\u200b').length, 7)
  assert.equal(withSoftBreaks('394000000000000012'), '394000000000000012')
  assert.equal(withSoftBreaks('394000000000000012', 12).split('\u200b').length, 3)
  assert.equal(withSoftBreaks('Manuka honey 500 g'), 'Manuka honey 500 g')
  assert.equal(
    withSoftBreaks('MANUKA-HONEY-UMF15-500G-GLASS').replaceAll('\u200b', '|'),
    'MANUKA-|HONEY-|UMF15-|500G-|GLASS',
  )
  assert.equal(withSoftBreaks('สวัสดีครับผมชื่อสมชาย'), 'สวัสดีครับผมชื่อสมชาย')
})
