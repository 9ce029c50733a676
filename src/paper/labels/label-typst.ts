// Converts labels to the data of documents/templates/label.typ, which Typst renders as a PDF or a picture.

import { mapInSlices } from '../../platform/work/slices.ts'
import { blackBars } from './barcode.ts'
import { type Barcode, isMatrix, type Label, type LabelElement } from './label.ts'

const symbologyNames: Readonly<Record<Barcode['symbology'], string>> = {
  code128: 'Code 128',
  'gs1-128': 'GS1-128',
  datamatrix: 'DataMatrix',
  'gs1-datamatrix': 'GS1 DataMatrix',
  qr: 'QR code',
}

/** Returns the data of the template, which has one page per label. */
export const labelTemplateData = async (labels: readonly Label[]) => ({
  title: labels.length === 1 ? (labels[0]?.title ?? '') : `${labels[0]?.title ?? ''} and others`,
  labels: await mapInSlices(labels, ({ width, height, dotsPerMM, elements }) => ({
    width,
    height,
    texts: elements.filter(isOf('text')).map(({ kind: _, ...line }) => line),
    boxes: elements.filter(isOf('box')).map(({ kind: _, ...box }) => box),
    barcodes: elements.filter(isOf('barcode')).map(barcode => ({
      x: barcode.x,
      y: barcode.y,
      width: (barcode.columns * barcode.moduleDots) / dotsPerMM,
      height: barcode.height,
      alt: `${symbologyNames[barcode.symbology]}: ${barcode.text}`,
      svg: drawSvg(barcode),
    })),
  })),
})

const isOf =
  <Kind extends LabelElement['kind']>(kind: Kind) =>
  (element: LabelElement): element is Extract<LabelElement, { kind: Kind }> =>
    element.kind === kind

/** Draws a symbol as one path with a unit per module. Separate shapes would show hairlines between them. */
function drawSvg(barcode: Barcode): string {
  const height = isMatrix(barcode.symbology) ? barcode.rows : 1
  const path = blackBars(barcode).map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${barcode.columns} ${height}" ` +
    `preserveAspectRatio="none" shape-rendering="crispEdges"><path d="${path.join('')}"/></svg>`
  )
}
