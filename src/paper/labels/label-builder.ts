// Draws a label: collects fitted texts, rules and barcodes as elements.

import { type Barcode, checkLabel, type Label, type LabelElement, type TextLine } from './label.ts'
import { type FittedText, fitText, type Place } from './text-fit.ts'
import { capHeight } from './text-height.ts'

/** The place for a text; `y` is the top of its first line. */
export type TextPlace = Place & { readonly x: number; readonly y: number }

/** A label under construction. All lengths are in millimetres. */
export class LabelBuilder {
  readonly width: number
  readonly height: number
  readonly dotsPerMM: number
  readonly #elements: LabelElement[] = []

  constructor(size: { readonly width: number; readonly height: number }, dotsPerMM: number) {
    this.width = size.width
    this.height = size.height
    this.dotsPerMM = dotsPerMM
  }

  /** Writes a text, all of it. Returns the baseline of its last line, or `y` if the text is empty. */
  text(text: string | null, place: TextPlace): number {
    const fitted = fitText(text ?? '', place)
    this.lines(fitted, place)
    return place.y + (fitted.baselines.at(-1) ?? 0)
  }

  /** Writes lines that are fitted already, the top of the first at `y`. */
  lines(
    { size, lines, baselines }: FittedText,
    { x, y, width, isBold = false }: { x: number; y: number; width: number; isBold?: boolean },
  ): void {
    for (const [i, text] of lines.entries())
      this.line({ x, baseline: y + (baselines[i] ?? 0), size, width, text, isBold })
  }

  /** Writes one line. */
  line(line: Omit<TextLine, 'kind' | 'isBold'> & { isBold?: boolean }): void {
    // No line may extend beyond the label, even if its place does.
    const width = Math.min(line.width, this.width - line.x)
    this.#elements.push({ kind: 'text', isBold: false, ...line, width })
  }

  /** Writes a text whose last baseline is at `bottom`. Returns the top of its first line. */
  textAbove(text: string, place: Omit<TextPlace, 'y'>, bottom: number): number {
    const fitted = fitText(text, place)
    const y = bottom - (fitted.baselines.at(-1) ?? capHeight * fitted.size)
    this.lines(fitted, { ...place, y })
    return y
  }

  /** Draws a rule that is at least one dot thick. */
  rule(x: number, y: number, width: number, height: number): void {
    const dot = 1 / this.dotsPerMM
    this.#elements.push({ kind: 'box', x, y, width: Math.max(width, dot), height: Math.max(height, dot) })
  }

  /** Draws a frame along the inner edge of an area. */
  frame(x: number, y: number, width: number, height: number, thickness: number): void {
    this.rule(x, y, width, thickness)
    this.rule(x, y + height - thickness, width, thickness)
    this.rule(x, y, thickness, height)
    this.rule(x + width - thickness, y, thickness, height)
  }

  barcode(barcode: Barcode): void {
    this.#elements.push(barcode)
  }

  /** Returns the finished label, checked by `checkLabel`. */
  label(title: string): Label {
    const { width, height, dotsPerMM } = this
    return checkLabel({ width, height, dotsPerMM, title, elements: this.#elements })
  }
}
