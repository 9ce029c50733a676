// Compares rendered pages with stored pictures, to reveal changes of layout. `npm run goldens` renews them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from '../../../src/paper/documents/render.ts'
import { pickingList } from '../../support/given-paper.ts'
import { assertLooksLikeGolden } from '../../support/golden.ts'
import { linesOf, type Picture, picturesOf } from '../../support/pdf.ts'

const dpi = 60

for (const [name, paperSize] of [
  ['picking-list-a4', 1],
  ['picking-list-letter', 2],
] as const) {
  test(`${name} looks like its golden picture`, async () => {
    const { content } = await render('paper', pickingList(9, paperSize))
    const [first] = await picturesOf(content, dpi)
    await assertLooksLikeGolden(new URL(`./goldens/${name}.png`, import.meta.url), first as Picture)
  })
}

test('the text of a picking list is unchanged', async () => {
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
    'Location Product Batch Date Quantity Short',
    'A-00-02 HONEY-500 L230 3 Mar 2027 12',
    'Manuka honey 500 g Expiry 1 Carton',
    'A-01-02 HONEY-501 L231 3 Mar 2027 24',
    'Ελληνικό μέλι Expiry 2 Carton',
    'Picked by Checked by',
    'Name Signature Date and time Name Signature Date and time',
    'SSL-000123-OUT Page 1 of 1 Printed 21 Nov 2026 15:04 by Ada Storekeeper',
  ])
})
