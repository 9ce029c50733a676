// Which status a job may go to. Pure. Spec 2.15, 3; open-points 2.

import { JobStatus, JobStatusFilter } from './enumerations.ts'

const { Draft, ReadyToStart, InProgress, Complete, Cancelled } = JobStatus

/** The statuses of an open job: one that may still change, and whose consignments are in no other. */
export const openStatuses: readonly JobStatus[] = [Draft, ReadyToStart, InProgress]

/** The statuses that a filter lets through. */
export function statusesOf(
  filter: (typeof JobStatusFilter)[keyof typeof JobStatusFilter],
): readonly JobStatus[] {
  if (filter === JobStatusFilter.Open) return openStatuses
  return filter === JobStatusFilter.Incomplete ? [...openStatuses, Cancelled] : [filter]
}

/** Whether a job may still change. */
export const isOpen = (status: JobStatus): boolean => openStatuses.includes(status)

/** The name of a status. */
export const statusName = (status: JobStatus): string =>
  Object.entries(JobStatus).find(([, value]) => value === status)?.[0] ?? String(status)

/**
 * Why a job may not go from one status to another, as a sentence; null where it may. Draft, ReadyToStart and
 * InProgress lead to each other in either direction and may be skipped; from each of them the job can be
 * Complete or Cancelled, and nothing leads away from those.
 */
export function refusalOfMove(from: JobStatus, to: JobStatus): string | null {
  if (from === to || isOpen(from)) return null
  return `The status of a ${statusName(from)} job cannot change.`
}

/** Whether a move ends the picking of a job's consignments. */
export const isEnd = (to: JobStatus): boolean => to === Complete || to === Cancelled
