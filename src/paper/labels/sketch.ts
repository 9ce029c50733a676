// Drawing a label: texts fitted into their places, rules and barcodes, collected as elements.

import { type Barcode, checkLabel, type Label, type LabelElement, type TextLine } from './label.ts'
import { capHeight, fit, lineHeight, type Place } from './text-fit.ts'
import { widthOf } from './text-width.ts'

/** Where a text goes: `y` is the top of its capitals. */
export type Spot = Place & { readonly x: number; readonly y: number }

/** A value with what stands before it. */
export type Pair = readonly [title: string, value: string]

/** A label while it is drawn. */
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

  /** Writes a text; returns where its last line stands, `y` where there is nothing to write. */
  text(text: string | null, spot: Spot): number {
    const { size, lines } = fit(text ?? '', spot)
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
    // No line may reach beyond the label, whatever is said of its place.
    const width = Math.min(line.width, this.width - line.x)
    this.elements.push({ kind: 'text', isBold: false, ...line, width })
  }

  /** Writes a text whose last line stands at `bottom`; returns the top of its capitals. */
  textAbove(text: string, spot: Omit<Spot, 'y'>, bottom: number): number {
    const { size, lines } = fit(text, spot)
    const y = bottom - capHeight * size - (lines.length - 1) * lineHeight * size
    this.text(text, { ...spot, y })
    return y
  }

  /**
   * Writes values with their titles before them, as many beside each other as there is room for, and leaves
   * out what would come below `bottom`. Returns where the last stands.
   */
  pairs(pairs: readonly Pair[], spot: Spot & { readonly bottom: number }): number {
    const { size, width } = spot
    const between = 0.4 * size
    let [x, baseline] = [spot.x, spot.y + capHeight * size]
    let stands = spot.y
    for (const [title, value] of pairs) {
      const titleWidth = widthOf(title, size)
      const given = width - titleWidth - between
      const [line] = fit(value, { width: given, size, isBold: true }).lines
      if (line === undefined) continue
      const taken = titleWidth + between + widthOf(line, size, true)
      if (x > spot.x && x + taken > spot.x + width) [x, baseline] = [spot.x, baseline + lineHeight * size]
      if (baseline > spot.bottom) break
      this.line({ x, baseline, size, width: titleWidth, text: title })
      const after = x + titleWidth + between
      this.line({ x: after, baseline, size, width: spot.x + width - after, text: line, isBold: true })
      x += taken + size
      stands = baseline
    }
    return stands
  }

  /** Draws a rule, at least a dot thick. */
  rule(x: number, y: number, width: number, height: number): void {
    const dot = 1 / this.dotsPerMM
    this.elements.push({ kind: 'box', x, y, width: Math.max(width, dot), height: Math.max(height, dot) })
  }

  /** Draws a frame around an area, `thickness` inside of it. */
  frame(x: number, y: number, width: number, height: number, thickness: number): void {
    this.rule(x, y, width, thickness)
    this.rule(x, y + height - thickness, width, thickness)
    this.rule(x, y, thickness, height)
    this.rule(x + width - thickness, y, thickness, height)
  }

  barcode(barcode: Barcode): void {
    this.elements.push(barcode)
  }

  /** The label, checked. */
  label(title: string): Label {
    const { width, height, dotsPerMM, elements } = this
    return checkLabel({ width, height, dotsPerMM, title, elements })
  }
}
