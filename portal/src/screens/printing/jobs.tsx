// What was sent to printers: first what is in doubt, then the latest.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PrintJobStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Nothing, Region, RowActs, SmallTable } from '../../../../ui/Region.tsx'
import type { Tone } from '../../../../ui/tone.ts'
import { type RowOf, readFile, send } from '../../api.ts'
import { readAll, usePages } from '../../every-page.ts'
import { save } from '../../frame/export-rows.ts'
import { ReadOn } from '../../frame/ReadOn.tsx'
import { regionStateOf } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useChangeSearch, useSearch } from '../../router.tsx'
import { printingWords as words } from '../../words/printing.ts'
import { JobDialog } from './job-dialog.tsx'
import { actAtOnce, readMs, readPrintingAgain } from './print-act.ts'
import styles from './printing.module.css'

export type PrintJob = RowOf<'/v1/print-jobs'>

const tones: Readonly<Record<number, Tone>> = {
  [PrintJobStatus.Pending]: 'waits',
  [PrintJobStatus.InProgress]: 'moving',
  [PrintJobStatus.Success]: 'done',
  [PrintJobStatus.Failed]: 'alert',
  [PrintJobStatus.Cancelled]: 'waits',
}

/** The status of a print job. */
export const PrintJobPill = ({ status, isInDoubt }: Pick<PrintJob, 'status' | 'isInDoubt'>) => (
  <Pill
    text={words.jobState(status, isInDoubt)}
    tone={isInDoubt ? 'warehouse' : (tones[status] ?? 'waits')}
    isRing={status === PrintJobStatus.Cancelled}
  />
)

/** Whether a job has ended without being printed, and can be printed again. */
export const canRetry = ({ status, isContentKept }: Pick<PrintJob, 'status' | 'isContentKept'>) =>
  isContentKept && (status === PrintJobStatus.Failed || status === PrintJobStatus.Cancelled)

/** The latest jobs, those in doubt first, even if they are older. */
function useJobs() {
  const latest = usePages('/v1/print-jobs', {}, { refetchInterval: readMs })
  const doubtful = useQuery({
    ...readAll('/v1/print-jobs', { query: { IsInDoubt: true } }),
    refetchInterval: readMs,
  })
  const inDoubt = doubtful.data?.printJobs ?? []
  const known = new Set(inDoubt.map(({ id }) => id))
  const rows = latest.rows && [...inDoubt, ...latest.rows.filter(({ id }) => !known.has(id))]
  return { ...latest, rows }
}

export function Jobs() {
  const jobs = useJobs()
  const { rows, total, isError } = jobs
  const state = regionStateOf(isError, rows)
  const [cancelled, setCancelled] = useState<PrintJob>()
  const { Job: opened } = useSearch()
  const change = useChangeSearch()
  const shown = rows ?? []
  return (
    <Region heading={words.jobs} state={state} summary={total || undefined}>
      {state === 'empty' ? (
        <Nothing text={words.noJobs} />
      ) : (
        <SmallTable
          label={words.jobs}
          heads={[
            ...[words.what, words.state, words.printer, words.by, words.when].map(text => ({ text })),
            { text: words.acts, isAtEnd: true },
          ]}
          rows={shown.map(job => ({
            id: job.id,
            cells: [
              <Link key="what" to="." search={{ Job: job.id } as never}>
                {job.name}
              </Link>,
              <State key="state" job={job} />,
              job.printerName,
              job.requestedByName,
              <UtcTime key="when" value={job.createdUtc} />,
              <Acts key="acts" job={job} onCancel={() => setCancelled(job)} />,
            ],
          }))}
        />
      )}
      <ReadOn pages={jobs} />
      {cancelled !== undefined && <CancelJob job={cancelled} onClose={() => setCancelled(undefined)} />}
      {typeof opened === 'string' && (
        <JobDialog printJobId={opened} onClose={() => change({ Job: undefined })} />
      )}
    </Region>
  )
}

const State = ({ job: { status, isInDoubt, message } }: { job: PrintJob }) => (
  <>
    <PrintJobPill status={status} isInDoubt={isInDoubt} />
    {isInDoubt && <span className={styles.reason}>{words.inDoubtWhy}</span>}
    {!isInDoubt && message !== null && <span className={styles.reason}>{words.reason(message)}</span>}
  </>
)

/** Prints a job again, on another printer if one is named. */
export const retryJob = ({ id, name }: Pick<PrintJob, 'id' | 'name'>, printerId?: string) =>
  actAtOnce(words.retried(name), () =>
    send('put', '/v1/print-jobs/{printJobId}/retry', {
      path: { printJobId: id },
      body: printerId === undefined ? {} : { printerId },
    }),
  )

/** Saves what a job prints. */
export async function downloadJob({ id, name }: Pick<PrintJob, 'id' | 'name'>): Promise<void> {
  try {
    const file = await readFile(`/v1/print-jobs/${id}/content`)
    save(file.blob, file.name ?? name)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

function Acts({ job, onCancel }: { job: PrintJob; onCancel: () => void }) {
  const act = (text: string, onPress: () => void, dots = '') => (
    <Button kind="quiet" label={words.of(text, job.name)} onPress={onPress}>
      {text}
      {dots}
    </Button>
  )
  return (
    <RowActs>
      {canRetry(job) && act(words.retry, () => void retryJob(job))}
      {job.status === PrintJobStatus.Pending && act(words.cancelJob, onCancel, '…')}
      {job.isContentKept && act(words.download, () => void downloadJob(job))}
    </RowActs>
  )
}

const CancelJob = ({ job, onClose }: { job: PrintJob; onClose: () => void }) => (
  <Confirm
    act={words.cancelJob}
    isAlert
    reasonsOf={reasonsOf}
    onClose={onClose}
    onConfirm={async () => {
      await send('put', '/v1/print-jobs/{printJobId}/cancel', { path: { printJobId: job.id } })
      notify({ text: words.cancelled(job.name) })
      await readPrintingAgain()
    }}
  >
    <p>{words.cancelWhy(job.name, job.printerName)}</p>
  </Confirm>
)
