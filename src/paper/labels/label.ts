// A label as data: lines of text, boxes and barcodes, positioned in millimetres from the top left corner. The
// writers (label-typst.ts, zpl.ts) turn it into the same label in different formats.

import { extentOf } from './text-height.ts'

/** A line of text. */
export interface TextLine {
  readonly kind: 'text'
  readonly x: number
  /** the y coordinate of the baseline */
  readonly baseline: number
  /** the em size */
  readonly size: number
  /** the available width, into which the text fits */
  readonly width: number
  readonly isBold: boolean
  readonly text: string
}

/** A filled rectangle: a rule, or a side of a frame. */
export interface Box {
  readonly kind: 'box'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Symbology = 'code128' | 'gs1-128' | 'datamatrix' | 'gs1-datamatrix' | 'qr'

/** A barcode without its quiet zone. */
export interface Barcode {
  readonly kind: 'barcode'
  readonly symbology: Symbology
  /** what a scanner reads, with FNC1 between GS1 elements */
  readonly data: string
  /** the human readable text, with GS1 identifiers in brackets */
  readonly text: string
  /** the input of the barcode library */
  readonly encoderInput: string
  readonly x: number
  readonly y: number
  /** the size of a module in printer dots */
  readonly moduleDots: number
  /** the width in modules */
  readonly columns: number
  /** the height of a matrix symbol in modules; 1 for a linear barcode */
  readonly rows: number
  readonly height: number
  /** the modules of a matrix symbol, row by row, 1 for black */
  readonly matrix?: readonly number[]
}

export type LabelElement = TextLine | Box | Barcode

/** A label for printers of a certain resolution. */
export interface Label {
  readonly width: number
  readonly height: number
  readonly dotsPerMM: number
  /** for example `Pallet LU-000012` */
  readonly title: string
  readonly elements: readonly LabelElement[]
}

/** What does not fit on a label of a size, by name: `['batch', 'serial']`. */
export interface Overflow {
  readonly overflow: readonly string[]
}

/** The width of the quiet zone on each side, in modules. ISO/IEC 15417, 16022, 18004. */
export const quietModules: Readonly<Record<Symbology, number>> = {
  code128: 10,
  'gs1-128': 10,
  datamatrix: 1,
  'gs1-datamatrix': 1,
  qr: 4,
}

/** Whether a symbology is a matrix code (DataMatrix or QR), not a linear barcode. */
export const isMatrix = (symbology: Symbology): boolean => symbology !== 'code128' && symbology !== 'gs1-128'

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** Returns the area that an element occupies, including the quiet zone of a barcode. */
export function areaOf(element: LabelElement, dotsPerMM: number): Area {
  if (element.kind === 'text') {
    const { x, baseline, width, size, text } = element
    const { rise, drop } = extentOf(text)
    return { left: x, top: baseline - rise * size, right: x + width, bottom: baseline + drop * size }
  }
  const { x, y, height } = element
  if (element.kind === 'box') return { left: x, top: y, right: x + element.width, bottom: y + height }
  const module = element.moduleDots / dotsPerMM
  const quiet = quietModules[element.symbology] * module
  const above = isMatrix(element.symbology) ? quiet : 0
  return {
    left: x - quiet,
    top: y - above,
    right: x + element.columns * module + quiet,
    bottom: y + height + above,
  }
}

/**
 * Returns a label, or throws if its layout is faulty: an element extends beyond the label or into the quiet
 * zone of a barcode. That is a defect of the layout code, never of the data.
 */
export function checkLabel(label: Label): Label {
  const placed = label.elements.map(element => ({ element, area: areaOf(element, label.dotsPerMM) }))
  // Rounding to whole dots can add up to half a dot.
  const slack = 0.5 / label.dotsPerMM
  for (const { element, area } of placed) {
    const { left, top, right, bottom } = area
    const isInside =
      Math.min(left, top) > -slack && right < label.width + slack && bottom < label.height + slack
    if (!isInside) throw new Error(`${label.title}: ${describeElement(element)} leaves the label.`)
  }
  for (const barcode of placed.filter(({ element }) => element.kind === 'barcode')) {
    const intruder = placed.find(other => other !== barcode && overlap(other.area, barcode.area, slack))
    if (intruder !== undefined)
      throw new Error(`${label.title}: ${describeElement(intruder.element)} is in the way of a barcode.`)
  }
  return label
}

const overlap = (a: Area, b: Area, slack: number): boolean =>
  a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack

const describeElement = (element: LabelElement): string =>
  element.kind === 'box' ? 'a box' : `the ${element.kind} ${JSON.stringify(element.text.slice(0, 60))}`
