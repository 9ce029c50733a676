// Replaces characters that no font has. The PDF exporter names them, and each becomes its code point, so that
// a document stays legible and searchable and shows no empty boxes. Pure.

/** Returns the code points of a text: `⟨U+1F600⟩`. */
export const toCodePoints = (text: string): string =>
  Array.from(
    text,
    character => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  ).join('')

/** Extracts the distinct characters that could not be displayed from an error message of the exporter. */
export function parseMissingCharacters(message: string): string[] {
  const matches = message.matchAll(/the text `\\?"(.+?)\\?"` could not be displayed/gsu)
  return [...new Set([...matches].flatMap(([, text = '']) => [...unescapeRust(text)]))]
}

/** Resolves the escapes of Rust, such as `\u{1f600}`, even if they were escaped twice. */
const unescapeRust = (text: string): string =>
  text
    .replace(/\\+u\{([0-9a-f]+)\}/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\(.)/gsu, '$1')

// Letters that the fonts certainly have. The exporter names them if a mark that combines with them is
// missing.
const commonLetters = /[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/**
 * Replaces the missing characters in JSON by their codes. Common letters are kept; if nothing else is
 * missing, replaces as `replaceAllWithCodes` does.
 */
export function replaceWithCodes(json: string, missing: readonly string[]): string {
  const rare = missing.filter(character => !commonLetters.test(character))
  if (rare.length === 0) return replaceAllWithCodes(json)
  return rare.reduce((text, character) => text.replaceAll(character, toCodePoints(character)), json)
}

/** The last resort: replaces everything in JSON but printable Latin-1 by codes. */
export const replaceAllWithCodes = (json: string): string =>
  json.replace(/[^\x20-\x7e\xa0-\xff⟨⟩]/gu, toCodePoints)

// Control characters except the line feed, private use characters and unassigned code points.
const unprintable = /[^\P{Cc}\n]|\p{Co}|\p{Cn}/gu

/**
 * Serialises the data of a document to JSON for its template, without unprintable characters. Characters
 * outside ASCII are not escaped, so that `replaceWithCodes` finds them.
 */
export const documentJson = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? toPrintable(value) : value))

/**
 * Replaces tabs by spaces, line ends of every kind by line feeds, and unprintable characters by their codes.
 */
const toPrintable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(unprintable, toCodePoints)
