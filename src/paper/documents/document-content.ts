// The contents of a paper: a header, which all papers have, and blocks. The template templates/paper.typ
// decides how they look.

import { PaperSize } from '../../vocabulary/paper.ts'
import { code128Bars, countModules } from '../barcodes/code128.ts'
import { formatDateTime, formatFigure, withSoftBreaks } from './format.ts'
import type { Layout } from './messages.ts'
import { words } from './words.ts'

/** The contents of a cell: a text, or a text with further lines. */
export type Cell =
  | string
  | null
  | {
      text: string | null
      bold?: boolean
      /** lines below in small type */
      small?: readonly (string | null | undefined | false)[]
      /** lines below in small bold type */
      alerts?: readonly string[]
      /** a box: empty to be ticked, or ticked; or a line to write on */
      box?: 'empty' | 'ticked' | 'line'
    }

/**
 * A column. Its width is in millimetres, a share of the remaining width (`'2fr'`), or that of its figures.
 */
export interface Column {
  label: string
  width: number | 'figures' | `${number}fr`
  /** shown even if it is empty in every row */
  isAlwaysShown?: boolean
  /** to be filled in by hand: always shown, with a line at its left, in taller rows */
  isBlank?: boolean
  align?: 'left' | 'right' | 'center'
}

export interface Row {
  cells: readonly Cell[]
  /** texts in columns below the row: its serials */
  serials?: readonly string[]
  /** texts as Code 128 below the row, side by side; one that does not fit or has other characters has none */
  codes?: readonly (string | null)[]
  /** makes this row a heading of the rows that follow, without cells */
  heading?: string
}

export interface Table {
  kind: 'table'
  title?: string
  columns: readonly Column[]
  rows: readonly Row[]
  /** the cells of a final row of totals */
  totals?: readonly Cell[]
}

/** A label with its value; omitted without a value. */
export type Field = readonly [label: string, value: string | null | undefined]

export type Block =
  | { kind: 'banner'; text: string; more?: string }
  | { kind: 'fields'; fields: readonly Field[] }
  | { kind: 'parties'; parties: readonly { label: string; lines: readonly string[] }[] }
  | { kind: 'text'; label: string; texts: readonly string[] }
  | Table
  | { kind: 'sums'; sums: readonly (readonly [label: string, value: string])[] }
  | { kind: 'signatures'; signatures: readonly string[]; more?: string }
  | { kind: 'page' }

/** The contents of the header and footer of a paper. */
export interface PageHeader {
  organisationName: string
  printedBy: string | null
  /** the local time of the warehouse */
  printedLocal: string
  printedUtc: string
  paperSize: number
  clientName: string | null
  /** a PNG in base64 */
  clientLogo: string | null
  organisationLogo: string | null
}

/** A printed document as its endpoint builds it. */
export interface DocumentContent {
  title: string
  /** the number of the record, also shown as a barcode; null if it has none */
  number: string | null
  hasBarcode?: boolean
  header: PageHeader
  blocks: readonly Block[]
  /** text across every page */
  watermark?: string
}

/** The maximum number of lines of a paper, which is also the maximum of an import. */
export const maxLines = 5_000
/** The maximum number of characters in the blocks of a paper: a few hundred pages of them. */
export const maxCharacters = 1_000_000

/** Counts the characters of all texts in a part of a paper. */
export function countCharacters(part: unknown): number {
  if (typeof part === 'string') return part.length
  if (typeof part !== 'object' || part === null) return 0
  return Object.values(part).reduce((sum: number, inner) => sum + countCharacters(inner), 0)
}

const moduleMM = 0.33
const minModuleMM = 0.25
/** The largest and usual sizes of the barcode in the header, and of those below a row. */
const headerCode = { maxWidthMM: 84, heightMM: 12 }
const rowCode = { maxWidthMM: 80, heightMM: 8 }

/** Draws the Code 128 of a text as an SVG; null if it does not fit into its place or cannot be encoded. */
function drawBarcode(text: string | null, { maxWidthMM, heightMM }: typeof headerCode) {
  const bars = text === null ? undefined : code128Bars(text)
  if (text === null || bars === undefined) return null
  const modules = countModules(bars)
  const module = modules * moduleMM <= maxWidthMM ? moduleMM : minModuleMM
  if (modules * module > maxWidthMM) return null
  let x = 0
  const path = bars.map((width, i) => {
    const bar = i % 2 === 0 ? `M${x} 0h${width}v10h-${width}z` : ''
    x += width
    return bar
  })
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${modules} 10" preserveAspectRatio="none" ` +
    `shape-rendering="crispEdges"><path d="${path.join('')}"/></svg>`
  return { svg, widthMM: modules * module, heightMM, quietMM: 10 * module, text }
}

/** Converts a paper to the data of templates/paper.typ. */
export function templateDataOf(
  { title, number, hasBarcode = true, header, blocks, watermark }: DocumentContent,
  { isLandscape, paperSize }: Layout,
) {
  const { organisationName, printedBy, printedLocal, printedUtc, clientName } = header
  return {
    title,
    number: number ?? '',
    watermark: watermark ?? null,
    printedUtc,
    organisation: { name: withSoftBreaks(organisationName), logo: decodeImage(header.organisationLogo) },
    client: { name: withSoftBreaks(clientName ?? ''), logo: decodeImage(header.clientLogo) },
    printed: words.printedAt(formatDateTime(printedLocal) ?? '', printedBy && withSoftBreaks(printedBy)),
    words: words.frame,
    paper: (paperSize ?? header.paperSize) === PaperSize.Letter ? 'us-letter' : 'a4',
    isLandscape,
    barcode: drawBarcode(hasBarcode ? number : null, headerCode),
    blocks: blocks.filter(hasContent).map(toTemplateBlock),
  }
}

const decodeImage = (base64: string | null) => (base64 === null ? null : [...Buffer.from(base64, 'base64')])

/** Whether a block has anything to show. */
function hasContent(block: Block): boolean {
  if (block.kind === 'fields') return block.fields.some(([, value]) => value)
  if (block.kind === 'parties') return block.parties.length > 0
  if (block.kind === 'text') return block.texts.length > 0
  if (block.kind === 'table') return block.rows.length > 0
  return true
}

/** Converts a block for the template: omits empty fields and columns, and makes long words breakable. */
function toTemplateBlock(block: Block): object {
  if (block.kind === 'fields')
    return {
      kind: 'fields',
      fields: block.fields.flatMap(([label, value]) => (value ? [[label, withSoftBreaks(value)]] : [])),
    }
  if (block.kind === 'parties')
    return {
      kind: 'parties',
      parties: block.parties.map(({ label, lines }) => ({
        label,
        lines: lines.map(line => withSoftBreaks(line)),
      })),
    }
  if (block.kind === 'text') return { ...block, texts: block.texts.map(text => withSoftBreaks(text)) }
  return block.kind === 'table' ? toTemplateTable(block) : block
}

const cellText = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : cell?.text) ?? ''

const isFilled = (cell: Cell | undefined): boolean =>
  cellText(cell) !== '' || (typeof cell === 'object' && cell !== null && Object.keys(cell).length > 1)

// A digit at 8 points is 1.61 mm wide; commas and points are narrower.
const digitMM = 1.62
// Letters are hardly ever wider than this.
const letterMM = 1.8
// The maximum width of a letter in a column heading at 6.6 points.
const labelLetterMM = 1.5
// The maximum length of an unbroken serial, so that five columns fit.
const maxSerialRun = 20
// A row with a longer cell may be split between pages, because it might not fit on one.
const maxUnsplitLetters = 600

function toTemplateTable({ title, columns, rows, totals }: Table): object {
  const shownColumns = columns.flatMap((column, i) =>
    column.isAlwaysShown || column.isBlank || rows.some(({ cells }) => isFilled(cells[i])) ? [i] : [],
  )
  const toCells = (cells: readonly Cell[] = []) =>
    shownColumns.map(i => toTemplateCell(cells[i], lettersPerLine(columns[i] as Column)))
  return {
    kind: 'table',
    title: title ?? null,
    columns: shownColumns.map(i => {
      const { label, width, align, isBlank = false } = columns[i] as Column
      const texts = [...rows.map(({ cells }) => cellText(cells[i])), cellText(totals?.[i])]
      return {
        label,
        align: align ?? (width === 'figures' ? 'right' : 'left'),
        width: width === 'figures' ? measureFigures(label, texts) : width,
        isBlank,
      }
    }),
    rows: rows.map(({ cells, serials = [], codes = [], heading }) => ({
      heading: heading === undefined ? null : withSoftBreaks(heading),
      cells: heading === undefined ? toCells(cells) : [],
      isLong: cells.some(cell => countLetters(cell) > maxUnsplitLetters),
      serials: serials.map(serial => withSoftBreaks(serial, maxSerialRun)),
      codes: codes.map(code => drawBarcode(code, rowCode)),
    })),
    totals: totals === undefined ? null : toCells(totals),
  }
}

const measureFigures = (label: string, texts: readonly string[]): number => {
  const longestWord = Math.max(...label.split(' ').map(word => word.length))
  const longestFigure = texts.reduce((longest, text) => Math.max(longest, text.length), 0)
  return Math.max(longestWord * labelLetterMM, longestFigure * digitMM) + 3
}

const countLetters = (cell: Cell): number =>
  cell === null || typeof cell === 'string'
    ? (cell?.length ?? 0)
    : [cell.text, ...(cell.small ?? [])].reduce<number>(
        (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
        0,
      )

/** The number of letters that always fit on a line of a column; undefined for a column of flexible width. */
const lettersPerLine = ({ width }: Column): number | undefined =>
  typeof width === 'number' ? Math.floor((width - 2) / letterMM) : undefined

function toTemplateCell(cell: Cell | undefined, maxRun: number | undefined): unknown {
  const breakWords = (text: string) => withSoftBreaks(text, maxRun)
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'string') return breakWords(cell)
  const { text, bold = false, small = [], alerts = [], box = null } = cell
  return {
    text: breakWords(text ?? ''),
    bold,
    small: small
      .filter(line => typeof line === 'string' && line !== '')
      .map(line => breakWords(String(line))),
    alerts: alerts.map(breakWords),
    box,
  }
}

/** Sums a figure over rows and formats the sum, exact to six decimals; null if no row has the figure. */
export function formatSum<T>(
  rows: readonly T[],
  figure: (row: T) => number | null | undefined,
): string | null {
  const values = rows.map(figure).filter(value => value !== null && value !== undefined)
  if (values.length === 0) return null
  const millionths = values.reduce((sum, value) => sum + BigInt(Math.round(value * 1e6)), 0n)
  return formatFigure(Number(millionths) / 1e6)
}
