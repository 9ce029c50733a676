// Errors while an import is processed: which are transient, and how to describe the others to a user.

import { isDatabaseUnavailable, isLockConflict, sqlState } from '../platform/database/errors.ts'

/**
 * Whether an error is temporary and has nothing to do with the import: the database is unavailable, or other
 * transactions have locked the records that it needs.
 */
export const isTransient = (error: unknown): boolean => isDatabaseUnavailable(error) || isLockConflict(error)

/** Describes why an import failed, for the user who reads its reasons. */
export function describeImportFailure(error: unknown): string {
  const state = sqlState(error)
  if (state === '22003')
    return 'The import could not be processed: a quantity, weight or volume is too large.'
  if (state === '57014') return 'The import could not be processed: it took too long.'
  return (
    `The import could not be processed: an unexpected error (${state ?? 'of the service'}), which the ` +
    `log of the service describes.`
  )
}
