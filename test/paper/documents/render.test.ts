import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DocumentContent,
  type PageHeader,
  templateDataOf,
} from '../../../src/paper/documents/document-content.ts'
import { render } from '../../../src/paper/documents/render.ts'
import { openRenderer } from '../../../src/platform/renderer/renderer.ts'
import { copiedTextOf, factsOf, linesOf, textOf } from '../../support/pdf.ts'
import fc from '../../support/properties.ts'
import { atEnd } from '../../support/test-database.ts'

// On a busy machine, large documents take longer than the default limit.
const patient = { maxMs: 120_000, maxWaitMs: 300_000, maxStartMs: 120_000 }
const renderer = openRenderer(patient)
atEnd(() => renderer.close())

const header: PageHeader = {
  organisationName: 'Southern Storage',
  printedBy: 'Ada Storekeeper',
  printedLocal: '2026-11-21T15:04:00Z',
  printedUtc: '2026-11-21T02:04:00.000Z',
  paperSize: 1,
  clientName: 'Kauri Foods',
  clientLogo: null,
  organisationLogo: null,
}

/** A paper with all texts in a table, and the first of them everywhere else. */
const paper = (texts: readonly string[], more: Partial<DocumentContent> = {}): DocumentContent => {
  const [text = ''] = texts
  return {
    title: 'Consignment',
    number: 'SSL-000123-OUT',
    header: { ...header, organisationName: text || 'x', clientName: text, printedBy: text },
    blocks: [
      { kind: 'banner', text, more: text },
      { kind: 'fields', fields: [['Label', text]] },
      { kind: 'parties', parties: [{ label: 'To', lines: [text, text] }] },
      { kind: 'text', label: 'Notes', texts: [text] },
      {
        kind: 'table',
        columns: [
          { label: 'Product', width: '1fr' },
          { label: 'Quantity', width: 'figures' },
        ],
        rows: texts.map(cell => ({
          cells: [{ text: cell, bold: true, small: [cell], alerts: [cell] }, '1'],
          serials: [cell],
        })),
        totals: [text, '2'],
      },
      { kind: 'signatures', signatures: [text, text] },
    ],
    ...more,
  }
}
const upright = { isLandscape: false, paperSize: undefined }
const pdfOf = (texts: readonly string[], more?: Partial<DocumentContent>) =>
  render('paper', templateDataOf(paper(texts, more), upright))

const scripts = {
  Latin: 'Žluťoučký kůň, Māori kūmara, Tiếng Việt',
  Greek: 'Ελληνικά προϊόντα',
  Cyrillic: 'Русский товар',
  Arabic: 'بضائع عربية',
  Hebrew: 'סחורה עברית',
  Thai: 'สินค้าไทย',
  Devanagari: 'हिन्दी सामान',
  Khmer: 'ទំនិញខ្មែរ',
  Lao: 'ສິນຄ້າລາວ',
  Tamil: 'தமிழ் பொருட்கள்',
  Bengali: 'বাংলা পণ্য',
  Han: '北京貨物 货物',
  Kana: 'ひらがな カタカナ',
  Hangul: '한국어 상품',
}

/** The sorted letters of a text, because right-to-left scripts are extracted in visual order. */
const letters = (text: string) => Array.from(text.normalize('NFKC').replace(/[\s\u200b]/g, '')).toSorted()

for (const [script, text] of Object.entries(scripts)) {
  test(`${script} is rendered and can be extracted`, async () => {
    const { content } = await pdfOf([text])
    const found = letters(await textOf(content))
    for (const letter of letters(text)) assert.ok(found.includes(letter), `${letter} of ${text}`)
  })
}

test('a character that no font has is shown as its code, in every place', async () => {
  const { content } = await pdfOf(['Smile \u{1fae0}, family 👨‍👩‍👧, private \ue000'])
  // The font changes at each bracket, and the extraction puts a space there.
  const text = (await textOf(content)).replaceAll(' ', '')
  assert.match(text, /Smile⟨U\+1FAE0⟩,family\n?⟨U\+1F468⟩/)
  assert.match(text, /⟨U\+E000⟩/)
  assert.equal(text.match(/⟨U\+1FAE0⟩/g)?.length, text.match(/Smile/g)?.length)
})

test('letters next to a missing character are kept', async () => {
  const { content } = await pdfOf(['e\u{1d165} tree'])
  assert.match(await textOf(content), /tree/)
})

test('data are always printed as text, never interpreted', async () => {
  const texts = [
    '#import "frame.typ"',
    '$x^2$ *bold* _it_',
    '^XA^FDx^XZ ~JA',
    '=cmd|calc',
    '</t>',
    '#read("../render.ts")',
    '\\u{41} `raw` <label> @ref',
  ]
  const text = await textOf((await pdfOf(texts)).content)
  for (const expected of texts) assert.ok(text.includes(expected), `${expected} in\n${text}`)
})

test('1,000 characters without a space stay on the page', async () => {
  const { content, pages } = await pdfOf(['X'.repeat(1_000)])
  const found = (await textOf(content)).match(/X/g)?.length ?? 0
  // In eleven places, plus the header and foot of every page.
  assert.ok(found >= 11 * 1_000, `${found} on ${pages} pages`)
})

test('a code with hyphens is found, read and copied as it is, where it might not fit into its column, too', async () => {
  const codes = ['WAREHOUSE-AISLE-B-07-1', 'RECEIVE-07-1', 'RADIO-12-1', 'TAV-AVA-T']
  const words = ['SOUTHERN-STORAGE-HOLDINGS-LIMITED']
  const columns = [22, 24, 26].map(width => ({ label: 'Location', width }))
  const rows = codes.map(text => ({ cells: columns.map(() => ({ text, bold: true, small: [text] })) }))
  const { content } = await pdfOf(words, { blocks: [{ kind: 'table', columns, rows }] })
  const copied = await copiedTextOf(content)
  const lines = (await linesOf(content)).flat()
  for (const code of codes.slice(1)) {
    assert.equal(copied.split(code).length - 1, 6, `${code} in\n${copied}`)
    assert.equal(lines.filter(line => line === `${code} ${code} ${code}`).length, 2, lines.join('\n'))
  }
  // What is too long is broken after a hyphen.
  assert.ok(lines.includes('AISLE-B-07-1 AISLE-B-07-1 AISLE-B-07-1'), lines.join('\n'))
  assert.ok(copied.includes(words[0] as string))
  assert.equal((await factsOf(content)).author, words[0])
})

test('a text has as many words that break as anybody writes', async () => {
  const words = Array.from({ length: 300 }, (_, n) => `${'WAREHOUSE-'.repeat(14)}${1_000 + n}-LEFT`)
  const blocks = [{ kind: 'text' as const, label: 'Notes', texts: [words.join(' ')] }]
  const read = (await textOf((await pdfOf([], { blocks })).content)).replaceAll(/\s/g, '')
  for (let n = 1_000; n < 1_300; n++) assert.ok(read.includes(`${n}-LEFT`), `${n} in ${read}`)
})

test('the same data give the same bytes, and another time gives another file', async () => {
  const [a, b] = [await pdfOf(['one']), await pdfOf(['one'])]
  assert.deepEqual(a.content, b.content)
  const later = await pdfOf(['one'], { header: { ...header, printedUtc: '2026-11-21T02:05:00.000Z' } })
  assert.notDeepEqual(a.content, later.content)
})

test('any string can be rendered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async text => {
      assert.ok((await pdfOf([text])).pages >= 1)
    }),
    { numRuns: 60 },
  )
})

test('a document has a title, an author and a language', async () => {
  const { content } = await pdfOf(['one'])
  assert.deepEqual(await factsOf(content), {
    title: 'Consignment SSL-000123-OUT',
    author: 'one',
    language: 'en',
  })
})

test('tables continue over pages under repeated headings, and every page has its number', async () => {
  const { content, pages } = await pdfOf(Array.from({ length: 60 }, (_, i) => `Product ${i}`))
  const all = await linesOf(content)
  assert.equal(all.length, pages)
  assert.ok(pages > 1)
  for (const [i, lines] of all.entries()) {
    assert.ok(
      lines.some(line => line.includes('Product Quantity')),
      `page ${i + 1}`,
    )
    assert.ok(lines.some(line => line.includes(`Page ${i + 1} of ${pages}`)))
  }
})

test('a paper can be rendered as SVG', async () => {
  const { content, pages } = await render('paper', templateDataOf(paper(['one']), upright), { format: 'svg' })
  assert.equal(pages, 1)
  assert.match(content.toString(), /^<svg/)
})

test('a document of 5,000 lines is rendered', async () => {
  const { pages, content } = await pdfOf(Array.from({ length: 5_000 }, (_, i) => `Product ${i}`))
  assert.ok(pages > 50)
  assert.ok(content.length < 20_000_000)
})

test('an unknown template is an error, and the next document is rendered', async () => {
  await assert.rejects(render('nothing', {}), /Document nothing/)
  assert.equal((await pdfOf(['one'])).pages, 1)
})

test('a document is rendered even if the folder of fonts is missing', async () => {
  await renderer.close()
  const withoutFonts = openRenderer({ ...patient, data: { fontsFolder: '/nowhere' } })
  try {
    const text = (await textOf((await pdfOf(['Kawakawa \u{1fae0}'])).content)).replaceAll(' ', '')
    assert.match(text, /Kawakawa⟨U\+1FAE0⟩/)
  } finally {
    await withoutFonts.close()
  }
})
