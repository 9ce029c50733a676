// Pages as pictures: whoever changes how papers look sees it here. UPDATE_GOLDENS=1 makes them anew.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { render } from '../../../src/paper/documents/render.ts'
import { pickingList } from '../../support/given-paper.ts'
import { linesOf, type Picture, picturesOf, pngOf } from '../../support/pdf.ts'

const dpi = 60
const goldens = fileURLToPath(new URL('./goldens', import.meta.url))
// A dot of a letter may be a shade darker on another machine.
const sameShade = 48
const maxDifferent = 0.001

async function compare(name: string, picture: Picture): Promise<void> {
  const file = join(goldens, `${name}.png`)
  if (process.env.UPDATE_GOLDENS) return writeFile(file, await pngOf(picture))
  const { data, info } = await sharp(await readFile(file))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height], [picture.width, picture.height])
  const seen = await sharp(await pngOf(picture))
    .ensureAlpha()
    .raw()
    .toBuffer()
  let different = 0
  for (let i = 0; i < data.length; i += 4)
    if (Math.abs((data[i] as number) - (seen[i] as number)) > sameShade) different++
  const share = different / (info.width * info.height)
  if (share <= maxDifferent) return
  const kept = join(tmpdir(), `${name}-seen.png`)
  await writeFile(kept, await pngOf(picture))
  assert.fail(`${(share * 100).toFixed(2)} % of ${name} look different; ${kept} has what was seen.`)
}

for (const [name, paperSize] of [
  ['picking-list-a4', 1],
  ['picking-list-letter', 2],
] as const) {
  test(`${name} looks as it did`, async () => {
    const { content } = await render('paper', pickingList(9, paperSize))
    const [first] = await picturesOf(content, dpi)
    await compare(name, first as Picture)
  })
}

test('the lines of a picking list read as they did', async () => {
  const { content } = await render('paper', pickingList(2))
  assert.deepEqual((await linesOf(content)).flat(), [
    'Kauri Foods Southern Storage & Logistics',
    'Picking list',
    'SSL-000123-OUT',
    'SSL-000123-OUT',
    'Client Reference Priority Expected to leave',
    'Kauri Foods (KAURI) PO-2026-88412 High 22 Nov 2026 09:30',
    'Carrier',
    'Swift Freight',
    'Picking instructions',
    'Shrink-wrap each pallet.',
    'Location Product Batch Date Quantity',
    'A-00-02 HONEY-500 L230 3 Mar 2027 12',
    'Manuka honey 500 g Expiry 1 Carton',
    'A-01-02 HONEY-501 L231 3 Mar 2027 24',
    'Ελληνικό μέλι Expiry 2 Carton',
    'Picked by Checked by',
    'Name Signature Date and time Name Signature Date and time',
    'SSL-000123-OUT Page 1 of 1 Printed 21 Nov 2026 15:04 by Ada Storekeeper',
  ])
})
