// How many pallet labels are made per second: as PDF, as ZPL, and as ZPL with texts that printer fonts lack.
// Measured by time and by processor time, which does not depend on other programs.

import type { Label } from '../src/paper/labels/label.ts'
import { renderLabelsPdf, writeLabelsZpl } from '../src/paper/labels/label-file.ts'
import type { PalletData } from '../src/paper/labels/pallet-data.ts'
import { palletLabel } from '../src/paper/labels/pallet-layout.ts'
import { buildSscc } from '../src/stock/logistic-units/sscc.ts'
import { reportFinding } from './figures.ts'
import { usedWithRenderer } from './processor-time.ts'

const content = {
  productCode: 'HONEY-500',
  productName: 'Manuka honey UMF 15+, glass jar 500 g',
  gtin: '9421234567892',
  quantity: 48,
  unitName: 'Carton',
  batch: 'L117',
  bestBeforeDate: '2029-03-31',
  expiryDate: null,
  dangerousGoods: null,
}
const pallet = (n: number, consignee: string, lines: string[]): PalletData => ({
  logisticUnitNumber: `LU-${String(n).padStart(6, '0')}`,
  ssccNumber: buildSscc('9421234', n),
  referenceNumber: null,
  clientName: 'Kauri Foods',
  consignmentNumber: `BEN-${String(n).padStart(6, '0')}-OUT`,
  consignmentReference: 'SO-88172',
  from: { name: 'Auckland DC', lines: ['12 Savill Drive', 'Mangere East', 'Auckland 2024', 'New Zealand'] },
  to: { name: consignee, lines },
  contents: [content],
})
const latin = (n: number) => pallet(n, 'Moore Wilson Fresh', ['93 Tory Street', 'Te Aro', 'Wellington 6011'])
// Three lines differ from label to label, so that nothing is made once and reused.
const other = (n: number) =>
  pallet(n, `上海麦卢卡蜂蜜有限公司 ${n}`, [`南京西路1266号 ${n}`, `Ōtautahi ${n}`, 'China'])

const labelOf = (facts: PalletData): Label => {
  const label = palletLabel(facts, '100x150', 8)
  if ('overflow' in label) throw new Error('A pallet has no label.')
  return label
}

async function measure(
  what: string,
  target: number,
  count: number,
  make: (n: number) => Promise<unknown>,
): Promise<void> {
  for (let n = 0; n < count / 10; n++) await make(n)
  const before = await usedWithRenderer()
  const began = performance.now()
  for (let n = 0; n < count; n++) await make(1_000 + n)
  const seconds = (performance.now() - began) / 1000
  const rate = count / seconds
  const spent = ((await usedWithRenderer()) - before) / count
  reportFinding({
    what,
    figure: `${rate.toFixed(0)}/s, ${spent.toFixed(2)} ms of processor each`,
    target: `${target}/s`,
    isMet: rate >= target,
  })
}

await measure('pallet label as PDF', 45, 200, n => renderLabelsPdf([labelOf(latin(n))]))
await measure('pallet label in ZPL', 2_000, 5_000, n => writeLabelsZpl([labelOf(latin(n))], 1))
await measure('pallet label in ZPL with three pictures', 40, 200, n => writeLabelsZpl([labelOf(other(n))], 1))
