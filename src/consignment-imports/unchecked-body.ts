// Reads the parts of a body that may have any shape: rules also run on what fails the schema, which reports
// that itself.

export const uncheckedFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

export const uncheckedList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
