// The dates by which goods are told apart, as the API names them, with their words.

export const dateWords = {
  expiryDate: 'Expiry',
  bestBeforeDate: 'Best before',
  sellByDate: 'Sell by',
  productionDate: 'Production',
  packagingDate: 'Packaging',
} as const

/** A date of goods. */
export type GoodsDate = keyof typeof dateWords

/** All of them, in the order of screens. */
export const goodsDates = Object.keys(dateWords) as readonly GoodsDate[]
