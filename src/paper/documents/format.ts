// How papers write dates and figures. Pure.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-11-21…` as `21 Nov 2026`; null where there is none. */
export function dateOf(text: string | null | undefined): string | null {
  const [year, month, day] = text?.slice(0, 10).split('-') ?? []
  return day === undefined ? null : `${Number(day)} ${months[Number(month) - 1]} ${year}`
}

/** `2026-11-21T15:04:00Z` as `21 Nov 2026 15:04`, the digits as they are; at midnight the date alone. */
export function dateTimeOf(text: string | null | undefined): string | null {
  const date = dateOf(text)
  const time = text?.slice(11, 16) ?? ''
  return date === null || time === '' || time === '00:00' ? date : `${date} ${time}`
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })

/** A figure with thousands by comma and without trailing zeros; null where there is none. */
export const figureOf = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : figures.format(value)

/** The same, and nothing for 0. */
export const figureIfAny = (value: number | null | undefined): string | null =>
  value ? figures.format(value) : null

const amounts = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const rates = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** What one of something costs: with two decimals, or as many more as it has. */
export const rateOf = (value: number): string => rates.format(value)

/** An amount of money with two decimals. */
export const amountOf = (value: number): string => amounts.format(value)

// Of scripts that separate words by blanks and do not join letters; any other where it is very long.
const RUN = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\p{P}\p{S}]+|\S{60,}/gu
const SOFT_BREAK = '\u200b'
const usualRun = 24
// Where people would break a code or a reference: behind a hyphen, a slash and their like.
const PARTS = /(?<=[-/_.,;:+])/u

/**
 * A text in which a run of more letters than `maxRun` without a blank may be broken, behind its hyphens where
 * that is enough: otherwise it would leave its column. Shorter ones stay as they are, so that they can be
 * searched for.
 */
export const breakable = (text: string, maxRun = usualRun): string =>
  text.replace(RUN, run => (run.length <= maxRun ? run : brokenRun(run, maxRun)))

const brokenRun = (run: string, maxRun: number): string =>
  run
    .split(PARTS)
    .flatMap(part => (part.length <= maxRun ? part : (part.match(/.{1,6}/gsu) ?? [])))
    .join(SOFT_BREAK)
