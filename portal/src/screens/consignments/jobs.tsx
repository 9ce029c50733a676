// Region Jobs: the waves that the consignment is picked with.

import { LocalTime } from '../../../../ui/LocalTime.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { Link } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'

export function Jobs({ consignment: { jobs } }: { consignment: Consignment }) {
  const me = useMe()
  const mayOpen = kindOf(me) === 'staff' && hasScope(me, 'job.read')
  return (
    <Region heading={words.jobs} summary={jobs.length || undefined}>
      {jobs.length === 0 ? (
        <Nothing text={words.noJobs} />
      ) : (
        <Rows>
          {jobs.map(({ jobId, jobNumber, reference, dueDateTime }) => (
            <li key={jobId} data-id={jobId}>
              {mayOpen ? <Link to={`/jobs/${jobId}`}>{jobNumber}</Link> : <b>{jobNumber}</b>}
              <span>{reference}</span>
              <LocalTime value={dueDateTime} />
            </li>
          ))}
        </Rows>
      )}
    </Region>
  )
}
