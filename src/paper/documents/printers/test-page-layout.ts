// The layout of a test page, on the medium that is loaded in its printer. Pure.

import { PrinterLanguage, PrintType } from '../../../vocabulary/paper.ts'
import { code128Content, gs1Content, matrixContent, placeBars, placeMatrix } from '../../labels/barcode.ts'
import type { Label } from '../../labels/label.ts'
import { LabelBuilder } from '../../labels/label-builder.ts'
import { fitText } from '../../labels/text-fit.ts'
import type { Printer } from '../../print-jobs/submit.ts'
import { parseMedia } from '../../printers/media.ts'

/** One line in each script that documents must be able to show. */
const scripts = [
  'Latin: Ōtāhuhu, Łódź, Đà Nẵng',
  'Greek: Αθήνα',
  'Cyrillic: Київ',
  'Arabic: دبي',
  'Hebrew: חיפה',
  'Thai: กรุงเทพ',
  'Devanagari: मुंबई',
  'Chinese: 上海仓库',
  'Korean: 부산',
]

/** The page of a printer that does not say which media are loaded, with its margin, in millimetres. */
const defaultPages = {
  [PrintType.Label]: { width: 100, height: 150, margin: 5 },
  [PrintType.Document]: { width: 210, height: 297, margin: 14 },
}
/** Media with a shorter or a longer side than these have no room for a test page, or are no sheets. */
const [minSideMM, maxSideMM] = [20, 500]
/** On a lower page, only the most important texts leave room for barcodes. */
const minTallMM = 60
const maxRulerMM = 50
const rulerHeightMM = 6
const defaultDotsPerMM = 8
/** An SSCC that nobody owns: GS1 reserves the prefix 952 for examples. */
const exampleSscc = '095200000000000004'

/** A test page, and the IPP name of the medium that it fills, if the printer says what is loaded. */
export interface TestPage {
  label: Label
  media: string | null
}

/** The area within the margins, and the sizes of what is drawn in it, in millimetres. */
interface Frame {
  readonly x: number
  readonly width: number
  readonly bottom: number
  readonly textSize: number
  readonly barsHeight: number
  readonly matrixSide: number
}

/**
 * Lays out the test page of a printer in its resolution and on its medium. What has no room on a small medium
 * is left out, the least important first.
 */
export function layOutTestPage(printer: Printer, warehouseName: string): TestPage {
  const page = defaultPages[printer.type]
  const medium = parseMedia(printer.media).find(
    ({ width, height }) => Math.min(width, height) >= minSideMM && Math.max(width, height) <= maxSideMM,
  )
  const { width, height } = medium ?? page
  const margin = Math.min(page.margin, 0.05 * Math.min(width, height))
  const dotsPerMM = printer.dotsPerMM ?? defaultDotsPerMM
  const builder = new LabelBuilder({ width, height }, dotsPerMM)
  const scale = Math.min(1, width / 100, height / 150)
  const frame: Frame = {
    ...{ x: margin, width: width - 2 * margin, bottom: height - margin },
    ...{ textSize: Math.max(1.9, 3.2 * scale), barsHeight: Math.max(5, 14 * scale) },
    matrixSide: Math.max(12, 24 * scale),
  }
  const contents = printer.type === PrintType.Label ? 'labels' : 'documents'
  const language = printer.language === PrinterLanguage.Zpl ? `ZPL, ${dotsPerMM} dots a millimetre` : 'PDF'
  const settings = `For ${contents}, in ${language}`
  const loaded = `Media: ${printer.media.join(', ') || 'not said'}`
  let y = writeLines(builder, frame, margin, [printer.name], { isBold: true, scale: 1.6 })
  y = writeLines(builder, frame, y, height < minTallMM ? [settings] : [warehouseName, settings, loaded])
  y = drawRuler(builder, frame, y)
  y = drawBars(builder, frame, y)
  y = drawMatrixSymbols(builder, frame, y)
  writeLines(builder, frame, y, scripts)
  builder.frame(margin / 2, margin / 2, width - margin, height - margin, 0.3)
  return { label: builder.label(`Test page of ${printer.name}`), media: medium?.name ?? null }
}

/** Writes texts below each other as far as there is room. Returns the y coordinate below them. */
function writeLines(
  builder: LabelBuilder,
  { x, width, bottom, textSize }: Frame,
  top: number,
  texts: readonly string[],
  { isBold = false, scale = 1 } = {},
): number {
  const size = textSize * scale
  let y = top
  for (const text of texts) {
    const fitted = fitText(text, { width, size, smallest: size * 0.6, isBold })
    if (y + fitted.height > bottom) return y
    builder.lines(fitted, { x, y, width, isBold })
    y += Math.max(size * 1.5625, fitted.height + 0.5 * size)
  }
  return y
}

/** Draws a ruler of up to 50 mm, with its length beside it. Returns the y coordinate below it. */
function drawRuler(builder: LabelBuilder, { x, width, bottom, textSize }: Frame, y: number): number {
  const length = Math.min(maxRulerMM, Math.floor((width - 2 - 5 * textSize) / 10) * 10)
  if (length < 10 || y + rulerHeightMM > bottom) return y
  builder.rule(x, y + 3, length, 0.25)
  for (let mm = 0; mm <= length; mm += 5) {
    const tick = mm % 10 === 0 ? 3 : 1.5
    builder.rule(x + mm, y + 3 - tick, 0.25, tick)
  }
  builder.text(`${length} mm`, { x: x + length + 2, y: y + 1, width: width - length - 2, size: textSize })
  return y + rulerHeightMM
}

/** Draws one barcode of each linear symbology that has room. Returns the y coordinate below them. */
function drawBars(
  builder: LabelBuilder,
  { x, width, bottom, textSize, barsHeight }: Frame,
  top: number,
): number {
  const size = textSize * 0.8
  const sscc = gs1Content('gs1-128', [{ ai: '00', value: exampleSscc }])
  let y = top
  for (const content of [code128Content('WAYBILL-TEST'), sscc]) {
    const place = { x, y, width, height: barsHeight, smallest: 0.25, largest: 0.5 }
    const symbol = placeBars(content, place, builder.dotsPerMM)
    if (symbol === null || y + barsHeight + 1.8 * size > bottom) continue
    builder.barcode(symbol)
    builder.text(content.text, { x, y: y + barsHeight + 0.4 * size, width, size, smallest: size * 0.6 })
    y += barsHeight + 2 * size
  }
  return y
}

/** Draws one barcode of each matrix symbology, side by side. Returns the y coordinate below them. */
function drawMatrixSymbols(
  builder: LabelBuilder,
  { x, width, bottom, matrixSide: side }: Frame,
  y: number,
): number {
  if (y + side > bottom) return y
  const gs1 = gs1Content('gs1-datamatrix', [
    { ai: '01', value: '09520000000004' },
    { ai: '10', value: 'TEST' },
  ])
  const contents = [matrixContent('WAYBILL-TEST'), gs1, matrixContent('WAYBILL-TEST', 'qr')]
  for (const [i, content] of contents.entries()) {
    const left = i * (side + 4)
    if (left + side > width) break
    const place = { x: x + left, y, width: side, height: side, smallest: 0.25, largest: 1 }
    const symbol = placeMatrix(content, place, builder.dotsPerMM)
    if (symbol !== null) builder.barcode(symbol)
  }
  return y + side + 3
}
