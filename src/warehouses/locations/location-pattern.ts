// Expands a pattern to location names: `A-{01..12}-{1..5}` becomes A-01-1, A-01-2, up to A-12-5. Pure.

const range = /\{(?:(\d{1,6})\.\.(\d{1,6})|([A-Z])\.\.([A-Z])|([a-z])\.\.([a-z]))\}/

/**
 * Returns the names that a pattern stands for, in order. Numbers are padded to the digits of the first one.
 * Returns undefined if the pattern is malformed, counts backwards or stands for more than `max` names.
 */
export function expandPattern(pattern: string, max: number): string[] | undefined {
  const found = range.exec(pattern)
  if (found === null) return /[{}]/.test(pattern) ? undefined : [pattern]
  const [whole, from, to, ...letters] = found
  const before = pattern.slice(0, found.index)
  const expandedRest = expandPattern(pattern.slice(found.index + whole.length), max)
  const [first, last] =
    from === undefined ? letters.filter(letter => letter !== undefined).map(codePointOf) : [+from, Number(to)]
  if (expandedRest === undefined || first === undefined || last === undefined || last < first)
    return undefined
  const count = last - first + 1
  if (count * expandedRest.length > max) return undefined
  const parts = Array.from({ length: count }, (_, i) =>
    from === undefined ? String.fromCodePoint(first + i) : String(first + i).padStart(from.length, '0'),
  )
  return parts.flatMap(part => expandedRest.map(end => `${before}${part}${end}`))
}

const codePointOf = (letter: string): number => letter.codePointAt(0) as number
