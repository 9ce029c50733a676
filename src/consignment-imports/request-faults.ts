// The checks of POST for an import that was stored before: what a person replaces in it must not make of it
// what POST would refuse. Spec 2.3; open-points 5.

import type { Fault } from '../platform/http/fault.ts'
import { type Check, openValidation } from '../platform/http/validation.ts'
import { isValidSscc } from '../stock/logistic-units/sscc.ts'
import { fileFaults } from './import-files.ts'
import { ImportRequest } from './import-request.ts'

let check: Check | undefined

/** All faults of a request, as POST tells them. */
export async function requestFaults(request: unknown): Promise<Fault[]> {
  // Compiled when it is first wanted, so that the start does not pay for it.
  check ??= openValidation({ sscc: isValidSscc }).body(ImportRequest)
  return [...check(request), ...(await fileFaults(request))]
}
