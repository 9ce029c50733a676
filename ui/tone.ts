// The colours of statuses, by who must act.

/** Nobody yet, the warehouse, the dock, the carrier, nobody any more; or that something is wrong. */
export type Tone = 'waits' | 'warehouse' | 'dock' | 'moving' | 'done' | 'alert'
