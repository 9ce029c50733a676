// Numbers with their nouns.

import { quantity } from './numbers.ts'

/** `1 line`, `3 lines`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${quantity(n)} ${n === 1 ? one : many}`
