// The texts of the history of the organisation.

const subjects: Readonly<Record<string, string>> = {
  organisation: 'Organisation',
  user: 'Person',
  'custom-app': 'App',
  'signing-key': 'Signing key',
  printer: 'Printer',
  'printer-bridge': 'Bridge',
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
  field: 'Field',
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
