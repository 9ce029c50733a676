// The layout of a test page. Pure functions.

import { PrinterLanguage, PrintType } from '../../../vocabulary/paper.ts'
import {
  type BarcodeContent,
  code128Content,
  gs1Content,
  matrixContent,
  placeBars,
  placeMatrix,
} from '../../labels/barcode.ts'
import type { Label } from '../../labels/label.ts'
import { LabelBuilder } from '../../labels/label-builder.ts'
import type { Printer } from '../../print-jobs/submit.ts'

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

const sizes = {
  [PrintType.Label]: { width: 100, height: 150, margin: 5 },
  [PrintType.Document]: { width: 210, height: 297, margin: 14 },
}
const rulerMM = 50
const textSize = 3.2
const lineMM = 5
const barsMM = 14
const squareMM = 24
const defaultDotsPerMM = 8
/** An SSCC that nobody owns: GS1 reserves the prefix 952 for examples. */
const exampleSscc = '095200000000000004'

/** Lays out the test page of a printer at its resolution. */
export function layOutTestPage(printer: Printer, warehouseName: string): Label {
  const { margin, ...size } = sizes[printer.type]
  const dotsPerMM = printer.dotsPerMM ?? defaultDotsPerMM
  const builder = new LabelBuilder(size, dotsPerMM)
  const width = size.width - 2 * margin
  let y = margin
  const writeLine = (text: string, isBold = false, height = textSize) => {
    const last = builder.text(text, { x: margin, y, width, size: height, smallest: height * 0.6, isBold })
    y = Math.max(y + height * (lineMM / textSize), last + 0.7 * height)
  }
  writeLine(printer.name, true, textSize * 1.6)
  writeLine(warehouseName)
  const contents = printer.type === PrintType.Label ? 'labels' : 'documents'
  const language = printer.language === PrinterLanguage.Zpl ? `ZPL, ${dotsPerMM} dots a millimetre` : 'PDF'
  writeLine(`For ${contents}, in ${language}`)
  writeLine(`Media: ${printer.media.join(', ') || 'not said'}`)
  y = drawRuler(builder, margin, y)
  y = drawSymbols(builder, margin, y, width)
  for (const script of scripts) writeLine(script)
  builder.frame(margin / 2, margin / 2, size.width - margin, size.height - margin, 0.3)
  return builder.label(`Test page of ${printer.name}`)
}

/** Draws a ruler of 50 mm. Returns the y coordinate below it, in millimetres. */
function drawRuler(builder: LabelBuilder, x: number, y: number): number {
  builder.rule(x, y + 3, rulerMM, 0.25)
  for (let mm = 0; mm <= rulerMM; mm += 5) {
    const length = mm % 10 === 0 ? 3 : 1.5
    builder.rule(x + mm, y + 3 - length, 0.25, length)
  }
  builder.text('50 mm', { x: x + rulerMM + 2, y: y + 1, width: 20, size: textSize })
  return y + 6
}

/** Draws one barcode of each symbology. Returns the y coordinate below them, in millimetres. */
function drawSymbols(builder: LabelBuilder, x: number, top: number, width: number): number {
  const { dotsPerMM } = builder
  let y = top
  const sscc: BarcodeContent = gs1Content('gs1-128', [{ ai: '00', value: exampleSscc }])
  for (const content of [code128Content('WAYBILL-TEST'), sscc]) {
    const place = { x, y, width, height: barsMM, smallest: 0.25, largest: 0.5 }
    const symbol = placeBars(content, place, dotsPerMM)
    if (symbol !== null) builder.barcode(symbol)
    y += barsMM + 1
    builder.text(content.text, { x, y, width, size: 2.6 })
    y += 4
  }
  const gs1 = gs1Content('gs1-datamatrix', [
    { ai: '01', value: '09520000000004' },
    { ai: '10', value: 'TEST' },
  ])
  const matrixCodes = [matrixContent('WAYBILL-TEST'), gs1, matrixContent('WAYBILL-TEST', 'qr')]
  for (const [i, content] of matrixCodes.entries()) {
    const place = {
      x: x + i * (squareMM + 4),
      y,
      width: squareMM,
      height: squareMM,
      smallest: 0.25,
      largest: 1,
    }
    const symbol = placeMatrix(content, place, dotsPerMM)
    if (symbol !== null) builder.barcode(symbol)
  }
  return y + squareMM + 3
}
