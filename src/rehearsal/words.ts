// The words of effects: numbers, names in a list, and statuses as people say them. Pure.

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })
const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An amount of money with two decimals, and its currency if that is known. */
export const amountOf = (amount: number, currency: string | null): string =>
  currency === null ? amounts.format(amount) : `${amounts.format(amount)} ${currency}`

/** `1 item`, `1,200 items` */
export const count = (n: number, noun: string): string => `${numbers.format(n)} ${noun}${n === 1 ? '' : 's'}`

const maxNamed = 3

/** `A, B and C`; of many the first three, and how many more. */
export function listOf(names: readonly string[]): string {
  const named = names.slice(0, names.length > maxNamed + 1 ? maxNamed : names.length)
  const rest = names.length - named.length
  const parts = rest > 0 ? [...named, `${rest} more`] : named
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
