// The acts on a job: start it, confirm its picks, complete or cancel it.

import { useState } from 'react'
import { JobStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { reasonsOf } from '../../rehearse.ts'
import { jobWords as words } from '../../words/jobs.ts'
import { ConfirmMoves } from './confirm-moves.tsx'
import { ConfirmWavePicks } from './confirm-picks.tsx'
import type { Job } from './job.tsx'
import { lineNaming, useOpenLines } from './replenishment-lines.tsx'
import { useWavePicks, waveNaming } from './wave-picks.ts'

const { Draft, ReadyToStart, InProgress, Complete, Cancelled } = JobStatus

type Act = 'start' | 'complete' | 'cancel' | 'confirm'

/** The act that comes next. */
const mainActOf = ({ status }: Job): Act | undefined => {
  if (status === Draft || status === ReadyToStart) return 'start'
  return status === InProgress ? 'confirm' : undefined
}

const textOf = (act: Act, { kind }: Job): string =>
  ({
    start: words.start,
    complete: words.complete,
    cancel: words.cancelJob,
    confirm: kind === 'wave' ? words.confirmPicks : words.confirmMoves,
  })[act]

/** Whether the person may change jobs. */
export const mayChangeJobs = (me: Me): boolean => hasScope(me, 'job') && kindOf(me) === 'staff'

export interface Selecting {
  /** the ids of the picks that are selected */
  selection: ReadonlySet<string>
  onSelect: (selection: ReadonlySet<string>) => void
}

export function JobActs({ job, ...selecting }: { job: Job } & Selecting) {
  const [act, setAct] = useState<Act>()
  const mayAct = mayChangeJobs(useMe())
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
            acts: [
              ...connectionsOf(job),
              ...others.map(other => ({
                id: other,
                text: `${textOf(other, job)}…`,
                isAlert: other === 'cancel',
                onAct: () => setAct(other),
              })),
            ],
          },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button kind="main" hint="M" onPress={() => setAct(main)}>
        {textOf(main, job)}…
      </Button>
      {act === 'confirm' && <ConfirmDialog job={job} {...selecting} onClose={() => setAct(undefined)} />}
      {act !== undefined && act !== 'confirm' && (
        <StatusDialog act={act} job={job} onClose={() => setAct(undefined)} />
      )}
    </>
  )
}

const connectionsOf = ({ kind, jobId, jobNumber }: Job) =>
  kind === 'wave'
    ? [{ id: 'connections', text: words.runConnections, onAct: () => void runConnections(jobId, jobNumber) }]
    : []

/** Tells the connections that listen to send the wave again. */
const runConnections = (jobId: string, number: string): Promise<void> =>
  send('post', '/v1/jobs/{jobId}/wave-pick/trigger-action', { path: { jobId } }).then(
    () => notify({ text: words.connectionsRun(number) }),
    error => notify({ text: reasonsOf(error).join(' '), isAlert: true }),
  )

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
      act={textOf(act, job)}
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

/** Confirms what is selected or, without a selection, all that is open. */
const ConfirmDialog = (props: DialogProps & Selecting) =>
  props.job.kind === 'wave' ? <ConfirmOfWave {...props} /> : <ConfirmOfReplenishment {...props} />

const chosen = <Row,>(rows: readonly Row[], idOf: (row: Row) => string, selection: ReadonlySet<string>) => {
  const selected = rows.filter(row => selection.has(idOf(row)))
  return selected.length > 0 ? selected : rows
}

function ConfirmOfWave({ job, selection, onSelect, onClose }: DialogProps & Selecting) {
  const picks = useWavePicks(job.jobId).data?.picks ?? []
  const rows = chosen(picks, waveNaming.idOf, selection)
  return <ConfirmWavePicks {...{ job, rows, onClose }} onDone={() => onSelect(new Set())} />
}

function ConfirmOfReplenishment({ job, selection, onSelect, onClose }: DialogProps & Selecting) {
  const rows = chosen(useOpenLines(job.jobId), lineNaming.idOf, selection)
  return <ConfirmMoves {...{ job, rows, onClose }} onDone={() => onSelect(new Set())} />
}
