// The texts of the history of the organisation.

const subjects: Readonly<Record<string, string>> = {
  organisation: 'Organisation',
  user: 'Person',
  'custom-app': 'App',
  'signing-key': 'Signing key',
  printer: 'Printer',
  'printer-bridge': 'Bridge',
}

const said = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(said).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Words that are written as they stand, wherever they are. */
const asWritten: Readonly<Record<string, string>> = {
  ...{ api: 'API', csv: 'CSV', gs1: 'GS1', id: 'id', ip: 'IP', sscc: 'SSCC', uri: 'URI', uris: 'URIs' },
  ...{ url: 'URL', utc: 'UTC', kg: 'kg', mm: 'mm', m3: 'm³' },
}

/** The name of a field in words: `fullName` is *Full name*, `dotsPerMM` is *Dots per mm*. */
export function fieldInWords(field: string): string {
  const words = field.match(/[A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+/g) ?? [field]
  const text = words.map(word => asWritten[word.toLowerCase()] ?? word.toLowerCase()).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface Change {
  field: string
  from?: unknown
  to?: unknown
}

/** A change in words. What is secret has neither value. */
const changeInWords = ({ field, from, to }: Change): string => {
  const name = fieldInWords(field)
  if (from === null && to === null) return name
  return from === null ? `${name}: ${said(to)}` : `${name}: ${said(from)} to ${said(to)}`
}

export const historyWords = {
  history: 'History',
  noHistory: 'Nothing was changed yet.',
  headTime: 'Time',
  subject: 'Subject',
  subjectOf: (subject: string) => subjects[subject] ?? subject,
  name: 'Name',
  thisRecord: 'One record',
  record: 'Record',
  changes: 'Changes',
  changesOf: (changes: readonly Change[]) => changes.map(changeInWords).join('; '),
  field: 'Field',
  fieldOf: fieldInWords,
  valueOf: said,
  from: 'Before',
  to: 'After',
  by: 'By',
  operator: 'The operator',
  app: 'App',
  address: 'Address',
  requestId: 'Request',
  recent: 'Last changes',
  allOf: 'All changes',
  entryGone: 'The entry is not among those that are loaded.',
} as const
