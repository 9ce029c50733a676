import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextLine } from '../../../src/paper/labels/label.ts'
import type { PalletGoods } from '../../../src/paper/labels/pallet-data.ts'
import { palletLabel } from '../../../src/paper/labels/pallet-layout.ts'
import { pallets, whole } from '../../support/given-labels.ts'

const { plain } = pallets
assert.ok(plain)
const [honey] = plain.contents as [PalletGoods]
const [bestBefore, expiry] = ['2028-11-30', '2029-12-31']

/** The texts below each heading of dates on a label of these contents, from the top. */
function describeDates(contents: Partial<PalletGoods>[]): Record<string, string[]> {
  const facts = { ...plain, contents: contents.map(content => ({ ...honey, ...content })) }
  const label = whole(palletLabel(facts as NonNullable<typeof plain>, '100x150', 8))
  const texts = label.elements.filter((element): element is TextLine => element.kind === 'text')
  const headings = texts.filter(({ text }) => ['BEST BEFORE', 'EXPIRY'].includes(text))
  return Object.fromEntries(
    headings.map(({ text: heading, x, baseline }) => [
      heading,
      texts.filter(text => text.x === x && text.baseline > baseline).map(({ text }) => text),
    ]),
  )
}

test('several contents on a pallet never have an expiry date under BEST BEFORE, nor the reverse', () => {
  const [best, end] = [
    { bestBeforeDate: bestBefore, expiryDate: null },
    { bestBeforeDate: null, expiryDate: expiry },
  ]
  assert.deepEqual(describeDates([best, end]), { 'BEST BEFORE': ['30 Nov 2028'], EXPIRY: ['31 Dec 2029'] })
  assert.deepEqual(describeDates([best, best]), { 'BEST BEFORE': ['30 Nov 2028', '30 Nov 2028'] })
  assert.deepEqual(describeDates([end, end]), { EXPIRY: ['31 Dec 2029', '31 Dec 2029'] })
  const both = { bestBeforeDate: bestBefore, expiryDate: expiry }
  assert.deepEqual(describeDates([both, both]), {
    'BEST BEFORE': ['30 Nov 2028', '30 Nov 2028'],
    EXPIRY: ['31 Dec 2029', '31 Dec 2029'],
  })
})
