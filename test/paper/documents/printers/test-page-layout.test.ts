import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOutTestPage } from '../../../../src/paper/documents/printers/test-page-layout.ts'
import type { Printer } from '../../../../src/paper/print-jobs/submit.ts'
import { PrinterLanguage, PrintType } from '../../../../src/vocabulary/paper.ts'
import fc from '../../../support/properties.ts'

const printer = (media: string[], more: Partial<Printer> = {}): Printer => ({
  ...{ id: '', name: 'Dock', warehouseId: '', dotsPerMM: 8, media },
  ...{ type: PrintType.Label, language: PrinterLanguage.Zpl, ...more },
})
const textsOf = (media: string[], more?: Partial<Printer>) =>
  layOutTestPage(printer(media, more), 'Auckland').label.elements.flatMap(element =>
    element.kind === 'box' ? [] : [element.text],
  )

test('a test page fills the medium that is loaded, and is sent to it', () => {
  for (const [media, width, height] of [
    [['om_100x150mm_100x150mm'], 100, 150],
    [['oe_4x6-label_4x6in'], 101.6, 152.4],
    [['custom_small_50x25mm'], 50, 25],
    [['continuous', 'custom_small_60x40mm', 'om_100x150mm_100x150mm'], 60, 40],
  ] as const) {
    const { label, media: name } = layOutTestPage(printer([...media]), 'Auckland')
    assert.deepEqual([Math.round(label.width * 10) / 10, Math.round(label.height * 10) / 10], [width, height])
    assert.equal(
      name,
      media.find(medium => /_\d+x\d+(mm|in)$/.test(medium)),
    )
  }
  const letter = printer(['na_letter_8.5x11in'], { type: PrintType.Document, language: PrinterLanguage.Pdf })
  assert.equal(Math.round(layOutTestPage(letter, 'Auckland').label.width), 216)
})

test('without a medium whose size is known, it is a page of the usual size', () => {
  const { label, media } = layOutTestPage(printer(['continuous']), 'Auckland')
  assert.deepEqual([label.width, label.height, media], [100, 150, null])
})

test('even the smallest label has the settings, a ruler with its length and a barcode', () => {
  const texts = textsOf(['custom_small_50x25mm'])
  assert.deepEqual(texts, [
    'Dock',
    'For labels, in ZPL, 8 dots a millimetre',
    '30 mm',
    ...Array(2).fill('WAYBILL-TEST'),
  ])
  assert.ok(textsOf(['om_100x150mm_100x150mm']).includes('50 mm'))
})

test('every medium has a test page, whatever the names on it are', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 600 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(8, 12, 24),
      (width, height, name, dotsPerMM) => {
        layOutTestPage(printer([`custom_any_${width}x${height}mm`], { name, dotsPerMM }), name)
      },
    ),
  )
})
