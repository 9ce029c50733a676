// Draws a label: collects fitted texts, rules and barcodes as elements.

import { type Barcode, checkLabel, type Label, type LabelElement, type TextLine } from './label.ts'
import { capHeight, fitText, lineHeight, type Place } from './text-fit.ts'
import { widthOf } from './text-width.ts'

/** The place for a text; `y` is the top of its capitals. */
export type TextSpot = Place & { readonly x: number; readonly y: number }

/** A value with the title before it. */
export type Pair = readonly [title: string, value: string]

/** A label under construction. All lengths are in millimetres. */
export class Sketch {
  readonly width: number
  readonly height: number
  readonly dotsPerMM: number
  private readonly elements: LabelElement[] = []

  constructor(size: { readonly width: number; readonly height: number }, dotsPerMM: number) {
    this.width = size.width
    this.height = size.height
    this.dotsPerMM = dotsPerMM
  }

  /** Writes a text. Returns the baseline of its last line, or `y` if the text is empty. */
  text(text: string | null, spot: TextSpot): number {
    const { size, lines } = fitText(text ?? '', spot)
    let baseline = spot.y
    for (const [i, line] of lines.entries()) {
      baseline = spot.y + capHeight * size + i * lineHeight * size
      const { x, width, isBold = false } = spot
      this.line({ x, baseline, size, width, text: line, isBold })
    }
    return baseline
  }

  private line(
    line: Omit<TextLine, 'kind' | 'isBold' | 'width'> & { width: number; isBold?: boolean },
  ): void {
    // No line may extend beyond the label, even if its spot does.
    const width = Math.min(line.width, this.width - line.x)
    this.elements.push({ kind: 'text', isBold: false, ...line, width })
  }

  /** Writes a text whose last baseline is at `bottom`. Returns the top of its capitals. */
  textAbove(text: string, spot: Omit<TextSpot, 'y'>, bottom: number): number {
    const { size, lines } = fitText(text, spot)
    const y = bottom - capHeight * size - (lines.length - 1) * lineHeight * size
    this.text(text, { ...spot, y })
    return y
  }

  /**
   * Writes titles and values, as many on a line as fit, and omits what would be below `bottom`. Returns the
   * last baseline.
   */
  pairs(pairs: readonly Pair[], spot: TextSpot & { readonly bottom: number }): number {
    const { size, width } = spot
    const titleGap = 0.4 * size
    let [x, baseline] = [spot.x, spot.y + capHeight * size]
    let lastBaseline = spot.y
    for (const [title, value] of pairs) {
      const titleWidth = widthOf(title, size)
      const available = width - titleWidth - titleGap
      const [line] = fitText(value, { width: available, size, isBold: true }).lines
      if (line === undefined) continue
      const taken = titleWidth + titleGap + widthOf(line, size, true)
      if (x > spot.x && x + taken > spot.x + width) [x, baseline] = [spot.x, baseline + lineHeight * size]
      if (baseline > spot.bottom) break
      this.line({ x, baseline, size, width: titleWidth, text: title })
      const after = x + titleWidth + titleGap
      this.line({ x: after, baseline, size, width: spot.x + width - after, text: line, isBold: true })
      x += taken + size
      lastBaseline = baseline
    }
    return lastBaseline
  }

  /** Draws a rule that is at least one dot thick. */
  rule(x: number, y: number, width: number, height: number): void {
    const dot = 1 / this.dotsPerMM
    this.elements.push({ kind: 'box', x, y, width: Math.max(width, dot), height: Math.max(height, dot) })
  }

  /** Draws a frame along the inner edge of an area. */
  frame(x: number, y: number, width: number, height: number, thickness: number): void {
    this.rule(x, y, width, thickness)
    this.rule(x, y + height - thickness, width, thickness)
    this.rule(x, y, thickness, height)
    this.rule(x + width - thickness, y, thickness, height)
  }

  barcode(barcode: Barcode): void {
    this.elements.push(barcode)
  }

  /** Returns the finished label, checked by `checkLabel`. */
  label(title: string): Label {
    const { width, height, dotsPerMM, elements } = this
    return checkLabel({ width, height, dotsPerMM, title, elements })
  }
}
