// Characters that no font has. The exporter names them; each becomes its code, so that the paper is legible
// and searchable and shows no boxes. Pure.

/** The code of every character of a text: `⟨U+1F600⟩`. */
export const codesFor = (text: string): string =>
  Array.from(
    text,
    character => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  ).join('')

/** The characters that a message of the exporter says could not be shown, each once. */
export function missingIn(message: string): string[] {
  const said = message.matchAll(/the text `\\?"(.+?)\\?"` could not be displayed/gsu)
  return [...new Set([...said].flatMap(([, text = '']) => [...inRust(text)]))]
}

/** A text that Rust has written with escapes, once or twice: `\u{1f600}`. */
const inRust = (text: string): string =>
  text
    .replace(/\\+u\{([0-9a-f]+)\}/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\(.)/gsu, '$1')

// Letters that a font is sure to have. They are named where a sign that combines with them is missing.
const COMMON = /[\p{ASCII}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/** JSON in which these characters are their codes; common letters only where nothing else is missing. */
export function withCodes(json: string, missing: readonly string[]): string {
  const rare = missing.filter(character => !COMMON.test(character))
  if (rare.length === 0) return withCodesOnly(json)
  return rare.reduce((text, character) => text.replaceAll(character, codesFor(character)), json)
}

/** JSON in which everything but the letters of western Europe is its code: the last resort. */
export const withCodesOnly = (json: string): string => json.replace(/[^\x20-\x7e\xa0-\xff⟨⟩]/gu, codesFor)

// Control characters but the line feed, those for private use, and what is no character.
const MEANS_NOTHING = /[^\P{Cc}\n]|\p{Co}|\p{Cn}/gu

/**
 * Data of a document as the JSON that templates read, with no text in it that cannot be set. What is not
 * ASCII stands in it as it is.
 */
export const documentJson = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? settable(value) : value))

/** Tabs become blanks, other control characters their codes, and every end of a line a line feed. */
const settable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(MEANS_NOTHING, codesFor)
