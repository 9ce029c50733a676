// The versions of the rules by which consignments are charged.

/**
 * The number of the rules for new charges. A bill is proved by the rules that made it, so the older ones
 * stay: by version 1, a line without units or serials counted 0 of them as soon as another line had some, and
 * so was charged nothing.
 */
export const evaluatorVersion = 2

/** Whether this version of the service can evaluate by the rules of a number. */
export const isKnownEvaluator = (version: number): boolean => version >= 1 && version <= evaluatorVersion
