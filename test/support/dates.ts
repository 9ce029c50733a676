// Instants that tests need close to now, because the service limits how far back a command may lie.

/** The instant a number of days ago. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
