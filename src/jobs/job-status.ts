// The statuses that a job may move to. Pure. Spec 2.15, 3; decision 2.

import { inWords } from '../vocabulary/in-words.ts'
import { JobStatus, JobStatusFilter } from '../vocabulary/jobs.ts'

const { Draft, ReadyToStart, InProgress, Complete, Cancelled } = JobStatus

/** The statuses of an open job. An open job can be changed, and its consignments can be in no other job. */
export const openStatuses: readonly JobStatus[] = [Draft, ReadyToStart, InProgress]

/** The statuses that a filter stands for. */
export function statusesOf(
  filter: (typeof JobStatusFilter)[keyof typeof JobStatusFilter],
): readonly JobStatus[] {
  if (filter === JobStatusFilter.Open) return openStatuses
  return filter === JobStatusFilter.Incomplete ? [...openStatuses, Cancelled] : [filter]
}

/** Whether a job with this status can still be changed. */
export const isOpen = (status: JobStatus): boolean => openStatuses.includes(status)

/** Whether the work of a job has been released or begun. */
export const isStarted = (status: JobStatus): boolean => status === ReadyToStart || status === InProgress

/** A status in words, such as `Ready to start`. */
export const jobStatusName = (status: JobStatus): string => inWords(JobStatus, status)

/**
 * Why a job may not move from one status to another, as a sentence; null if it may. An open job may move to
 * any status, but a Draft, of which nothing can have been done, not to Complete. Complete and Cancelled are
 * final.
 */
export function jobStatusRefusal(from: JobStatus, to: JobStatus): string | null {
  if (from === Draft && to === Complete)
    return 'A Draft job cannot be Complete: start it first, or cancel it.'
  if (from === to || isOpen(from)) return null
  return `The job is ${jobStatusName(from)} and cannot change any more: create another one.`
}

/** Whether a job with this status has ended, so that its consignments are free for other jobs. */
export const isFinal = (to: JobStatus): boolean => to === Complete || to === Cancelled
