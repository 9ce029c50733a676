// The rows of a report, read while they arrive, and what is made of them: sums and the bars of a plot. Every
// figure stays as the service wrote it, and sums are exact, because decimals are added as whole numbers.

import { daysBetween } from '../../ui/time.ts'

/** A row by the names of its columns. */
export type ReportRow = Readonly<Record<string, unknown>>

/** The first rows of a report, and whether it has more. */
export interface ReportRows {
  rows: readonly ReportRow[]
  hasMore: boolean
}

/**
 * Takes the texts of an array of objects as they arrive. `take` returns the rows as soon as there are more
 * than `max`; `end` returns them if there are not.
 */
export function rowTaker(max: number): {
  take: (text: string) => ReportRows | undefined
  end: () => ReportRows
} {
  const rows: ReportRow[] = []
  let [row, depth, isText, isEscaped] = ['', 0, false, false]
  function see(character: string): void {
    if (isEscaped) isEscaped = false
    else if (isText) {
      if (character === '\\') isEscaped = true
      if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{') depth++
    else if (character === '}') depth--
  }
  return {
    take(text) {
      let start = 0
      for (let i = 0; i < text.length; i++) {
        const before = depth
        see(text.charAt(i))
        if (before === 0 && depth === 1) start = i
        if (before === 1 && depth === 0) {
          if (rows.length === max) return { rows, hasMore: true }
          rows.push(JSON.parse(row + text.slice(start, i + 1)))
          row = ''
        }
      }
      if (depth > 0) row += text.slice(start)
      return undefined
    },
    end: () => ({ rows, hasMore: false }),
  }
}

const decimals = 12

/** A decimal as a whole number of its smallest places. */
function scaled(value: number): bigint {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', rest = ''] = digits.split('.')
  const places = decimals + Number(exponent) - rest.length
  return places < 0 ? 0n : BigInt(`${whole}${rest}`) * 10n ** BigInt(places)
}

/** The exact sum of decimals. */
export function sumOf(values: readonly unknown[]): number {
  const sum = values.reduce(
    (total: bigint, value) => total + (typeof value === 'number' ? scaled(value) : 0n),
    0n,
  )
  const text = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0')
  return Number(`${sum < 0n ? '-' : ''}${text.slice(0, -decimals)}.${text.slice(-decimals)}`)
}

/** A bar of a plot: a day, or a month as `2026-11`. */
export interface DatedSum {
  date: string
  value: number
}

const maxDays = 62

/**
 * The sums of a column by the days of another, those without rows too; by months if there are many days.
 * Empty if there is nothing to compare, or a sum is below zero.
 */
export function sumsByDate(
  rows: readonly ReportRow[],
  dateName: string,
  valueName: string,
): readonly DatedSum[] {
  const dated = rows.flatMap(row => {
    const date = row[dateName]
    return typeof date === 'string' ? [{ date: date.slice(0, 10), value: row[valueName] }] : []
  })
  const days = [...new Set(dated.map(({ date }) => date))].sort()
  const all = daysBetween(days[0] ?? '', days.at(-1) ?? '')
  const length = all.length > maxDays ? 'yyyy-mm'.length : 'yyyy-mm-dd'.length
  const values = new Map<string, unknown[]>(all.map(date => [date.slice(0, length), []]))
  for (const { date, value } of dated) values.get(date.slice(0, length))?.push(value)
  const sums = [...values].map(([date, those]) => ({ date, value: sumOf(those) }))
  return sums.length < 2 || sums.some(({ value }) => value < 0) ? [] : sums
}
