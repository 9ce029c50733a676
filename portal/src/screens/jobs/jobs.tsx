// The list of jobs, `/jobs`.

import { Listing } from '../../frame/Listing.tsx'
import { type JobRow, jobList } from '../../lists/jobs.tsx'

export function Screen() {
  return <Listing<'/v1/jobs', JobRow> list={jobList} />
}
