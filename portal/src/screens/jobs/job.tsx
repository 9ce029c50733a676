// A job, `/jobs/{id}`: a wave with its picks and consignments, or the lines of a replenishment.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JobStatus, WaybillError } from '../../../../client/src/waybill.ts'
import { Pill } from '../../../../ui/Pill.tsx'
import { type Got, get } from '../../api.ts'
import { Page } from '../../frame/Page.tsx'
import { JobPill } from '../../lists/jobs.tsx'
import { useMe } from '../../me.ts'
import { Link, useIds } from '../../router.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import { AboutJob } from './about-job.tsx'
import { JobActs, mayChangeJobs } from './job-acts.tsx'
import { Orders } from './orders.tsx'
import { Picks } from './picks.tsx'
import { PrintMenu } from './print-menu.tsx'
import { ReplenishmentLines } from './replenishment-lines.tsx'

type Wave = Got<'/v1/jobs/{jobId}/wave-pick'>
type Replenishment = Got<'/v1/jobs/{jobId}/replenishment'>

/** A job of either type, with the record as it was read. */
export type Job =
  | ({ kind: 'wave'; record: Wave } & Wave)
  | ({ kind: 'replenishment'; record: Replenishment } & Replenishment)

/** Reads a job. Its type decides where it is, and the address does not tell the type. */
async function readJob(jobId: string, signal: AbortSignal): Promise<Job> {
  try {
    const record = await get<Wave>('/v1/jobs/{jobId}/wave-pick', { path: { jobId } }, signal)
    return { kind: 'wave', record, ...record }
  } catch (error) {
    if (!(error instanceof WaybillError) || error.status !== 404) throw error
    const path = '/v1/jobs/{jobId}/replenishment'
    const record = await get<Replenishment>(path, { path: { jobId } }, signal)
    return { kind: 'replenishment', record, ...record }
  }
}

export function Screen() {
  const { id = '' } = useIds()
  const mayAct = mayChangeJobs(useMe())
  const [selection, onSelect] = useState<ReadonlySet<string>>(new Set())
  const { data: job } = useSuspenseQuery({
    queryKey: ['/v1/jobs/{jobId}', { path: { jobId: id } }],
    queryFn: ({ signal }) => readJob(id, signal),
  })
  const onSelectOpen = mayAct && job.status === JobStatus.InProgress ? onSelect : undefined
  return (
    <Page
      heading={job.jobNumber}
      id={job.jobId}
      status={words.statusName(job.status)}
      above={<Link to="/jobs">{words.jobs}</Link>}
      beside={
        <>
          <JobPill status={job.status} />
          {job.priority > 2 && <Pill text={words.priority(job.priority)} tone="alert" />}
        </>
      }
      acts={
        <>
          {job.kind === 'wave' && <PrintMenu jobId={job.jobId} warehouseId={job.warehouseId} />}
          <JobActs {...{ job, selection, onSelect }} />
        </>
      }
      details={<AboutJob job={job} />}
    >
      {job.kind === 'wave' ? (
        <>
          <Picks {...{ job, selection }} onSelect={onSelectOpen} />
          <Orders {...{ job, mayAct }} />
        </>
      ) : (
        <ReplenishmentLines jobId={job.jobId} selection={selection} onSelect={onSelectOpen} />
      )}
    </Page>
  )
}
