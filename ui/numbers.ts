// Quantities and amounts in words. They come from the service as they are; nothing is calculated here.

import { perLocale } from './locale.ts'

const quantityFormat = perLocale(tag => new Intl.NumberFormat(tag, { maximumFractionDigits: 4 }))
const amountFormat = perLocale(
  tag => new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
)

const priceFormat = perLocale(
  tag => new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
)

/** A quantity, weight or volume. */
export const quantity = (value: number): string => quantityFormat().format(value)

/** An amount of money, without its currency. */
export const amount = (value: number): string => amountFormat().format(value)

/** A price of one, which may have parts of a cent. */
export const price = (value: number): string => priceFormat().format(value)
