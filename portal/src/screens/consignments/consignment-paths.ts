// What acts on consignments change.

/** The paths whose data these acts change. */
export const consignmentPaths = ['/v1/consignments', '/v1/inventory', '/v1/jobs'] as const
