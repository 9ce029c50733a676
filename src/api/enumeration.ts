// How an enumeration of the API document is written down.

import type { Enumeration } from '../platform/http/describe-schema.ts'
import type { EnumerationValues } from '../platform/http/schema.ts'

/** What the values of an enumeration are, by their names where these do not say everything. */
export const values = <V extends EnumerationValues>(
  of: V,
  description: string,
  meanings: Partial<Record<keyof V & string, string>> = {},
): Enumeration => ({ values: of, description, meanings })
