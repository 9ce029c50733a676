// Estimates the widths of texts: exact for ASCII in Noto Sans, generous for all other characters and for the
// hyphen, which printers draw wide. So a text that fits by this estimate fits in every output. Pure.

// Advance widths in thousandths of the text size, from the space to the tilde.
const regular = [
  260, 269, 408, 646, 572, 831, 732, 225, 300, 300, 551, 572, 268, 600, 268, 372, 572, 572, 572, 572, 572,
  572, 572, 572, 572, 572, 268, 268, 572, 572, 572, 434, 899, 639, 650, 632, 730, 556, 519, 728, 741, 339,
  273, 619, 524, 907, 760, 781, 605, 781, 622, 549, 556, 731, 600, 930, 586, 566, 572, 329, 372, 329, 572,
  444, 281, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 534, 258, 935, 618, 605, 615, 615, 413, 479,
  361, 618, 508, 786, 529, 510, 470, 380, 551, 380, 572,
]
const bold = [
  260, 282, 479, 646, 572, 902, 750, 266, 339, 339, 542, 572, 285, 600, 281, 415, 572, 572, 572, 572, 572,
  572, 572, 572, 572, 572, 281, 285, 572, 572, 572, 477, 898, 692, 665, 642, 732, 560, 549, 724, 765, 389,
  331, 664, 559, 943, 813, 791, 621, 791, 656, 551, 577, 756, 650, 967, 670, 626, 579, 331, 415, 331, 572,
  411, 365, 599, 632, 516, 632, 597, 387, 632, 650, 299, 298, 620, 298, 975, 650, 625, 632, 632, 447, 502,
  434, 650, 571, 856, 578, 571, 493, 394, 551, 394, 572,
]

/** Widths of characters outside the tables; the first matching pattern applies. */
const widthsByPattern: readonly (readonly [RegExp, number])[] = [
  [/^\p{Mn}|\p{Me}|\p{Cf}/u, 0],
  [/^\p{Mc}/u, 450],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u, 1000],
  [/^[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Greek}\p{sc=Thai}]/u, 680],
  [/^\p{Lu}/u, 830],
  [/^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Devanagari}\p{sc=Lao}\p{sc=Khmer}]/u, 760],
  [/^\p{Emoji_Presentation}/u, 1400],
]
const defaultWidth = 1000

const cachedWidths = new Map<string, number>()

/** Returns the width of a line of text, in the unit of `size`. */
export function estimateWidth(text: string, size: number, isBold = false): number {
  const table = isBold ? bold : regular
  let sum = 0
  for (const character of text) {
    sum += table[character.charCodeAt(0) - 32] ?? otherWidth(character)
  }
  return (sum * size) / 1000
}

function otherWidth(character: string): number {
  let width = cachedWidths.get(character)
  if (width === undefined) {
    width = widthsByPattern.find(([pattern]) => pattern.test(character))?.[1] ?? defaultWidth
    // A warehouse uses some thousand characters. The limit protects against requests with all of Unicode.
    if (cachedWidths.size < 10_000) cachedWidths.set(character, width)
  }
  return width
}
