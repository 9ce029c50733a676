// The texts of the history of the organisation.

import { inWords } from './consignments.ts'

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

/** The name of a field in words: `fullName` is *Full name*. */
const fieldInWords = (field: string): string =>
  inWords(field.charAt(0).toUpperCase() + field.slice(1)).replace(/_/g, ' ')

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
