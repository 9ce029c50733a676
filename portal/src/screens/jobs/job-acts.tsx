// The acts on a job: start it, confirm its picks, complete or cancel it.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { JobStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { read } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { jobWords as words } from '../../words/jobs.ts'
import type { Job } from './job.tsx'

const { Draft, ReadyToStart, InProgress, Complete, Cancelled } = JobStatus

type Act = 'start' | 'complete' | 'cancel' | 'confirm'

/** The act that comes next. */
const mainActOf = ({ kind, status }: Job): Act | undefined => {
  if (status === Draft || status === ReadyToStart) return 'start'
  if (status !== InProgress) return undefined
  return kind === 'wave' ? 'confirm' : 'complete'
}

const textOf: Readonly<Record<Act, string>> = {
  start: words.start,
  complete: words.complete,
  cancel: words.cancelJob,
  confirm: words.confirmPicks,
}

export function JobActs({ job }: { job: Job }) {
  const me = useMe()
  const [act, setAct] = useState<Act>()
  const mayAct = hasScope(me, 'job') && kindOf(me) === 'staff'
  const main = mayAct ? mainActOf(job) : undefined
  useKeys(main === undefined ? {} : { m: () => setAct(main) })
  if (!mayAct || main === undefined) return null
  const others = (['complete', 'cancel'] as const).filter(
    other => other !== main && (other !== 'complete' || job.status === InProgress),
  )
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          {
            acts: others.map(other => ({
              id: other,
              text: `${textOf[other]}…`,
              isAlert: other === 'cancel',
              onAct: () => setAct(other),
            })),
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button kind="main" hint="M" onPress={() => setAct(main)}>
        {textOf[main]}…
      </Button>
      {act === 'confirm' && <ConfirmDialog job={job} onClose={() => setAct(undefined)} />}
      {act !== undefined && act !== 'confirm' && (
        <StatusDialog act={act} job={job} onClose={() => setAct(undefined)} />
      )}
    </>
  )
}

const paths = ['/v1/jobs', '/v1/consignments', '/v1/inventory']

interface DialogProps {
  job: Job
  onClose: () => void
}

function StatusDialog({ act, job, onClose }: DialogProps & { act: Exclude<Act, 'confirm'> }) {
  const to = { start: InProgress, complete: Complete, cancel: Cancelled }[act]
  const done = { start: words.started, complete: words.completed, cancel: words.cancelled }[act]
  return (
    <ActDialog
      act={textOf[act]}
      method="put"
      path={
        job.kind === 'wave' ? '/v1/jobs/{jobId}/wave-pick/status' : '/v1/jobs/{jobId}/replenishment/status'
      }
      request={{ path: { jobId: job.jobId }, body: { status: to } }}
      done={done(job.jobNumber)}
      changes={paths}
      onClose={onClose}
    />
  )
}

/** Confirms all open picks as they stand in the list. */
function ConfirmDialog({ job, onClose }: DialogProps) {
  const { data } = useQuery(
    read('/v1/jobs/{jobId}/wave-pick/picks', { path: { jobId: job.jobId }, query: { PageSize: 100 } }),
  )
  // A bulk pick is of a row of stock, for several consignments; the others are each of one allocation.
  const picks = (data?.picks ?? []).map(({ inventoryAllocationId, warehouseProductId, quantity }) =>
    inventoryAllocationId === null ? { warehouseProductId, quantity } : { inventoryAllocationId, quantity },
  )
  return (
    <ActDialog
      act={words.confirmPicks}
      method="post"
      path="/v1/jobs/{jobId}/wave-pick/picks/confirm"
      request={{ path: { jobId: job.jobId }, body: { picks } }}
      isComplete={picks.length > 0}
      done={words.confirmed(picks.length)}
      changes={paths}
      onClose={onClose}
    >
      {() => <p>{words.confirmsAll(picks.length)}</p>}
    </ActDialog>
  )
}
