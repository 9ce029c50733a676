// Fitting texts into the places that labels have for them: made printable, divided into lines, made smaller
// down to a limit, and cut off with an ellipsis when nothing else helps. Pure.

import { widthOf } from './text-width.ts'

/** A place for a text. Lengths in millimetres. */
export interface Place {
  readonly width: number
  /** the size to begin with: an em, of which capitals have seven tenths */
  readonly size: number
  /** the size not to go below; `size` unless said */
  readonly smallest?: number
  /** the most lines; 1 unless said */
  readonly lines?: number
  /** from the top of the first capitals to below the letters of the last line, at most */
  readonly height?: number
  readonly isBold?: boolean
}

/** A text in lines of one size. */
export interface FittedText {
  readonly size: number
  readonly lines: readonly string[]
  /** it does not fit whole */
  readonly isCut: boolean
}

/** How tall capitals are, and how far apart lines stand, of their size. */
export const capHeight = 0.714
export const lineHeight = 1.22
/** How far letters such as g reach below the line that they stand on, of their size. */
export const descent = 0.25

export const ellipsis = '…'

// Each try is a little smaller than the one before.
const step = 0.94
const maxCharacters = 2_000
const breakAfter = /(?<= )(?=[^ ])/
const breakAfterHyphen = /(?<=[/,;-])(?=[^ ])/
/** Only what is longer than this is divided at its hyphens. */
const longWord = 24
const isAscii = /^[ -~]*$/
/** Scripts that are written without blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const words = new Intl.Segmenter('en', { granularity: 'word' })
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A text as one line that can be printed: characters that are none, those that command and those that turn
 * the writing direction become blanks or nothing.
 */
export const printable = (text: string): string =>
  isAscii.test(text)
    ? text.trim().replace(/ {2,}/g, ' ')
    : text
        .toWellFormed()
        .normalize('NFC')
        // Joiners stay: letters of Persian and India change their shape by them.
        .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
        .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim()

/** A text fitted into a place. Its lines have no blanks at their ends; an empty text has no line. */
export function fit(text: string, place: Place): FittedText {
  const { width, size, smallest = size, lines = 1, height = Number.POSITIVE_INFINITY, isBold = false } = place
  // What nobody could read anyway is not measured.
  const whole = printable(text).slice(0, maxCharacters)
  if (whole === '') return { size, lines: [], isCut: false }
  const parts = partsOf(whole)
  for (let now = size; ; now = Math.max(now * step, smallest)) {
    const measure = (line: string) => widthOf(line, now, isBold)
    const most = Math.min(lines, 1 + Math.floor((height - (capHeight + descent) * now) / (lineHeight * now)))
    const divided = divide(parts, width, measure, now <= smallest)
    if (divided !== null && divided.length <= most) return { size: now, lines: divided, isCut: false }
    if (now <= smallest)
      return {
        size: now,
        lines: cutOff(divided ?? [], Math.max(most, 0), line => measure(line) <= width),
        isCut: true,
      }
  }
}

/** A text in parts between which a line may end. */
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

/** Lines of parts; null where a part is wider than a line and may not be broken. */
function divide(
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
    const pieces = broken(part, width, measure)
    line = pieces.pop() as string
    lines.push(...pieces)
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** A part that is too wide, in pieces that are not. */
function broken(part: string, width: number, measure: (line: string) => number): string[] {
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

/** The first lines, the last of them with an ellipsis that fits. */
function cutOff(lines: readonly string[], most: number, fits: (line: string) => boolean): string[] {
  if (most === 0) return []
  const kept = lines.slice(0, most)
  const last = Array.from(clusters.segment(kept.at(-1) ?? ''), ({ segment }) => segment)
  while (last.length > 0 && !fits(last.join('').trimEnd() + ellipsis)) last.pop()
  return [...kept.slice(0, -1), last.join('').trimEnd() + ellipsis]
}
