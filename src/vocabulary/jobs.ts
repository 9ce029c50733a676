// The enumerations of jobs, with the names of the specification. Spec 2.15; decision 2.
// This file imports nothing, so that clients can share it.

export const JobStatus = { Draft: 1, ReadyToStart: 2, InProgress: 3, Complete: 4, Cancelled: 5 } as const
export type JobStatus = (typeof JobStatus)[keyof typeof JobStatus]

export const JobStatusFilter = { Incomplete: -2, Open: -1, ...JobStatus } as const

export const JobType = { WavePick: 1, Replenishment: 2 } as const
export type JobType = (typeof JobType)[keyof typeof JobType]
export const JobPriority = { Normal: 2, High: 3, Urgent: 4 } as const
export const WavePickStyle = { ParallelPicking: 1, BulkPicking: 2 } as const

export const PickSortBy = { Location: 1, ProductCode: 2, ProductName: 3 } as const
export type PickSortBy = (typeof PickSortBy)[keyof typeof PickSortBy]

export const ReplenishmentLineStatus = { Open: 1, Done: 2, Short: 3, Cancelled: 4 } as const
export type ReplenishmentLineStatus = (typeof ReplenishmentLineStatus)[keyof typeof ReplenishmentLineStatus]

/** What these enumerations stand for, and those values whose name does not say it all. */
export const jobDescriptions = {
  JobType: {
    values: JobType,
    description: 'The type of work in a job.',
  },
  JobStatus: {
    values: JobStatus,
    description: 'The status of a job.',
  },
  JobStatusFilter: {
    values: JobStatusFilter,
    description: 'A status of jobs to filter by.',
    meanings: {
      Incomplete: 'Every status except Complete.',
      Open: 'Draft, ReadyToStart and InProgress.',
    },
  },
  JobPriority: {
    values: JobPriority,
    description: 'How urgent a job is.',
  },
  WavePickStyle: {
    values: WavePickStyle,
    description: 'How the consignments of a wave are picked.',
  },
  PickSortBy: {
    values: PickSortBy,
    description: 'The order of a picking list.',
    meanings: {
      Location: 'By walking order, then by name.',
    },
  },
  ReplenishmentLineStatus: {
    values: ReplenishmentLineStatus,
    description: 'The status of a line of a replenishment.',
    meanings: {
      Open: 'There is still something to move.',
      Short: 'Less stock was available than the line asks for.',
      Cancelled: 'The job ended before anything was moved.',
    },
  },
} as const
