// Labels as printers print them: every barcode can be scanned in PDF, PNG and ZPL, and is the same in all
// three.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Barcode, Label } from '../../../src/paper/labels/label.ts'
import { quietModules } from '../../../src/paper/labels/label.ts'
import { renderLabelPng, renderLabelsPdf, writeLabelsZpl } from '../../../src/paper/labels/label-file.ts'
import { givenLabels } from '../../support/given-labels.ts'
import { type Picture, pictureOf, pictureOfPdf, pictureOfZpl, scan } from '../../support/label-pictures.ts'

const barcodesOf = ({ elements }: Label): Barcode[] =>
  elements.filter(element => element.kind === 'barcode').toSorted((a, b) => a.y - b.y || a.x - b.x)

const expectedData = (label: Label) =>
  barcodesOf(label)
    .map(({ data }) => data)
    .toSorted()
const scanned = async (picture: Picture) => (await scan(picture)).map(({ text }) => text).toSorted()

for (const { name, label } of givenLabels(8)) {
  test(`scanners read ${name} in all three outputs`, async () => {
    const pictures = {
      pdf: await pictureOfPdf((await renderLabelsPdf([label])).content, label),
      png: await pictureOf(await renderLabelPng(label)),
      zpl: await pictureOfZpl(await writeLabelsZpl([label], 1), label),
    }
    for (const [output, picture] of Object.entries(pictures)) {
      assert.deepEqual(await scanned(picture), expectedData(label), output)
      // The ZPL renderer rounds up the size of 4x6 inches.
      const [extraWidth, extraHeight] = [picture.width - label.width * 8, picture.height - label.height * 8]
      assert.ok(Math.max(Math.abs(extraWidth), Math.abs(extraHeight)) < 1, output)
    }
    for (const barcode of barcodesOf(label)) {
      if (barcode.rows > 1) continue
      const rows = Object.values(pictures).map(picture => runsOf(picture, barcode, label.dotsPerMM))
      for (const row of rows)
        assert.deepEqual(row, rows[0], 'every module has the same number of dots in each output')
      const quiet = quietModules[barcode.symbology] * barcode.moduleDots
      const [before = 0, ...bars] = rows[0] as number[]
      const after = bars.pop() as number
      assert.ok(before >= quiet && after >= quiet, `quiet zones of ${before} and ${after} dots`)
      for (const width of bars) assert.equal(width % barcode.moduleDots, 0)
    }
  })
}

/** Returns the widths in dots of alternating white and black runs across the middle of a symbol. */
function runsOf({ grey, width }: Picture, { y, height }: Barcode, dotsPerMM: number): number[] {
  const row = Math.round((y + height / 2) * dotsPerMM) * width
  const runs: number[] = [0]
  let isBlack = false
  for (let x = 0; x < width; x++) {
    if ((grey[row + x] as number) < 128 !== isBlack) {
      isBlack = !isBlack
      runs.push(0)
    }
    runs[runs.length - 1] = (runs.at(-1) as number) + 1
  }
  return runs
}
