// Quantities and amounts in words. They come from the service as they are; nothing is calculated here.

import { perLocale } from './locale.ts'

const quantityFormat = perLocale(tag => new Intl.NumberFormat(tag, { maximumFractionDigits: 4 }))
const amountFormat = perLocale(
  tag => new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
)

const priceFormat = perLocale(
  tag => new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
)

const maxPlaces = 18
const placesFormats = perLocale(tag =>
  Array.from(
    { length: maxPlaces + 1 },
    (_, places) =>
      new Intl.NumberFormat(tag, { minimumFractionDigits: places, maximumFractionDigits: places }),
  ),
)

/** A decimal that the service tells as a text, with as many places as it has. */
export function decimal(text: string): string {
  const places = text.split('.')[1]?.length ?? 0
  return placesFormats()[Math.min(places, maxPlaces)]?.format(text as `${number}`) ?? text
}

/** A quantity, weight or volume. */
export const quantity = (value: number): string => quantityFormat().format(value)

/** An amount of money, without its currency. */
export const amount = (value: number): string => amountFormat().format(value)

/** A price of one, which may have parts of a cent. */
export const price = (value: number): string => priceFormat().format(value)
