// Writes a table as an Excel workbook while its rows arrive, in constant memory for any number of rows. The
// available libraries take three times the processor time or keep the whole workbook in memory.

import { decimalText } from '../platform/decimal.ts'
import { cellWriter, columnLetters, escapeXml, numberCell, styles, stylesXml, textCell } from './cells.ts'
import type { Column } from './columns.ts'
import { type Row, RowReader, Sum, sumPlaces } from './table-rows.ts'
import { beginZip } from './zip.ts'

/** The content of a workbook. */
export interface WorkbookContent {
  readonly title: string
  readonly columns: readonly Column[]
  /** batches of rows; a row is the texts of its cells */
  readonly rows: AsyncIterable<readonly Row[]>
  /** the first lines of the last sheet; the number of rows and the sums follow them */
  readonly about: readonly (readonly [label: string, text: string])[]
}

/** How much a sheet may hold, not counting its heading. */
export interface SheetLimits {
  rows: number
  /** bytes of XML, which keep an entry of the ZIP file below 4 GiB */
  bytes: number
}

const defaultLimits: SheetLimits = { rows: 1_048_575, bytes: 3_500_000_000 }
/** How many characters are collected before they are compressed. */
const chunkLength = 65_536

const sheetNamespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

// The default type of an XML part is a sheet, because the number of sheets is not known yet.
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

/** The parts that list the sheets, by name. */
const sheetLists = (names: readonly string[]): Record<string, string> => ({
  'xl/workbook.xml':
    `<workbook ${sheetNamespace} xmlns:r="${relations}"><sheets>` +
    names
      .map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('') +
    '</sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${packages}/relationships">` +
    names.map((_, i) => relation(`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`)).join('') +
    `${relation('styles', 'styles', 'styles.xml')}</Relationships>`,
})

/**
 * Writes a workbook: sheets with the rows, then one that describes the report. Yields its bytes in chunks.
 */
export async function* writeWorkbook(
  content: WorkbookContent,
  limits: SheetLimits = defaultLimits,
): AsyncGenerator<Buffer> {
  const zip = beginZip()
  const rows = new RowReader(content.rows)
  // An error in the first batch is thrown before anything is sent.
  await rows.hasMore()
  const writePart = (name: string, text: string) => zip.entry(name, [Buffer.from(xmlDeclaration + text)])
  yield* writePart('[Content_Types].xml', contentTypes)
  yield* writePart('_rels/.rels', rootRelations)
  yield* writePart('xl/styles.xml', stylesXml)
  const sums = new Map(content.columns.flatMap(({ isSummed }, at) => (isSummed ? [[at, new Sum()]] : [])))
  const names: string[] = []
  const nextSheet = (name: string) => `xl/worksheets/sheet${names.push(name)}.xml`
  do
    yield* zip.entry(
      nextSheet(sheetName(content.title, names.length)),
      writeSheet(content, rows, sums, limits),
    )
  while (await rows.hasMore())
  yield* writePart(nextSheet('About'), aboutXml(content, rows.count, sums))
  for (const [name, text] of Object.entries(sheetLists(names))) yield* writePart(name, text)
  yield zip.end()
}

// Excel allows at most 31 characters in the name of a sheet.
const sheetName = (title: string, index: number): string =>
  index === 0 ? title.slice(0, 31) : `${title.slice(0, 27)} ${index + 1}`

/** A sheet with as many of the remaining rows as it may hold. */
async function* writeSheet(
  { columns }: WorkbookContent,
  rows: RowReader,
  sums: ReadonlyMap<number, Sum>,
  limits: SheetLimits,
): AsyncGenerator<Buffer> {
  const columnNames = columns.map((_, at) => columnLetters(at))
  const writers = columns.map(({ cell, values }) => cellWriter(cell, values))
  const headings = columns.map(({ heading }, at) => textCell(`${columnNames[at]}1`, heading, styles.heading))
  let text = `${xmlDeclaration}${sheetStart(columns)}<row r="1">${headings.join('')}</row>`
  let rowNumber = 1
  let bytes = 0
  while (rowNumber <= limits.rows && bytes < limits.bytes && (rows.isLoaded || (await rows.hasMore()))) {
    const row = rows.take()
    text += `<row r="${++rowNumber}">`
    for (let at = 0; at < writers.length; at++) {
      const value = row[at]
      if (value === null || value === undefined) continue
      text += writers[at]?.(`${columnNames[at]}${rowNumber}`, value)
      sums.get(at)?.add(value)
    }
    text += '</row>'
    if (text.length < chunkLength) continue
    const chunk = Buffer.from(text)
    bytes += chunk.length
    text = ''
    yield chunk
  }
  yield Buffer.from(`${text}</sheetData><autoFilter ref="A1:${columnNames.at(-1)}${rowNumber}"/></worksheet>`)
}

/** The width of a column, which its heading in bold fits into, with the button of its filter beside it. */
const columnWidth = ({ width, heading }: Column): number =>
  Math.max(width, Math.ceil(heading.length * 1.1) + 3)

/** The XML before the rows: the headings stay in view, ids are hidden. */
const sheetStart = (columns: readonly Column[]): string =>
  `<worksheet ${sheetNamespace}><sheetViews><sheetView workbookViewId="0">` +
  `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>` +
  `</sheetView></sheetViews><cols>` +
  columns
    .map((column, at) => {
      const hidden = column.isHidden ? ' hidden="1"' : ''
      return `<col min="${at + 1}" max="${at + 1}" width="${columnWidth(column)}" customWidth="1"${hidden}/>`
    })
    .join('') +
  '</cols><sheetData>'

/** The sheet that describes the report. */
function aboutXml({ columns, about }: WorkbookContent, rows: number, sums: ReadonlyMap<number, Sum>): string {
  const lines: [string, (reference: string) => string][] = [
    ...about.map(([label, text]): [string, (reference: string) => string] => [
      label,
      reference => textCell(reference, text),
    ]),
    ['Rows', reference => numberCell(reference, String(rows))],
    ...[...sums].map(([at, sum]): [string, (reference: string) => string] => [
      `Sum of ${columns[at]?.heading}`,
      reference => numberCell(reference, decimalText(sumPlaces, sum.total).replace(/\.?0+$/, '')),
    ]),
  ]
  const rowsXml = lines.map(
    ([label, cell], i) =>
      `<row r="${i + 1}">${textCell(`A${i + 1}`, label, styles.label)}${cell(`B${i + 1}`)}</row>`,
  )
  const cols =
    '<cols><col min="1" max="1" width="28" customWidth="1"/>' +
    '<col min="2" max="2" width="60" customWidth="1"/></cols>'
  return `<worksheet ${sheetNamespace}>${cols}<sheetData>${rowsXml.join('')}</sheetData></worksheet>`
}
