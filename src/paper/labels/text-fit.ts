// Fits texts into places on labels: makes them printable, breaks them into lines, shrinks them down to a
// limit and finally truncates them with an ellipsis. Pure.

import { widthOf } from './text-width.ts'

/** A place for a text. Lengths in millimetres. */
export interface Place {
  readonly width: number
  /** the preferred size (an em) */
  readonly size: number
  /** the minimum size; default `size` */
  readonly smallest?: number
  /** the maximum number of lines; default 1 */
  readonly lines?: number
  /** the maximum height, from the top of the first capitals to the descent of the last line */
  readonly height?: number
  readonly isBold?: boolean
}

/** A text broken into lines of one size. */
export interface FittedText {
  readonly size: number
  readonly lines: readonly string[]
  /** the text was truncated */
  readonly isCut: boolean
}

/** The height of capitals and the distance between baselines, as multiples of the text size. */
export const capHeight = 0.714
export const lineHeight = 1.22
/** The depth of letters such as g below the baseline, as a multiple of the text size. */
export const descent = 0.25

export const ellipsis = '…'

// Each attempt shrinks the text by this factor.
const shrinkFactor = 0.94
const maxCharacters = 2_000
const breakAfter = /(?<= )(?=[^ ])/
const breakAfterHyphen = /(?<=[/,;-])(?=[^ ])/
/** Only longer words are broken at their hyphens. */
const longWord = 24
const isAscii = /^[ -~]*$/
/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const words = new Intl.Segmenter('en', { granularity: 'word' })
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

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
  // Longer texts never fit, so the rest need not be measured.
  const whole = toPrintable(text).slice(0, maxCharacters)
  if (whole === '') return { size, lines: [], isCut: false }
  const parts = partsOf(whole)
  for (let current = size; ; current = Math.max(current * shrinkFactor, smallest)) {
    const measure = (line: string) => widthOf(line, current, isBold)
    const maxLines = Math.min(
      lines,
      1 + Math.floor((height - (capHeight + descent) * current) / (lineHeight * current)),
    )
    const broken = breakLines(parts, width, measure, current <= smallest)
    if (broken !== null && broken.length <= maxLines) return { size: current, lines: broken, isCut: false }
    if (current <= smallest)
      return {
        size: current,
        lines: truncate(broken ?? [], Math.max(maxLines, 0), line => measure(line) <= width),
        isCut: true,
      }
  }
}

/** Splits a text into parts between which a line may end. */
function partsOf(text: string): string[] {
  if (isAscii.test(text) || !unspaced.test(text))
    return text
      .split(breakAfter)
      .flatMap(word => (word.length > longWord ? word.split(breakAfterHyphen) : [word]))
  const parts: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
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
    lines.push(...pieces)
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** Breaks a part that is too wide into pieces that fit. */
function breakPart(part: string, width: number, measure: (line: string) => number): string[] {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const { segment } of clusters.segment(part)) {
    const more = measure(segment)
    if (used + more > width && piece !== '') {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += more
  }
  return [...pieces, piece]
}

/** Keeps the first lines, and shortens the last of them so that an ellipsis fits. */
function truncate(lines: readonly string[], maxLines: number, fits: (line: string) => boolean): string[] {
  if (maxLines === 0) return []
  const kept = lines.slice(0, maxLines)
  const last = Array.from(clusters.segment(kept.at(-1) ?? ''), ({ segment }) => segment)
  while (last.length > 0 && !fits(last.join('').trimEnd() + ellipsis)) last.pop()
  return [...kept.slice(0, -1), last.join('').trimEnd() + ellipsis]
}
