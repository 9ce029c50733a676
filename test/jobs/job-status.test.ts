import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFinal, isOpen, jobStatusRefusal, statusesOf } from '../../src/jobs/job-status.ts'
import { JobStatus, JobStatusFilter } from '../../src/vocabulary/jobs.ts'

const { Draft, ReadyToStart, InProgress, Complete, Cancelled } = JobStatus

test('every move: an open job may move to any status, a Draft not to Complete, an ended one to none', () => {
  const allowed = new Map([
    [Draft, [Draft, ReadyToStart, InProgress, Cancelled]],
    [ReadyToStart, [Draft, ReadyToStart, InProgress, Complete, Cancelled]],
    [InProgress, [Draft, ReadyToStart, InProgress, Complete, Cancelled]],
    [Complete, [Complete]],
    [Cancelled, [Cancelled]],
  ])
  for (const from of Object.values(JobStatus)) {
    const reached = Object.values(JobStatus).filter(to => jobStatusRefusal(from, to) === null)
    assert.deepEqual(reached, allowed.get(from), `from ${from}`)
  }
  assert.equal(
    jobStatusRefusal(Draft, Complete),
    'A Draft job cannot be Complete: start it first, or cancel it.',
  )
  assert.equal(
    jobStatusRefusal(Complete, Draft),
    'The job is Complete and cannot change any more: create another one.',
  )
  assert.equal(
    jobStatusRefusal(Cancelled, Complete),
    'The job is Cancelled and cannot change any more: create another one.',
  )
})

test('the filter Open means Draft, ReadyToStart or InProgress, Incomplete any status but Complete', () => {
  assert.deepEqual(statusesOf(JobStatusFilter.Open), [Draft, ReadyToStart, InProgress])
  assert.deepEqual(statusesOf(JobStatusFilter.Incomplete), [Draft, ReadyToStart, InProgress, Cancelled])
  for (const status of Object.values(JobStatus)) assert.deepEqual(statusesOf(status), [status])
})

test('a job that is not open has ended', () => {
  for (const status of Object.values(JobStatus)) assert.notEqual(isOpen(status), isFinal(status))
})
