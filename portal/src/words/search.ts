// The texts of the search.

export const searchWords = {
  search: 'Search',
  searchOrJump: 'Search or jump to',
  searchEverything: 'Search everything',
  placeholder: 'A number, a reference, a product, a screen',
  results: 'Results',
  resultsFor: (text: string) => `Results for ${text}`,
  screens: 'Screens',
  consignments: 'Consignments',
  imports: 'Imports',
  stock: 'Stock',
  units: 'Units',
  nothing: 'Nothing has this text',
  allResults: 'All results',
  shortcut: '⌘K',
  shortcutElsewhere: 'Ctrl K',
} as const
