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
 * What a search finds a port by, beside its name and country: their plain forms, and another plain name,
 * where they differ.
 */
export const plainForms = (name: string, country: string, plainName = name): string => {
  const forms = new Set([plainName, name, country].map(plainText))
  return [...forms].filter(form => form !== name && form !== country).join('\n')
}
