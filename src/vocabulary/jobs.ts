// The enumerations of jobs, with the names of the specification. Spec 2.15; open-points 2.
// This file imports nothing, so that clients can share it.

export const JobStatus = { Draft: 1, ReadyToStart: 2, InProgress: 3, Complete: 4, Cancelled: 5 } as const
export type JobStatus = (typeof JobStatus)[keyof typeof JobStatus]

/**
 * Statuses to filter by: each status of a job, -1 Open (see `openStatuses`), and -2 Incomplete (every status
 * but Complete).
 */
export const JobStatusFilter = { Incomplete: -2, Open: -1, ...JobStatus } as const

export const JobType = { WavePick: 1, Replenishment: 2 } as const
export type JobType = (typeof JobType)[keyof typeof JobType]
export const JobPriority = { Normal: 2, High: 3, Urgent: 4 } as const
export const WavePickStyle = { ParallelPicking: 1, BulkPicking: 2 } as const

/** The order of a picking list. */
export const PickSortBy = { Location: 1, ProductCode: 2, ProductName: 3 } as const
export type PickSortBy = (typeof PickSortBy)[keyof typeof PickSortBy]

/** Short: less could be moved than the line asks for. */
export const ReplenishmentLineStatus = { Open: 1, Done: 2, Short: 3, Cancelled: 4 } as const
export type ReplenishmentLineStatus = (typeof ReplenishmentLineStatus)[keyof typeof ReplenishmentLineStatus]
