// String formats for schemas that are specific to the domain.

import { isValidSscc } from '../stock/logistic-units/sscc.ts'

/** By the name of the format: the check of a text. */
export const formats = { sscc: isValidSscc }
