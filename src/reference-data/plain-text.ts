// Names without diacritics, as people type them who have no such keys. Spec 2.16.

// Letters that are not another letter with a mark, each with what is typed in its place.
const letters = new Map(
  "ÆAe ÐD ØO ÞTh ßss æae ðd øo þth ĐD đd ıi ŁL łl ŒOe œoe ’'"
    .split(' ')
    .map(([letter, ...plain]) => [letter, plain.join('')]),
)

/** A text without diacritics. What is in Latin letters becomes ASCII. */
export const plainText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, letter => letters.get(letter) ?? letter)

/**
 * What a search through a port's name and country is to find beside the two: their plain forms, and those of
 * its other names, where they differ.
 */
export const plainForms = (name: string, country: string, otherNames: readonly string[] = []): string => {
  const forms = new Set([...otherNames, name, country].map(plainText))
  return [...forms].filter(form => form !== name && form !== country).join('\n')
}
