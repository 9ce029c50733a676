// The list of jobs, `/jobs`, with what makes one.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { type JobRow, jobList } from '../../lists/jobs.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { useGo } from '../../router.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import { MakeJob } from '../replenishment/make-job.tsx'

export function Screen() {
  const me = useMe()
  const go = useGo()
  const [isReplenishing, setReplenishing] = useState(false)
  const mayAct = hasScope(me, 'job') && kindOf(me) === 'staff'
  const newWave = () => go('/jobs/new')
  useKeys(mayAct ? { c: newWave } : {})
  return (
    <>
      <Listing<'/v1/jobs', JobRow>
        list={jobList}
        acts={
          mayAct && (
            <>
              <Button onPress={() => setReplenishing(true)}>{words.newReplenishment}…</Button>
              <Button kind="main" hint="C" onPress={newWave}>
                {words.newWave}
              </Button>
            </>
          )
        }
      />
      {isReplenishing && <MakeJob act={words.newReplenishment} onClose={() => setReplenishing(false)} />}
    </>
  )
}
