// What a paper consists of: a head that all papers have, and blocks, which templates/paper.typ sets. Papers
// say what is on them; how it looks is the template's.

import { code128, modulesOf } from '../barcodes/code128.ts'
import { PaperSize } from '../enumerations.ts'
import { breakable, dateTimeOf, figureOf } from './format.ts'
import type { Layout } from './messages.ts'
import { words } from './words.ts'

/** What stands in a column of a row: a text, or a text with more below it. */
export type Cell =
  | string
  | null
  | {
      text: string | null
      bold?: boolean
      /** lines below, small */
      small?: readonly (string | null | undefined | false)[]
      /** lines below, small and bold */
      alerts?: readonly string[]
      /** a box: empty to be ticked, or ticked */
      box?: 'empty' | 'ticked'
    }

/** A column: a width in millimetres, a share of what is left (`'2fr'`), or as wide as its figures. */
export interface Column {
  label: string
  width: number | 'figures' | `${number}fr`
  /** it stays where no row has anything in it */
  isKept?: boolean
  /** people write in it: it stays, with a line before it, and rows are high */
  isBlank?: boolean
  align?: 'left' | 'right' | 'center'
}

export interface Row {
  cells: readonly Cell[]
  /** texts in columns below the row, such as its serials */
  serials?: readonly string[]
  /** a heading over the rows that follow, in place of cells */
  heading?: string
}

export interface Table {
  kind: 'table'
  title?: string
  columns: readonly Column[]
  rows: readonly Row[]
  /** the cells of a row of sums */
  totals?: readonly Cell[]
}

/** A label with its value; without a value it is left out. */
export type Fact = readonly [label: string, value: string | null | undefined]

export type Block =
  | { kind: 'banner'; text: string; more?: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'parties'; parties: readonly { label: string; lines: readonly string[] }[] }
  | { kind: 'text'; label: string; texts: readonly string[] }
  | Table
  | { kind: 'sums'; sums: readonly (readonly [label: string, value: string])[] }
  | { kind: 'signatures'; signatures: readonly string[]; more?: string }
  | { kind: 'page' }

/** Whose paper it is, as its head and foot say. */
export interface Head {
  organisationName: string
  printedBy: string | null
  /** the wall clock of the warehouse, and the instant */
  printedLocal: string
  printedUtc: string
  paperSize: number
  clientName: string | null
  /** a PNG in base64 */
  clientLogo: string | null
  organisationLogo: string | null
}

/** A paper as its endpoint makes it. */
export interface Paper {
  title: string
  /** the number of the record, which is the barcode too; null where it has none */
  number: string | null
  hasBarcode?: boolean
  head: Head
  blocks: readonly Block[]
  /** across every page */
  watermark?: string
}

/** The largest number of lines on a paper: as many as an import may have. */
export const maxLines = 5_000

const moduleMM = 0.33
const leastModuleMM = 0.25
const widestMM = 84
const barcodeHeightMM = 12

/** The Code 128 of a number as an SVG; null where it does not fit into the head, or has none. */
function barcodeOf(number: string | null) {
  const bars = number === null ? undefined : code128(number)
  if (number === null || bars === undefined) return null
  const modules = modulesOf(bars)
  const module = modules * moduleMM <= widestMM ? moduleMM : leastModuleMM
  if (modules * module > widestMM) return null
  let at = 0
  const path = bars.map((width, i) => {
    const bar = i % 2 === 0 ? `M${at} 0h${width}v10h-${width}z` : ''
    at += width
    return bar
  })
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${modules} 10" preserveAspectRatio="none" ` +
    `shape-rendering="crispEdges"><path d="${path.join('')}"/></svg>`
  return { svg, widthMM: modules * module, heightMM: barcodeHeightMM, quietMM: 10 * module, text: number }
}

/** The data of templates/paper.typ. */
export function dataOf(
  { title, number, hasBarcode = true, head, blocks, watermark }: Paper,
  { isLandscape, paperSize }: Layout,
) {
  const { organisationName, printedBy, printedLocal, printedUtc, clientName } = head
  return {
    title,
    number: number ?? '',
    watermark: watermark ?? null,
    printedUtc,
    organisation: { name: breakable(organisationName), logo: bytesOf(head.organisationLogo) },
    client: { name: breakable(clientName ?? ''), logo: bytesOf(head.clientLogo) },
    printed: words.printedAt(dateTimeOf(printedLocal) ?? '', printedBy && breakable(printedBy)),
    words: words.frame,
    paper: (paperSize ?? head.paperSize) === PaperSize.Letter ? 'us-letter' : 'a4',
    isLandscape,
    barcode: barcodeOf(hasBarcode ? number : null),
    blocks: blocks.filter(isAnything).map(settable),
  }
}

const bytesOf = (base64: string | null) => (base64 === null ? null : [...Buffer.from(base64, 'base64')])

/** Whether a block has anything to show. */
function isAnything(block: Block): boolean {
  if (block.kind === 'facts') return block.facts.some(([, value]) => value)
  if (block.kind === 'parties') return block.parties.length > 0
  if (block.kind === 'text') return block.texts.length > 0
  if (block.kind === 'table') return block.rows.length > 0
  return true
}

/** A block as the template takes it: empty facts and columns are left out, and every text can be broken. */
function settable(block: Block): object {
  if (block.kind === 'facts')
    return {
      kind: 'facts',
      facts: block.facts.flatMap(([label, value]) => (value ? [[label, breakable(value)]] : [])),
    }
  if (block.kind === 'parties')
    return {
      kind: 'parties',
      parties: block.parties.map(({ label, lines }) => ({
        label,
        lines: lines.map(line => breakable(line)),
      })),
    }
  if (block.kind === 'text') return { ...block, texts: block.texts.map(text => breakable(text)) }
  return block.kind === 'table' ? settableTable(block) : block
}

const textOf = (cell: Cell | undefined): string => (typeof cell === 'string' ? cell : cell?.text) ?? ''

const isFilled = (cell: Cell | undefined): boolean =>
  textOf(cell) !== '' || (typeof cell === 'object' && cell !== null && Object.keys(cell).length > 1)

// A figure of 8 points is 1.61 mm wide; a comma or a point is less.
const figureMM = 1.62
// A letter is hardly ever wider than this.
const letterMM = 1.8
// What a label of 6.6 points takes at most for a letter.
const labelLetterMM = 1.5
// Serials stand in five columns.
const serialLetters = 20
// A row of more letters than this in one cell may be cut: it might not fit on a page.
const maxLettersUncut = 600

function settableTable({ title, columns, rows, totals }: Table): object {
  const kept = columns.flatMap((column, i) =>
    column.isKept || column.isBlank || rows.some(({ cells }) => isFilled(cells[i])) ? [i] : [],
  )
  const pick = (cells: readonly Cell[] = []) =>
    kept.map(i => settableCell(cells[i], lettersIn(columns[i] as Column)))
  return {
    kind: 'table',
    title: title ?? null,
    columns: kept.map(i => {
      const { label, width, align, isBlank = false } = columns[i] as Column
      const texts = [...rows.map(({ cells }) => textOf(cells[i])), textOf(totals?.[i])]
      return {
        label,
        align: align ?? (width === 'figures' ? 'right' : 'left'),
        width: width === 'figures' ? widthOfFigures(label, texts) : width,
        isBlank,
      }
    }),
    rows: rows.map(({ cells, serials = [], heading }) => ({
      heading: heading === undefined ? null : breakable(heading),
      cells: heading === undefined ? pick(cells) : [],
      isLong: cells.some(cell => lettersOf(cell) > maxLettersUncut),
      serials: serials.map(serial => breakable(serial, serialLetters)),
    })),
    totals: totals === undefined ? null : pick(totals),
  }
}

const widthOfFigures = (label: string, texts: readonly string[]): number => {
  const longestWord = Math.max(...label.split(' ').map(word => word.length))
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 0)
  return Math.max(longestWord * labelLetterMM, longest * figureMM) + 3
}

const lettersOf = (cell: Cell): number =>
  cell === null || typeof cell === 'string'
    ? (cell?.length ?? 0)
    : [cell.text, ...(cell.small ?? [])].reduce<number>(
        (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
        0,
      )

/** How many letters fit into a line of a column, at the least; undefined where it is wide. */
const lettersIn = ({ width }: Column): number | undefined =>
  typeof width === 'number' ? Math.floor((width - 2) / letterMM) : undefined

function settableCell(cell: Cell | undefined, maxRun: number | undefined): unknown {
  const broken = (text: string) => breakable(text, maxRun)
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'string') return broken(cell)
  const { text, bold = false, small = [], alerts = [], box = null } = cell
  return {
    text: broken(text ?? ''),
    bold,
    small: small.filter(line => typeof line === 'string' && line !== '').map(line => broken(String(line))),
    alerts: alerts.map(broken),
    box,
  }
}

/** The sum of figures of rows as a cell; null where no row has one. */
export function sumOf<T>(rows: readonly T[], figure: (row: T) => number | null | undefined): string | null {
  const known = rows.map(figure).filter(value => value !== null && value !== undefined)
  if (known.length === 0) return null
  const millionths = known.reduce((sum, value) => sum + BigInt(Math.round(value * 1e6)), 0n)
  return figureOf(Number(millionths) / 1e6)
}
