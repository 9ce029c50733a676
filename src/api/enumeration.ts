// Describes an enumeration for the API document.

import type { Enumeration } from '../platform/http/describe-schema.ts'
import type { EnumerationValues } from '../platform/http/schema.ts'

/** Describes an enumeration and, by name, those of its values whose name does not say it all. */
export const enumeration = <V extends EnumerationValues>(
  values: V,
  description: string,
  meanings: Partial<Record<keyof V & string, string>> = {},
): Enumeration => ({ values, description, meanings })
