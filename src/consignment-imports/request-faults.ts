// Runs the checks of POST on a stored import after replacements, which must not turn it into something that
// POST would refuse. Spec 2.3; decision 5.

import type { Fault } from '../platform/http/fault.ts'
import { type Check, createValidation } from '../platform/http/validation.ts'
import { isValidSscc } from '../stock/logistic-units/sscc.ts'
import { fileFaults } from './import-files.ts'
import { ImportRequest } from './import-request.ts'

let check: Check | undefined

/** All faults of a request, as POST reports them. */
export async function requestFaults(request: unknown): Promise<Fault[]> {
  // Compiled on first use, to keep the start of the service quick.
  check ??= createValidation({ sscc: isValidSscc }).body(ImportRequest)
  return [...check(request), ...(await fileFaults(request))]
}
