// What readers for the blind find in a document, and what stays together on a page.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block, Row } from '../../../src/paper/documents/document-content.ts'
import { render, renderDocument } from '../../../src/paper/documents/render.ts'
import { words } from '../../../src/paper/documents/words.ts'
import { header, pickingList } from '../../support/given-paper.ts'
import { linesOf, structureOf } from '../../support/pdf.ts'

const headingsIn = (elements: Awaited<ReturnType<typeof structureOf>>) =>
  elements.filter(({ role }) => /^H\d$/.test(role)).map(({ role, text }) => `${role} ${text}`)

test('the title is the heading of the document, and a section has a heading below it', async () => {
  const { content } = await render('paper', pickingList(60))
  const first = await structureOf(content)
  assert.deepEqual(headingsIn(first), ['H1 Picking list', 'H2 Picking instructions'])
  const text = first.map(element => element.text).join(' ')
  for (const shown of ['Kauri Foods', 'Southern Storage & Logistics', 'SSL-000123-OUT'])
    assert.ok(text.includes(shown), `${shown} is content`)
  // The header of a further page repeats that of the first.
  const second = await structureOf(content, 2)
  assert.deepEqual(headingsIn(second), [])
  assert.doesNotMatch(second.map(element => element.text).join(' '), /Southern Storage/)
  assert.match((await linesOf(content))[1]?.join(' ') ?? '', /Southern Storage/)
})

const formWith = (rows: number) => ({
  title: words.titles.dangerousGoods,
  number: 'SSL-000123-OUT',
  printed: '',
  watermark: null,
  organisation: { name: header.organisationName },
  paper: 'a4',
  form: {
    words: words.dg.form,
    ...{ shipper: ['Kauri Foods'], consignee: ['Harbour Paints'], shippersReference: '' },
    ...{ emergencyPhone: '', forwardersReference: '', carrier: '', handling: '', vessel: '', loadPort: '' },
    ...{ dischargePort: '', destination: '', container: '', seal: '', containerKind: '', tare: '' },
    ...{ gross: '', packer: '', company: '', totalGross: '99', totalCube: '' },
    rows: Array.from({ length: rows }, () => ({
      ...{ marks: '', description: '1 Can UN 1263, PAINT, 3, PG II', gross: '5', cube: '' },
    })),
  },
})

test('the boxes of a dangerous goods form are content, below its title', async () => {
  const { content } = await render('dg-declaration', formWith(2))
  const elements = await structureOf(content)
  assert.deepEqual(headingsIn(elements).slice(0, 2), [
    'H1 Dangerous goods declaration',
    "H2 SHIPPER'S DECLARATION",
  ])
  assert.ok(elements.some(({ text }) => text === 'Kauri Foods'))
})

test('the total of a dangerous goods form is never alone on its last page', async () => {
  for (const rows of [18, 19, 20, 21, 22, 60, 61, 62]) {
    const pages = await linesOf((await render('dg-declaration', formWith(rows))).content)
    const last = pages.at(-1) ?? []
    assert.ok(last.some(line => line.startsWith('Total')))
    assert.ok(
      last.some(line => line.includes('UN 1263')),
      `${rows} rows`,
    )
  }
})

const row = (name: string, more: Partial<Row> = {}): Row => ({ cells: [name, '12'], ...more })
const serials = Array.from({ length: 40 }, (_, i) => `SN-${i}`)
/** Tables whose parts must stay together, with a pattern of the lines that may not be the last of a page. */
const tables: [name: string, rows: Row[], neverLast: RegExp][] = [
  ['a heading and its first row', [{ heading: 'Storage', cells: [] }, row('A'), row('B')], /^Storage$/],
  ['a row and its first serials', [row('A', { serials }), row('B', { serials })], /^[AB] 12$/],
  ['a table and its title', [row('A'), row('B')], /^(Products|Product Quantity)$/],
]
for (const [name, rows, neverLast] of tables) {
  test(`${name} are on one page, and so are the last row and the total`, async () => {
    for (let lines = 12; lines < 24; lines++) {
      const texts = Array.from({ length: lines }, (_, i) => `Note ${i}`)
      const columns = [
        { label: words.columns.product, width: '1fr' },
        { label: words.columns.quantity, width: 'figures' },
      ] as const
      const table: Block = { kind: 'table', title: 'Products', columns, rows, totals: ['Total', '24'] }
      const blocks: Block[] = [{ kind: 'text', label: 'Notes', texts }, table]
      const paper = { title: 'Consignment', number: 'A-1', header, blocks }
      const layout = { isLandscape: true, paperSize: 1 }
      const { content } = await renderDocument('paper', paper, layout, {})
      for (const page of await linesOf(content)) {
        const shown = page.filter(line => !/^A-1|Page \d/.test(line))
        assert.doesNotMatch(shown.at(-1) ?? '', neverLast, `${lines} lines above`)
        const total = shown.indexOf('Total 24')
        if (total >= 0) assert.match(shown[total - 1] ?? '', /^([AB] 12|SN-.*)$/, `${lines} lines above`)
      }
    }
  })
}
