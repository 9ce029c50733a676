// A picking list that is always the same, with as many lines as a test or benchmark needs.

import { type PageHeader, type Row, templateDataOf } from '../../src/paper/documents/document-content.ts'
import { pickColumns } from '../../src/paper/documents/picks.ts'
import { words } from '../../src/paper/documents/words.ts'

export const header: PageHeader = {
  organisationName: 'Southern Storage & Logistics',
  printedBy: 'Ada Storekeeper',
  printedLocal: '2026-11-21T15:04:00Z',
  printedUtc: '2026-11-21T02:04:00.000Z',
  paperSize: 1,
  clientName: 'Kauri Foods',
  clientLogo: null,
  organisationLogo: null,
}

/** A product name in each of nine scripts. */
export const names = [
  'Manuka honey 500 g',
  'Ελληνικό μέλι',
  'Русский мёд',
  'عسل طبيعي',
  'דבש טבעי',
  'น้ำผึ้งธรรมชาติ',
  'शुद्ध शहद',
  '北京蜂蜜有限公司',
  '한국산 벌꿀',
]

const row = (i: number): Row => ({
  cells: [
    { text: `A-${String(i).padStart(2, '0')}-02`, bold: true },
    {
      text: `HONEY-${500 + i}`,
      bold: true,
      small: [names[i % names.length] ?? '', i % 4 === 3 && 'Handle upright. Keep below 25 °C.'],
      alerts: i % 5 === 4 ? ['UN 1263 · Class 3 Flammable liquids · PG II'] : [],
    },
    `L23${i}`,
    { text: '3 Mar 2027', small: ['Expiry'] },
    i % 3 === 2 ? { text: `LU-0000${i}`, small: ['394000000000000012'] } : null,
    { text: String(12 * (i + 1)), bold: true, small: [`${i + 1} Carton`] },
    { text: '', box: 'line' },
    { text: '', box: i === 1 ? 'ticked' : 'empty' },
  ],
  serials: i === 2 ? Array.from({ length: 12 }, (_, n) => `SN-2026-${1000 + n}`) : [],
})

/** The data of the template `paper` for a picking list with this many lines. */
export const pickingList = (lines: number, paperSize = 1) =>
  templateDataOf(
    {
      title: words.titles.pickingList,
      number: 'SSL-000123-OUT',
      header,
      blocks: [
        {
          kind: 'fields',
          fields: [
            [words.fields.client, 'Kauri Foods (KAURI)'],
            [words.fields.reference, 'PO-2026-88412'],
            [words.fields.priority, 'High'],
            [words.fields.expectedDispatch, '22 Nov 2026 09:30'],
            [words.fields.carrier, 'Swift Freight'],
          ],
        },
        { kind: 'text', label: words.instructions.picking, texts: ['Shrink-wrap each pallet.'] },
        { kind: 'table', columns: pickColumns, rows: Array.from({ length: lines }, (_, i) => row(i)) },
        { kind: 'signatures', signatures: [words.signatures.picker, words.signatures.checker] },
      ],
    },
    { isLandscape: false, paperSize },
  )
