// A label as data: lines of text, boxes and barcodes, placed in millimetres from its top left corner. The
// writers (label-typst.ts, zpl.ts) make the same label of it in their languages.

/** A line of text. */
export interface TextLine {
  readonly kind: 'text'
  readonly x: number
  /** of the line that letters stand on */
  readonly baseline: number
  /** an em */
  readonly size: number
  /** what it may take; it is laid out to take no more */
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
  /** what a scanner reads; with FNC1 between elements of GS1 */
  readonly data: string
  /** what people call it: elements of GS1 have their identifiers in brackets */
  readonly text: string
  /** what the library draws it from */
  readonly drawnFrom: string
  readonly x: number
  readonly y: number
  /** a module in dots of the printer */
  readonly moduleDots: number
  /** in modules */
  readonly columns: number
  /** in modules; 1 for one of bars */
  readonly rows: number
  /** of bars, and of the symbol where it has rows */
  readonly height: number
  /** of a symbol with rows: its squares, row after row, 1 for black */
  readonly matrix?: readonly number[]
}

export type LabelElement = TextLine | Box | Barcode

/** A label for printers with so many dots a millimetre. */
export interface Label {
  readonly width: number
  readonly height: number
  readonly dotsPerMM: number
  /** what it is of, such as `Pallet LU-000012` */
  readonly title: string
  readonly elements: readonly LabelElement[]
}

/** Blank modules that a symbol needs on each side. ISO/IEC 15417, 16022, 18004. */
export const quietModules: Readonly<Record<Symbology, number>> = {
  code128: 10,
  'gs1-128': 10,
  datamatrix: 1,
  'gs1-datamatrix': 1,
  qr: 4,
}

/** Whether a symbol has rows of squares in place of bars. */
export const isMatrix = (symbology: Symbology): boolean => symbology !== 'code128' && symbology !== 'gs1-128'

interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** Where nothing else may stand: a barcode with its quiet zone, and what any other element covers. */
export function areaOf(element: LabelElement, dotsPerMM: number): Area {
  if (element.kind === 'text') {
    const { x, baseline, width, size } = element
    return { left: x, top: baseline - 0.8 * size, right: x + width, bottom: baseline + 0.25 * size }
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
 * Throws where a label could not be printed as it is laid out: an element that leaves it, or something in the
 * quiet zone of a barcode. That is a defect of the layout, whatever the data.
 */
export function checkLabel(label: Label): Label {
  const placed = label.elements.map(element => ({ element, area: areaOf(element, label.dotsPerMM) }))
  // Half a dot is what rounding to the printer's dots may add.
  const slack = 0.5 / label.dotsPerMM
  for (const { element, area } of placed) {
    const { left, top, right, bottom } = area
    const isInside =
      Math.min(left, top) > -slack && right < label.width + slack && bottom < label.height + slack
    if (!isInside) throw new Error(`${label.title}: ${described(element)} leaves the label.`)
  }
  for (const barcode of placed.filter(({ element }) => element.kind === 'barcode')) {
    const other = placed.find(one => one !== barcode && overlap(one.area, barcode.area, slack))
    if (other !== undefined)
      throw new Error(`${label.title}: ${described(other.element)} is in the way of a barcode.`)
  }
  return label
}

const overlap = (one: Area, other: Area, slack: number): boolean =>
  one.left < other.right - slack &&
  other.left < one.right - slack &&
  one.top < other.bottom - slack &&
  other.top < one.bottom - slack

const described = (element: LabelElement): string =>
  element.kind === 'box' ? 'a box' : `the ${element.kind} ${JSON.stringify(element.text.slice(0, 60))}`
