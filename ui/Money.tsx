// An amount of money. Most organisations have one currency, so it is the title rather than part of each
// number.

import { amount } from './numbers.ts'
import { words } from './words.ts'

/** An amount with two decimals or as many as it has. */
export const Money = ({
  value,
  currency,
}: {
  value: number | null | undefined
  currency?: string | null | undefined
}) => (value == null ? words.nothing : <span title={currency ?? undefined}>{amount(value)}</span>)
