// String formats of schemas that are the domain's own.

import { isValidSscc } from '../stock/logistic-units/sscc.ts'

/** For each, whether a text is one. */
export const formats = { sscc: isValidSscc }
