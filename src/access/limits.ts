// The rate limits of the service. Spec 8.

/**
 * How many requests may pass in any 60 seconds: `standard` and `reports` per organisation, `people` per
 * person who uses a built-in app, `tokens` per app.
 */
export const perMinute = { standard: 3_000, reports: 150, people: 600, tokens: 600 } as const

export type LimitName = keyof typeof perMinute
