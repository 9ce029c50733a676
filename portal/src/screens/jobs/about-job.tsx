// What a job is called and when it is due, which may be changed until it is complete.

import { JobPriority, JobStatus, WavePickStyle } from '../../../../client/src/waybill.ts'
import { send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import type { FieldGroup } from '../../frame/RecordForm.tsx'
import { useMe } from '../../me.ts'
import type { RecordField } from '../../record-fields.ts'
import { jobWords as words } from '../../words/jobs.ts'
import type { Job } from './job.tsx'
import { mayChangeJobs } from './job-acts.tsx'

const style: RecordField = {
  path: 'style',
  from: 'wavePickStyle',
  label: words.stylePick,
  kind: 'number',
  options: Object.values(WavePickStyle).map(value => ({ value: String(value), text: words.style(value) })),
}
const common: readonly RecordField[] = [
  {
    path: 'priority',
    label: words.priorityHeading,
    kind: 'number',
    options: Object.values(JobPriority).map(value => ({ value: String(value), text: words.priority(value) })),
  },
  { path: 'dueDateTime', label: words.due, kind: 'datetime-local' },
  { path: 'reference', label: words.reference, maxLength: 100 },
  { path: 'description', label: words.description, kind: 'lines' },
]
const groups: Record<Job['kind'], readonly FieldGroup[]> = {
  wave: [{ fields: [style, ...common] }],
  replenishment: [{ fields: common }],
}

const isOpen = ({ status }: Job) => status !== JobStatus.Complete && status !== JobStatus.Cancelled

/** The region with the facts of a job. */
export function AboutJob({ job }: { job: Job }) {
  const me = useMe()
  const warehouse = me.warehouses.find(({ id }) => id === job.warehouseId)
  return (
    <EditableRegion
      heading={words.type(job.type)}
      isMain
      mayEdit={mayChangeJobs(me) && isOpen(job)}
      groups={groups[job.kind]}
      record={job.record}
      path="/v1/jobs/{jobId}"
      done={words.jobSaved}
      save={(change, ifMatch) => {
        const request = { path: { jobId: job.jobId }, body: change, ifMatch }
        return job.kind === 'wave'
          ? send('put', '/v1/jobs/{jobId}/wave-pick', request)
          : send('put', '/v1/jobs/{jobId}/replenishment', request)
      }}
      also={[
        [words.warehouse, warehouse?.name],
        [words.headClient, job.kind === 'wave' ? job.jobConsignments[0]?.clientName : undefined],
      ]}
    />
  )
}
