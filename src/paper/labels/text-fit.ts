// Fits texts into places on labels: makes them printable, shrinks them down to a limit and breaks them into
// lines. A text is never cut: what does not fit is reported, so that another arrangement can be tried. Pure.

import { advanceBetween, extentOf } from './text-height.ts'
import { estimateWidth } from './text-width.ts'

/** A place for a text. Lengths in millimetres. */
export interface Place {
  readonly width: number
  /** the preferred size (an em) */
  readonly size: number
  /** the minimum size; default `size` */
  readonly smallest?: number
  /** the maximum number of lines; default 1 */
  readonly lines?: number
  /** the maximum height, from the top of the first line to the lowest point of the last */
  readonly height?: number
  readonly isBold?: boolean
}

/** A text broken into lines of one size: all of it, whether it fits or not. */
export interface FittedText {
  readonly size: number
  readonly lines: readonly string[]
  /** the distance from the top of the first line to the baseline of each */
  readonly baselines: readonly number[]
  /** the distance from the top of the first line to the lowest point of the last */
  readonly height: number
  readonly fits: boolean
}

// Each attempt shrinks the text by this factor.
const shrinkFactor = 0.94
const maxCharacters = 2_000
const breakAfter = /(?<= )(?=[^ ])/
const breakAfterHyphen = /(?<=[/,;-])(?=[^ ])/
/** Only longer wordSegmenter are broken at their hyphens. */
const longWord = 24
const isAscii = /^[ -~]*$/
/** Scripts that are written without spaces between wordSegmenter. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' })
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Converts a text to one printable line: replaces white space and control characters by single spaces, and
 * removes format characters such as changes of direction.
 */
export const toPrintable = (text: string): string =>
  isAscii.test(text)
    ? text.trim().replace(/ {2,}/g, ' ')
    : text
        .toWellFormed()
        .normalize('NFC')
        // Keeps joiners, because they change the shape of letters in Persian and Indic scripts.
        .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
        .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()

/** Fits a text into a place. Lines have no spaces at their ends; an empty text has no lines. */
export function fitText(text: string, place: Place): FittedText {
  const { width, size, smallest = size, lines = 1, height = Number.POSITIVE_INFINITY, isBold = false } = place
  const printable = toPrintable(text)
  if (printable === '') return { size, lines: [], baselines: [], height: 0, fits: true }
  // Longer texts never fit, so the rest need not be measured.
  const isTooLong = printable.length > maxCharacters
  const parts = partsOf(isTooLong ? printable.slice(0, maxCharacters) : printable)
  for (let current = size; ; current = Math.max(current * shrinkFactor, smallest)) {
    const isLast = current <= smallest
    const broken = breakLines(parts, width, line => estimateWidth(line, current, isBold), isLast)
    if (broken === null || (broken.length > lines && !isLast)) continue
    const placed = placeLines(broken, current)
    const fits = !isTooLong && broken.length <= lines && placed.height <= height
    if (fits || isLast) return { size: current, lines: broken, ...placed, fits }
  }
}

/** Returns the baselines of lines below each other, and their height. */
function placeLines(lines: readonly string[], size: number): Pick<FittedText, 'baselines' | 'height'> {
  const extents = lines.map(extentOf)
  const baselines: number[] = []
  let baseline = 0
  for (const [i, extent] of extents.entries()) {
    const above = extents[i - 1]
    baseline += size * (above === undefined ? extent.rise : advanceBetween(above, extent))
    baselines.push(baseline)
  }
  return { baselines, height: baseline + size * (extents.at(-1)?.drop ?? 0) }
}

/** Splits a text into parts between which a line may end. */
function partsOf(text: string): string[] {
  if (isAscii.test(text) || !unspaced.test(text))
    return text
      .split(breakAfter)
      .flatMap(word => (word.length > longWord ? word.split(breakAfterHyphen) : [word]))
  const parts: string[] = []
  for (const { segment, isWordLike } of wordSegmenter.segment(text)) {
    const last = parts.at(-1)
    const mayBreak =
      last === undefined || / $/.test(last) || (isWordLike && (unspaced.test(segment) || unspaced.test(last)))
    if (mayBreak && segment !== ' ') parts.push(segment)
    else parts[Math.max(parts.length - 1, 0)] = (last ?? '') + segment
  }
  return parts
}

/** Arranges parts in lines; null if a part is wider than a line and `mayBreak` is false. */
function breakLines(
  parts: readonly string[],
  width: number,
  measure: (line: string) => number,
  mayBreak: boolean,
): string[] | null {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (measure((line + part).trimEnd()) <= width) {
      line += part
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = part
    if (measure(part.trimEnd()) <= width) continue
    if (!mayBreak) return null
    const pieces = breakPart(part, width, measure)
    line = pieces.pop() as string
    lines.push(...pieces.map(piece => piece.trimEnd()))
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** Breaks a part that is too wide into pieces that fit, after hyphens and the like where there are any. */
function breakPart(part: string, width: number, measure: (line: string) => number): string[] {
  const pieces: string[] = []
  let piece = ''
  const append = (text: string): void => {
    if (piece !== '' && measure((piece + text).trimEnd()) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += text
  }
  for (const section of part.split(breakAfterHyphen)) {
    if (measure(section.trimEnd()) <= width) append(section)
    else for (const { segment } of graphemeSegmenter.segment(section)) append(segment)
  }
  return [...pieces, piece]
}
