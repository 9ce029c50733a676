// A print job: what it prints, how each attempt went, and printing it again, here or on another printer.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SetUpStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { UtcTime } from '../../../../ui/LocalTime.tsx'
import { Facts, Nothing, SmallTable } from '../../../../ui/Region.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { type Got, read } from '../../api.ts'
import { Link } from '../../router.tsx'
import { printingWords as words } from '../../words/printing.ts'
import { canRetry, downloadJob, PrintJobPill, retryJob } from './jobs.tsx'
import { usePrinterRows } from './printers.tsx'
import styles from './printing.module.css'

type Job = Got<'/v1/print-jobs/{printJobId}'>

export function JobDialog({ printJobId, onClose }: { printJobId: string; onClose: () => void }) {
  const { data: job, isError } = useQuery(read('/v1/print-jobs/{printJobId}', { path: { printJobId } }))
  const [printerId, setPrinter] = useState('')
  const again = job !== undefined && canRetry(job)
  const retry = async (job: Job) => {
    onClose()
    await retryJob(job, printerId || undefined)
  }
  return (
    <Dialog
      title={words.job}
      isWide
      state={isError ? 'error' : job === undefined ? 'loading' : 'ready'}
      onClose={onClose}
      acts={
        <>
          {again && (
            <Button kind="main" onPress={() => void retry(job)}>
              {words.retry}
            </Button>
          )}
          {job?.isContentKept && <Button onPress={() => void downloadJob(job)}>{words.download}</Button>}
          <Button kind="quiet" onPress={onClose}>
            {uiWords.close}
          </Button>
        </>
      }
    >
      {isError && <p>{uiWords.notRead}</p>}
      {job !== undefined && <JobFacts job={job} />}
      {again && <OtherPrinter job={job} value={printerId} onChange={setPrinter} />}
    </Dialog>
  )
}

const lastOf = (those: Job['retries'] | Job['cancellations']) => {
  const last = those.at(-1)
  return last === undefined ? undefined : last.userName
}

const JobFacts = ({ job }: { job: Job }) => (
  <>
    {job.isInDoubt && <p>{words.inDoubtWhy}</p>}
    <div className={styles.facts}>
      <Facts
        facts={[
          [words.what, job.name],
          [words.state, <PrintJobPill key="state" status={job.status} isInDoubt={job.isInDoubt} />],
          [words.message, job.message && words.reason(job.message)],
          [words.printer, job.printerName],
          [words.copiesHead, words.copies(job.copies, job.pages)],
          [words.media, job.media],
          [words.by, job.requestedByName],
          [words.when, <UtcTime key="when" value={job.createdUtc} />],
          [words.expires, job.finishedUtc === null ? <UtcTime key="expires" value={job.expiresUtc} /> : null],
          [words.finished, job.finishedUtc && <UtcTime key="finished" value={job.finishedUtc} />],
          [words.retriedBy, lastOf(job.retries)],
          [words.cancelledBy, lastOf(job.cancellations)],
          [
            words.consignment,
            job.consignmentId && (
              <Link key="consignment" to={`/consignments/${job.consignmentId}`}>
                {words.open}
              </Link>
            ),
          ],
        ]}
      />
    </div>
    {job.attempts.length === 0 ? (
      <Nothing text={words.noAttempts} />
    ) : (
      <SmallTable
        label={words.attempts}
        heads={[words.when, words.printer, words.state, words.message].map(text => ({ text }))}
        rows={job.attempts.map((attempt, i) => ({
          id: String(i),
          cells: [
            <UtcTime key="when" value={attempt.atUtc} />,
            attempt.printerName,
            `${words.result(attempt.result)} (${words.phase(attempt.phase).toLowerCase()})`,
            attempt.message === null ? words.nothing : words.reason(attempt.message),
          ],
        }))}
      />
    )}
  </>
)

function OtherPrinter({
  job,
  value,
  onChange,
}: {
  job: Job
  value: string
  onChange: (printerId: string) => void
}) {
  const printers = usePrinterRows().data?.printers ?? []
  const others = printers.filter(
    ({ id, status, warehouseId }) =>
      id !== job.printerId && status === SetUpStatus.Active && warehouseId === job.warehouseId,
  )
  return (
    <SelectField
      label={words.onPrinter}
      value={value}
      onChange={onChange}
      options={[
        { value: '', text: words.samePrinter },
        ...others.map(({ id, name }) => ({ value: id, text: name })),
      ]}
    />
  )
}
