// The texts of the components.

import { quantity } from './numbers.ts'
import { plural } from './plural.ts'

const soAlready = (alike: number) => (alike === 0 ? '' : `, ${plural(alike, 'is', 'are')} so already`)

export const words = {
  nothing: '–',
  warehouseTime: 'Time of the warehouse',
  yes: 'Yes',
  no: 'No',
  calendar: 'Calendar',
  monthBefore: 'Month before',
  monthAfter: 'Month after',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  edit: 'Edit',
  copy: 'Copy',
  notNow: 'Not now',
  more: 'More',
  loading: 'Loading',

  selectAll: 'Select all',
  selectRow: (name: string) => `Select ${name}`,
  selected: 'Selected',
  clearSelection: 'Clear selection',
  shown: (loaded: number, total: number, selected: number) =>
    [`${quantity(loaded)} of ${quantity(total)}`, selected > 0 && `${quantity(selected)} selected`]
      .filter(Boolean)
      .join(', '),
  newRows: (n: number) => `${n} new`,
  narrowDown: 'Only the first 10,000 are shown. Narrow it down with a filter.',
  sortedBy: (column: string) => `Sort by ${column}`,
  columns: 'Columns',
  isShown: ', shown',
  resetColumns: 'As at first',
  export: 'Export',
  addFilter: 'Add filter',
  setFilter: (name: string, value: string) => `${name}: ${value}`,
  removeFilter: (name: string) => `Remove filter ${name}`,
  removeFilters: 'Remove filters',
  nothingMatches: 'Nothing matches these filters',
  filterValue: (name: string) => `${name} is`,
  from: 'From',
  to: 'To',
  endsBefore: 'Ends before it begins.',
  apply: 'Apply',
  views: 'Views',
  saveView: 'Save view',
  renameView: 'Rename view',
  deleteView: 'Delete view',
  changeView: 'Change view',
  viewDeleted: (name: string) => `The view ${name} is deleted`,
  viewName: 'Name',
  viewHelp: 'Keeps the filters, search and order that are set now. Only you see it.',
  viewTaken: 'A view has this name already.',
  gridKeys: [
    { id: 'move', letters: ['J', 'K'], text: 'move' },
    { id: 'select', letters: ['X'], text: 'select' },
    { id: 'open', letters: ['Enter'], text: 'open' },
  ],

  progress: 'Progress',
  thisWill: 'This will',
  effects: 'Effects',
  warnings: 'Warnings',
  refused: 'Refused',
  refusedName: 'What',
  refusedWhy: 'Why',
  willChange: (taken: number, refused: number, alike: number) =>
    `${taken} will change, ${refused} will not${soAlready(alike)}.`,
  haveChanged: (taken: number, refused: number, alike: number) =>
    `${taken} changed, ${refused} did not${soAlready(alike)}.`,
  nothingElse: 'Nothing else changes.',
  notRead: 'This could not be read.',
  asking: 'Asking the service what this does',
  cannot: 'This cannot be done',
  notTold: 'The service does not say beforehand what this act changes.',
  thingsToCorrect: (n: number) => plural(n, 'thing to correct', 'things to correct'),
  showAsTable: 'Show as table',
  showAsPlot: 'Show as plot',
  undo: 'Undo',
  dismiss: 'Dismiss',
  notices: 'Notices',
  keyboard: 'Keyboard',
} as const
