// Formats dates, figures and long words for documents. Pure.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats `2026-11-21…` as `21 Nov 2026`; null without a date. */
export function formatDate(text: string | null | undefined): string | null {
  const [year, month, day] = text?.slice(0, 10).split('-') ?? []
  return day === undefined ? null : `${Number(day)} ${months[Number(month) - 1]} ${year}`
}

/**
 * Formats `2026-11-21T15:04:00Z` as `21 Nov 2026 15:04` without converting the zone; midnight as the date.
 */
export function formatDateTime(text: string | null | undefined): string | null {
  const date = formatDate(text)
  const time = text?.slice(11, 16) ?? ''
  return date === null || time === '' || time === '00:00' ? date : `${date} ${time}`
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })

/** Formats a number with commas between thousands and at most six decimals; null without a number. */
export const formatFigure = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : figures.format(value)

/** Like `formatFigure`, but null for 0. */
export const formatNonZero = (value: number | null | undefined): string | null =>
  value ? figures.format(value) : null

const amounts = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const rates = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** Formats a price per unit with two to six decimals. */
export const formatRate = (value: number): string => rates.format(value)

/** Formats an amount of money with two decimals. */
export const formatAmount = (value: number): string => amounts.format(value)

// A run without spaces, in a script that separates words by spaces and does not join letters; in any other
// script only a very long run.
const longRun = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\p{S}]+|\S{60,}/gu
const softBreak = '\u200b'
const defaultMaxRun = 24
// Codes and references are best broken after a hyphen, a slash or a similar character.
const betweenParts = /(?<=[-/_.,;:+])/u

/**
 * Adds soft breaks to every run of more than `maxRun` characters without a space, preferably after hyphens
 * and the like, because it might not fit into its column. Shorter runs stay unchanged, so that readers of the
 * PDF can search for them.
 */
export const withSoftBreaks = (text: string, maxRun = defaultMaxRun): string =>
  text.replace(longRun, run => (run.length <= maxRun ? run : breakRun(run, maxRun)))

const breakRun = (run: string, maxRun: number): string =>
  run
    .split(betweenParts)
    .flatMap(part => (part.length <= maxRun ? part : (part.match(/.{1,6}/gsu) ?? [])))
    .join(softBreak)
