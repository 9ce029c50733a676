// Errors while an import is worked on: whose fault they are, and how a person is told.

import { isDatabaseUnavailable, isLockConflict, sqlState } from '../platform/database/errors.ts'

/**
 * Whether an error passes by itself and says nothing about the import: the database is away, or others hold
 * what it needs.
 */
export const isTransient = (error: unknown): boolean => isDatabaseUnavailable(error) || isLockConflict(error)

/** Why an import failed, for the person who looks at it. */
export function describeFailure(error: unknown): string {
  const state = sqlState(error)
  if (state === '22003')
    return 'The import could not be processed: a quantity, weight or volume is too large.'
  if (state === '57014') return 'The import could not be processed: it took too long.'
  return (
    `The import could not be processed: an unexpected error (${state ?? 'of the service'}), which the ` +
    `log of the service describes.`
  )
}
