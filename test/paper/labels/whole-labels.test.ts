// Nothing that a label was asked to say is left out or cut: it is in smaller type, in another arrangement, or
// the label is refused, naming what does not fit.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label, Overflow, TextLine } from '../../../src/paper/labels/label.ts'
import { areaOf } from '../../../src/paper/labels/label.ts'
import { type LocationSize, locationLabel } from '../../../src/paper/labels/location-layout.ts'
import { type PalletSize, palletLabel } from '../../../src/paper/labels/pallet-layout.ts'
import { type ProductData, type ProductSize, productLabel } from '../../../src/paper/labels/product-layout.ts'
import { locationSizes, palletSizes, productSizes } from '../../../src/paper/labels/sizes.ts'
import { toPrintable } from '../../../src/paper/labels/text-fit.ts'
import { givenLabels, locations, pallets, products, whole } from '../../support/given-labels.ts'
import fc from '../../support/properties.ts'

const textsOf = ({ elements }: Label): TextLine[] => elements.filter(element => element.kind === 'text')
/** All that a label says, without spaces, as a text may be broken into lines. */
const saidOn = (label: Label) =>
  textsOf(label)
    .map(({ text }) => text)
    .join('')
    .replaceAll(' ', '')

function assertSays(label: Label, values: readonly (string | null)[]): void {
  const said = saidOn(label)
  for (const value of values) {
    const wanted = toPrintable(value ?? '').replaceAll(' ', '')
    assert.ok(said.includes(wanted), `${label.title}, ${label.width} mm wide, says ${value}: ${said}`)
  }
  assert.doesNotMatch(said, /…/)
}

/** No line of text runs into another. */
function assertApart(label: Label): void {
  const areas = textsOf(label).map(line => {
    // The ink of most letters stays below the height of capitals, and ends before the width of the place.
    const { left, top, bottom } = areaOf(line, label.dotsPerMM)
    return { line, left, top: top + 0.02, bottom: bottom - 0.02 }
  })
  for (const [i, a] of areas.entries()) {
    for (const b of areas.slice(i + 1)) {
      const besides = Math.abs(a.left - b.left) > 0.5
      assert.ok(
        besides || a.bottom <= b.top || b.bottom <= a.top,
        `${label.title}: ${a.line.text} runs into ${b.line.text}`,
      )
    }
  }
}

for (const { name, label } of givenLabels(8))
  test(`no line runs into another on ${name}`, () => assertApart(label))

const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ABCXYZ0123456789-/ .'), minLength: 1, maxLength }),
    fc.string({ unit: fc.constantFrom(...'北京蜂蜜公司 น้ำผึ้ง عسل MW-1'), minLength: 1, maxLength }),
  )
const filled = (maxLength: number) => text(maxLength).filter(value => toPrintable(value) !== '')
const isMisfit = (label: Label | Overflow): label is Overflow => 'overflow' in label

test('a product label of any size says everything, or is refused with the names of what is too long', () => {
  const given = fc.record({
    code: filled(60),
    name: filled(200),
    clientName: filled(100),
    batch: fc.option(filled(40)),
    serial: fc.option(filled(40)),
    expiryDate: fc.constantFrom(null, '2029-03-31'),
    dangerousGoods: fc.constantFrom(null, 'UN 1263 Class 3 (6.1)'),
    size: fc.constantFrom(...(Object.keys(productSizes) as ProductSize[])),
  })
  fc.assert(
    fc.property(given, ({ size, ...more }) => {
      const facts: ProductData = { ...(products.code as ProductData), ...more }
      const label = productLabel(facts, size, 8)
      if (isMisfit(label)) return assert.ok(label.overflow.length > 0)
      const { code, name, clientName, batch, serial, dangerousGoods, expiryDate } = facts
      assertSays(label, [code, name, clientName, batch, serial, dangerousGoods])
      if (expiryDate !== null) assertSays(label, ['31 Mar 2029'])
      assertApart(label)
    }),
    { numRuns: 150 },
  )
})

test('usual texts fit on the smallest labels, with all that was asked for', () => {
  const asked = { batch: 'LOT-2026/117(B)-AKL', expiryDate: '2029-03-31', serial: 'SN-2026-0012345' }
  for (const gtin of ['9421234567892', null])
    for (const size of ['60x40', '50x25'] as const) {
      const facts = { ...(products.dangerous as ProductData), ...asked, gtin }
      const label = whole(productLabel(facts, size, 8))
      assertSays(label, [asked.batch, asked.serial, '31 Mar 2029', facts.code, 'UN 1263 Class 3 (6.1)'])
    }
})

test('a label that cannot hold everything is refused, naming what is too long', () => {
  const facts = { ...(products.plain as ProductData), name: 'Honey '.repeat(60) }
  assert.deepEqual(productLabel(facts, '50x25', 8), { overflow: ['name'] })
  whole(productLabel(facts, '100x50', 8))
})

test('pallet labels of every size say all addresses, dates, batches and hazards', () => {
  for (const size of Object.keys(palletSizes) as PalletSize[]) {
    for (const [name, facts] of Object.entries(pallets)) {
      const label = whole(palletLabel(facts, size, 8))
      const { from, to, clientName, consignmentNumber, logisticUnitNumber } = facts
      const parties = [from, to].flatMap(party => (party === null ? [] : [party.name, ...party.lines]))
      assertSays(label, [...parties, clientName, consignmentNumber, logisticUnitNumber])
      if (facts.contents.length === 1)
        assertSays(
          label,
          facts.contents.flatMap(({ productCode, productName, batch, dangerousGoods }) => [
            ...[productCode, productName, batch, dangerousGoods],
          ]),
        )
      if (name === 'twoDates') assertSays(label, ['31 Mar 2029', '30 Jun 2029'])
      if (name === 'several') assertSays(label, ['TEA-11', 'L118'])
      if (name === 'longNumber') assertSays(label, [facts.referenceNumber])
      assertApart(label)
    }
  }
})

test('goods of more kinds than a list has room for are counted, with all their hazards', () => {
  const label = whole(palletLabel(pallets.many as NonNullable<typeof pallets.many>, '100x150', 8))
  assertSays(label, ['PRODUCTS', '80 Carton', 'UN 1950 Class 2.1, UN 1951 Class 2.1'])
})

test('the name of a location never runs into the line above, in any script', () => {
  const given = fc.record({
    name: filled(40),
    zoneName: fc.option(filled(60)),
    warehouseName: filled(60),
    size: fc.constantFrom(...(Object.keys(locationSizes) as LocationSize[])),
  })
  fc.assert(
    fc.property(given, ({ size, ...more }) => {
      const facts = { ...(locations.plain as NonNullable<typeof locations.plain>), ...more }
      const label = locationLabel(facts, size, 8)
      if (isMisfit(label)) return assert.ok(label.overflow.length > 0)
      assertSays(label, [facts.name, facts.zoneName, facts.warehouseName])
      assertApart(label)
    }),
    { numRuns: 100 },
  )
})
