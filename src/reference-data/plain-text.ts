// Names without diacritics, for people whose keyboards have none. Spec 2.16.

// Letters that Unicode does not decompose, each followed by its replacement.
const letters = new Map(
  "ÆAe ÐD ØO ÞTh ßss æae ðd øo þth ĐD đd ıi ŁL łl ŒOe œoe ’'"
    .split(' ')
    .map(([letter, ...replacement]) => [letter, replacement.join('')]),
)

/** Removes the diacritics of a text. Latin letters become ASCII. */
export const plainText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, letter => letters.get(letter) ?? letter)

/**
 * The additional search text of a port: its name, its country and its other names without diacritics, as far
 * as they differ from the name and the country. One form a line.
 */
export const plainForms = (name: string, country: string, otherNames: readonly string[] = []): string => {
  const forms = new Set([...otherNames, name, country].map(plainText))
  return [...forms].filter(form => form !== name && form !== country).join('\n')
}
