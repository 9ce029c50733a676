// Compares the contents and layout of every kind of label with stored ones, to reveal changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label, LabelElement } from '../../../src/paper/labels/label.ts'
import { renderLabelsPdf } from '../../../src/paper/labels/label-file.ts'
import { locationSheets } from '../../../src/paper/labels/location-layout.ts'
import { givenLabels, locations } from '../../support/given-labels.ts'
import { assertLooksLikeGolden, assertMatchesGolden } from '../../support/golden.ts'
import { type Picture, picturesOf } from '../../support/pdf.ts'

const mm = (length: number) => String(Math.round(length * 100) / 100)
const at = (x: number, y: number) => `${mm(x)},${mm(y)}`

function lineOf(element: LabelElement): string {
  if (element.kind === 'box')
    return `${at(element.x, element.y)} box ${mm(element.width)} x ${mm(element.height)}`
  if (element.kind === 'text')
    return `${at(element.x, element.baseline)} ${mm(element.size)}${element.isBold ? ' bold' : ''} ${element.text}`
  const { symbology, columns, rows, moduleDots, height, data } = element
  return `${at(element.x, element.y)} ${symbology} ${columns} x ${rows} of ${moduleDots} dots, ${mm(height)} high: ${JSON.stringify(data)}`
}

const linesOf = ({ title, width, height, elements }: Label): string[] => [
  `${title}, ${mm(width)} x ${mm(height)}`,
  ...elements.map(element => `  ${lineOf(element)}`),
]

for (const kind of ['product', 'pallet', 'location']) {
  test(`labels: the elements of ${kind} labels are unchanged`, async () => {
    const labels = givenLabels(8).filter(({ name }) => name.startsWith(kind))
    const lines = labels.flatMap(({ name, label }) => [`# ${name}`, ...linesOf(label), ''])
    await assertMatchesGolden(new URL(`./goldens/${kind}.txt`, import.meta.url), lines)
  })

  test(`labels: the first ${kind} label looks like its golden picture`, async () => {
    const given = givenLabels(8).find(({ name }) => name.startsWith(kind))
    assert.ok(given)
    const { content } = await renderLabelsPdf([given.label])
    const [first] = await picturesOf(content, 203)
    await assertLooksLikeGolden(new URL(`./goldens/${kind}.png`, import.meta.url), first as Picture)
  })
}

test('labels: a sheet of location labels looks like its golden picture, and a full one continues on another', async () => {
  const bays = Array.from({ length: 21 }, (_, i) => ({
    name: `B-${String(Math.floor(i / 3) + 1).padStart(2, '0')}-${(i % 3) + 1}`,
    zoneName: 'Ambient',
    warehouseName: 'Auckland DC',
  }))
  const sheets = await locationSheets([...Object.values(locations), ...bays], 12)
  assert.ok('labels' in sheets)
  const { content, pages } = await renderLabelsPdf(sheets.labels)
  assert.equal(pages, 2)
  const [first] = await picturesOf(content, 100)
  await assertLooksLikeGolden(new URL('./goldens/location-sheet.png', import.meta.url), first as Picture)
})
