// The texts of reports. Titles, filters and columns of each come from its definition in the service.

import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { inWords, nameIn } from './consignments.ts'

const chapters = {
  stock: 'Stock',
  consignments: 'Consignments',
  operations: 'Operations and money',
} as const

/** A structured value of a row: attributes of goods, and stock that a pick face could be filled from. */
interface Part {
  name?: string
  description?: string | null
  locationName?: string
  quantity?: number
}

const partInWords = ({ name, description, locationName, quantity: n }: Part) =>
  locationName === undefined
    ? [name, description].filter(Boolean).join(': ')
    : `${locationName}: ${quantity(n ?? 0)}`

export const reportWords = {
  reports: 'Reports',
  none: 'Your role includes no reports.',
  chapter: (chapter: keyof typeof chapters) => chapters[chapter],
  /** What follows is about the names of the API. */
  firstSentence: (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text,
  /** what the definition says of a filter, which is written for programs, too */
  helpOf: (text: string | null) =>
    text
      ?.replace(/ -?\d+ (?=[A-Z])/g, ' ')
      .replace(/ Default (?:true|false)\.$/, '')
      .replace(/ Default ([^.]+)\.$/, ' Left empty: $1.'),
  run: 'Run',
  excel: 'Excel',
  csv: 'CSV',
  copyLink: 'Copy link',
  linkCopied: 'The link is copied',
  cannotCopy: 'The browser did not allow it. Copy the address of this page.',
  fileOf: (kind: string, title: string) => `${kind}: ${title}`,
  making: (title: string) => `${title} is being made`,

  filters: 'Filters',
  any: 'Any',
  yes: 'Yes',
  no: 'No',
  chooseClientFirst: 'Choose a client first.',
  chooseWarehouseFirst: 'Choose a warehouse first.',
  notKnown: 'has nothing of this name',
  listHelp: 'Numbers with commas between them.',
  value: (values: readonly { value: number; name: string }[], value: number) =>
    inWords(nameIn(Object.fromEntries(values.map(one => [one.name, one.value])), value)),
  heading: (text: string) => text.replace(/ \(UTC\)$/, ''),

  rows: 'Rows',
  notRun: 'Choose filters, or none, and press Run.',
  noRows: 'No rows with these filters.',
  rowCount: (n: number, hasMore: boolean) => (hasMore ? `first ${plural(n, 'row')}` : plural(n, 'row')),
  cut: 'There are more rows than are shown here. Excel and CSV have all of them.',
  reading: 'The report is being read',
  sum: 'Sum',
  ageBracket: (from: number, to: number | null) =>
    to === null ? `${plural(from, 'day')} and more` : `${quantity(from)} to ${plural(to, 'day')}`,
  parts: (parts: readonly (string | Part)[]) =>
    parts.map(part => (typeof part === 'string' ? part : partInWords(part))).join(', '),
  nothing: '–',

  plot: 'By date',
  plotOf: (figure: string, date: string) => `${figure} by ${date}`,
  figure: 'Figure',
  date: 'Date',
} as const
