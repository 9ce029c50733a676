// Characters that no font has. The exporter names them; each becomes its code, so that the paper is legible
// and searchable and shows no boxes. Pure.

/** The code of every character of a text: `‹U+1F600›`. */
export const codesFor = (text: string): string =>
  Array.from(
    text,
    character => `‹U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`,
  ).join('')

/** What stands in quotation marks in the messages of the exporter about texts that cannot be shown. */
export const missingIn = (messages: readonly string[]): string[] => [
  ...new Set(
    messages.flatMap(message => {
      const found = /the text (".*") could not be displayed/su.exec(message)?.[1]
      return found === undefined ? [] : [unquoted(found)]
    }),
  ),
]

/** A text in Rust's notation: `"\u{1f600}"`. */
const unquoted = (text: string): string =>
  text
    .slice(1, -1)
    .replace(/\\u\{([0-9a-f]+)\}/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\(.)/gsu, '$1')

/**
 * JSON in which the given texts are their codes. The longest go first, for a character may be part of a
 * cluster that is missing as a whole. JSON writes what is not ASCII as it is.
 */
export const withCodes = (json: string, missing: readonly string[]): string =>
  missing
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, cluster) => text.replaceAll(JSON.stringify(cluster).slice(1, -1), codesFor(cluster)), json)

/** JSON in which everything but the letters of western Europe is its code: the last resort. */
export const withCodesOnly = (json: string): string => json.replace(/[^\x20-\xff‹›]/gu, codesFor)

const CONTROL_BUT_LINE_FEED = /[^\P{Cc}\n]/gu

/** Data of a document as the JSON that templates read: every text in it can be set. */
export const documentJson = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? settable(value) : value))

/** A text without what cannot be set: tabs are spaces, control characters their codes. */
const settable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\v\f\u0085]/g, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROL_BUT_LINE_FEED, codesFor)
