// How far lines of text reach above and below their baseline in the fonts of documents, as multiples of the
// text size. A line of Thai needs half as much again as one of Latin. Pure.

/** The extent of a line of text above (`rise`) and below (`drop`) its baseline. */
export interface Extent {
  readonly rise: number
  readonly drop: number
}

/** The height of capitals. Plain lines are placed by it, so that capitals align with their surroundings. */
export const capHeight = 0.714
/** The depth of letters such as g below the baseline. */
const descent = 0.25
const plain: Extent = { rise: capHeight, drop: descent }

/** The scripts that reach further than plain letters do, in regular or bold. */
const byScript: readonly (readonly [RegExp, Extent])[] = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]/u, { rise: 0.88, drop: 0.12 }],
  [/\p{sc=Hangul}/u, { rise: 0.85, drop: 0.1 }],
  [/\p{sc=Thai}/u, { rise: 1.05, drop: 0.28 }],
  [/\p{sc=Lao}/u, { rise: 1.13, drop: 0.31 }],
  [/\p{sc=Arabic}/u, { rise: 1.08, drop: 0.35 }],
  [/\p{sc=Hebrew}/u, { rise: 0.83, drop: 0.2 }],
  [/\p{sc=Devanagari}/u, { rise: 0.92, drop: 0.3 }],
  [/\p{sc=Bengali}/u, { rise: 0.94, drop: 0.3 }],
  [/\p{sc=Tamil}/u, { rise: 0.87, drop: 0.34 }],
  [/\p{sc=Khmer}/u, { rise: 0.95, drop: 0.4 }],
  // Letters with marks above them, decomposed: Ō, and with two marks Ỗ.
  [/\p{Lu}\p{M}/u, { rise: 0.99, drop: descent }],
  [/\p{L}\p{M}/u, { rise: 0.83, drop: descent }],
  [/\p{L}\p{M}\p{M}/u, { rise: 1.07, drop: descent }],
]

const isAscii = /^[ -~]*$/

/** Returns the extent of a line of text. */
export function extentOf(line: string): Extent {
  if (isAscii.test(line)) return plain
  const decomposed = line.normalize('NFD')
  return byScript.reduce(
    (extent, [pattern, { rise, drop }]) =>
      pattern.test(decomposed)
        ? { rise: Math.max(extent.rise, rise), drop: Math.max(extent.drop, drop) }
        : extent,
    plain,
  )
}

/** The distance between baselines of plain lines, and the least space between the ink of any two lines. */
export const lineHeight = 1.22
const minLineGap = 0.08

/** Returns the distance between the baselines of two lines, the upper one first. */
export const advanceBetween = (upper: Extent, lower: Extent): number =>
  Math.max(lineHeight, upper.drop + minLineGap + lower.rise)

// At 8 dots a millimetre, a letter of plain text has 8 dots of height at the first size. The strokes of other
// scripts are closer together.
const minPlainSize = 1.4
const minOtherSize = 1.9
const isPlain = /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]*$/u

/** Returns the least size in millimetres at which a text is legible on a label. */
export const minLegibleSize = (text: string): number => (isPlain.test(text) ? minPlainSize : minOtherSize)
