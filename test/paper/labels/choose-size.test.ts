// The size in which a printer gets labels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSize } from '../../../src/paper/labels/choose-size.ts'
import { Refusal } from '../../../src/platform/http/refusal.ts'

const pallet = ['100x150', '105x148', '148x210', '4x6in'] as const
const product = ['100x50', '60x40', '50x25'] as const
const printer = (...media: string[]) => ({ name: 'Dock', type: 1 as const, media })

test('a printer that does not say what is loaded gets the first size, or the requested one', () => {
  assert.deepEqual(chooseSize(printer(), pallet, undefined), { size: '100x150', media: null })
  assert.deepEqual(chooseSize(printer('labels'), pallet, '4x6in'), { size: '4x6in', media: null })
})

test('the default size is that of the medium loaded, whichever side its name has first', () => {
  assert.deepEqual(chooseSize(printer('oe_4x6-label_4x6in'), pallet, undefined), {
    size: '4x6in',
    media: 'oe_4x6-label_4x6in',
  })
  const twoByFour = 'oe_2x4-label_2x4in'
  assert.deepEqual(chooseSize(printer(twoByFour), product, undefined), { size: '100x50', media: twoByFour })
  const several = printer('iso_a4_210x297mm', 'custom_small_60x40mm', 'custom_tiny_50x25mm')
  assert.deepEqual(chooseSize(several, product, undefined), { size: '60x40', media: 'custom_small_60x40mm' })
  assert.deepEqual(chooseSize(several, product, '50x25'), { size: '50x25', media: 'custom_tiny_50x25mm' })
})

test('a size that is not loaded is refused, and so is a printer with no medium for the label', () => {
  const refused = (work: () => unknown, path: string, message: RegExp) =>
    assert.throws(work, (error: Refusal) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.status, error.faults[0]?.path], [400, path])
      assert.match(error.messages[0] ?? '', message)
      return true
    })
  const fourBySix = printer('oe_4x6-label_4x6in')
  refused(
    () => chooseSize(fourBySix, pallet, '100x150'),
    'size',
    /^size is 100x150, but the printer Dock has oe_4x6-label_4x6in\.$/,
  )
  refused(
    () => chooseSize(fourBySix, product, undefined),
    'printOption.printerId',
    /^printOption\.printerId refers to the printer Dock, which has oe_4x6-label_4x6in; this label is made as 100x50, 60x40, 50x25\.$/,
  )
})

test('a sheet of labels goes to a printer of documents, whatever is loaded', () => {
  const office = { ...printer('iso_a4_210x297mm'), type: 2 as const }
  assert.deepEqual(chooseSize(office, ['100x50', 'A4-3x8'], 'A4-3x8'), { size: 'A4-3x8', media: null })
})
