// A table as an Excel workbook, made while its rows come: of any number of rows, in the memory of a few
// pieces. The libraries that there are take three times the processor time, or keep the whole in memory.

import { decimalText } from '../platform/decimal.ts'
import { cellMaker, escaped, letters, styles, stylesXml, textCell } from './cells.ts'
import type { Column } from './columns.ts'
import { type Row, RowReader, Sum, sumPlaces } from './table-rows.ts'
import { beginZip } from './zip.ts'

/** A table about to become a workbook. */
export interface Table {
  readonly title: string
  readonly columns: readonly Column[]
  /** batches of rows, each the texts of its cells */
  readonly rows: AsyncIterable<readonly Row[]>
  /** what the last sheet says of it, before the number of rows and the sums */
  readonly about: readonly (readonly [label: string, text: string])[]
}

/** What a sheet may hold, beside its heading. */
export interface SheetLimits {
  rows: number
  /** of XML, so that no entry of the ZIP file comes near 4 GiB */
  bytes: number
}

const usual: SheetLimits = { rows: 1_048_575, bytes: 3_500_000_000 }
/** So much text is put together before it is packed. */
const pieceLength = 65_536

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

// Whatever is not named is a sheet, of which nobody knows yet how many there will be.
const contentTypes =
  `<Types xmlns="${packages}/content-types">` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Default Extension="xml" ContentType="${spreadsheet}.worksheet+xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`
const rootRelations =
  `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" ` +
  `Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`

/** The parts that list the sheets. */
const listsOf = (names: readonly string[]): Record<string, string> => ({
  'xl/workbook.xml':
    `<workbook ${main} xmlns:r="${relations}"><sheets>` +
    names
      .map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('') +
    '</sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    names.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('') +
    `${relation('styles', 'styles', 'styles.xml')}</Relationships>`,
})

/** The bytes of a workbook: sheets with the rows, then one that tells what they are. */
export async function* workbookOf(table: Table, limits: SheetLimits = usual): AsyncGenerator<Buffer> {
  const zip = beginZip()
  const rows = new RowReader(table.rows)
  // What goes wrong with the first of them is told before anything is sent.
  await rows.hasMore()
  const part = (name: string, text: string) => zip.entry(name, [Buffer.from(head + text)])
  yield* part('[Content_Types].xml', contentTypes)
  yield* part('_rels/.rels', rootRelations)
  yield* part('xl/styles.xml', stylesXml)
  const sums = new Map(table.columns.flatMap(({ isSummed }, at) => (isSummed ? [[at, new Sum()]] : [])))
  const names: string[] = []
  const nextSheet = (name: string) => `xl/worksheets/sheet${names.push(name)}.xml`
  do yield* zip.entry(nextSheet(sheetName(table.title, names.length)), sheetOf(table, rows, sums, limits))
  while (await rows.hasMore())
  yield* part(nextSheet('About'), aboutXml(table, rows.count, sums))
  for (const [name, text] of Object.entries(listsOf(names))) yield* part(name, text)
  yield zip.end()
}

// Sheets have names of at most 31 characters.
const sheetName = (title: string, before: number): string =>
  before === 0 ? title.slice(0, 31) : `${title.slice(0, 27)} ${before + 1}`

/** A sheet with as many of the rows as it may hold. */
async function* sheetOf(
  { columns }: Table,
  rows: RowReader,
  sums: ReadonlyMap<number, Sum>,
  limits: SheetLimits,
): AsyncGenerator<Buffer> {
  const places = columns.map((_, at) => letters(at))
  const makers = columns.map(({ cell, values }) => cellMaker(cell, values))
  const headings = columns.map(({ heading }, at) => textCell(`${places[at]}1`, heading, styles.heading))
  let text = `${head}${sheetBegin(columns)}<row r="1">${headings.join('')}</row>`
  let number = 1
  let bytes = 0
  while (number <= limits.rows && bytes < limits.bytes && (rows.isLoaded || (await rows.hasMore()))) {
    const row = rows.take()
    text += `<row r="${++number}">`
    for (let at = 0; at < makers.length; at++) {
      const value = row[at]
      if (value === null || value === undefined) continue
      text += makers[at]?.(`${places[at]}${number}`, value)
      sums.get(at)?.add(value)
    }
    text += '</row>'
    if (text.length < pieceLength) continue
    const piece = Buffer.from(text)
    bytes += piece.length
    text = ''
    yield piece
  }
  yield Buffer.from(`${text}</sheetData><autoFilter ref="A1:${places.at(-1)}${number}"/></worksheet>`)
}

/** What comes before the rows: the headings stay in sight, ids are hidden. */
const sheetBegin = (columns: readonly Column[]): string =>
  `<worksheet ${main}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
  `activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>` +
  columns
    .map(({ width, isHidden }, at) => {
      const hidden = isHidden ? ' hidden="1"' : ''
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"${hidden}/>`
    })
    .join('') +
  '</cols><sheetData>'

/** The sheet that tells what the others are. */
function aboutXml({ columns, about }: Table, rows: number, sums: ReadonlyMap<number, Sum>): string {
  const figure = (place: string, digits: string) => `<c r="${place}"><v>${digits}</v></c>`
  const lines: [string, (place: string) => string][] = [
    ...about.map(([label, text]): [string, (place: string) => string] => [
      label,
      place => textCell(place, text),
    ]),
    ['Rows', place => figure(place, String(rows))],
    ...[...sums].map(([at, sum]): [string, (place: string) => string] => [
      `Sum of ${columns[at]?.heading}`,
      place => figure(place, decimalText(sumPlaces, sum.total).replace(/\.?0+$/, '')),
    ]),
  ]
  const written = lines.map(
    ([label, cell], i) =>
      `<row r="${i + 1}">${textCell(`A${i + 1}`, label, styles.label)}${cell(`B${i + 1}`)}</row>`,
  )
  const cols =
    '<cols><col min="1" max="1" width="28" customWidth="1"/>' +
    '<col min="2" max="2" width="60" customWidth="1"/></cols>'
  return `<worksheet ${main}>${cols}<sheetData>${written.join('')}</sheetData></worksheet>`
}
