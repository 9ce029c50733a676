// The texts of choices among many rows, and of lists that are read on.

import { quantity } from '../../../ui/numbers.ts'

export const choiceWords = {
  search: (what: string) => `Search ${what.toLowerCase()}`,
  nothingFound: 'Nothing has this text.',
  showMore: 'Show more',
  shown: (shown: number, total: number) => `${quantity(shown)} of ${quantity(total)}`,
  chosen: (n: number) => `${quantity(n)} selected`,
}
