// Names of many locations by a pattern: `A-{01..12}-{1..5}` is A-01-1, A-01-2 to A-12-5. Pure.

const range = /\{(?:(\d{1,6})\.\.(\d{1,6})|([A-Z])\.\.([A-Z])|([a-z])\.\.([a-z]))\}/

/**
 * The names that a pattern stands for, in their order; numbers have as many digits as the first one.
 * Undefined where it is no pattern, counts backwards or stands for more than `max` names.
 */
export function expandPattern(pattern: string, max: number): string[] | undefined {
  const found = range.exec(pattern)
  if (found === null) return /[{}]/.test(pattern) ? undefined : [pattern]
  const [whole, from, to, ...letters] = found
  const before = pattern.slice(0, found.index)
  const rest = expandPattern(pattern.slice(found.index + whole.length), max)
  const [first, last] =
    from === undefined ? letters.filter(letter => letter !== undefined).map(codeOf) : [+from, Number(to)]
  if (rest === undefined || first === undefined || last === undefined || last < first) return undefined
  const count = last - first + 1
  if (count * rest.length > max) return undefined
  const parts = Array.from({ length: count }, (_, i) =>
    from === undefined ? String.fromCodePoint(first + i) : String(first + i).padStart(from.length, '0'),
  )
  return parts.flatMap(part => rest.map(end => `${before}${part}${end}`))
}

const codeOf = (letter: string): number => letter.codePointAt(0) as number
