// How wide texts are, nearly: exact for the letters of Noto Sans without accents, generous for all others and
// for the hyphen, which printers draw wide, so that what is laid out by it fits in every output. Pure.

// Advances in thousandths of the size, from the blank to the tilde.
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

/** What is not in the tables, by script; the first that holds. */
const others: readonly (readonly [RegExp, number])[] = [
  [/^\p{Mn}|\p{Me}|\p{Cf}/u, 0],
  [/^\p{Mc}/u, 450],
  [/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u, 1000],
  [/^[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Greek}\p{sc=Thai}]/u, 680],
  [/^\p{Lu}/u, 830],
  [/^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Devanagari}\p{sc=Lao}\p{sc=Khmer}]/u, 760],
  [/^\p{Emoji_Presentation}/u, 1400],
]
const widest = 1000

const known = new Map<string, number>()

/** The width of a text of one line, in the unit of `size`. */
export function widthOf(text: string, size: number, isBold = false): number {
  const table = isBold ? bold : regular
  let sum = 0
  for (const character of text) {
    sum += table[character.charCodeAt(0) - 32] ?? otherWidth(character)
  }
  return (sum * size) / 1000
}

function otherWidth(character: string): number {
  let width = known.get(character)
  if (width === undefined) {
    width = others.find(([pattern]) => pattern.test(character))?.[1] ?? widest
    // A warehouse uses some thousand characters; a stranger who sends all of Unicode fills no memory.
    if (known.size < 10_000) known.set(character, width)
  }
  return width
}
