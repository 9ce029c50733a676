// The dialogs of a wave's picks: Confirm picks, and Short where less is found.

import { ActDialog } from '../../frame/ActDialog.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import { pickWords } from '../../words/pick.ts'
import { pickPaths } from '../consignments/pick-dialogs.tsx'
import { useConfirmation, useShortage } from '../consignments/pick-fields.tsx'
import type { Job } from './job.tsx'
import { type WavePick, waveNaming, wavePickSource } from './wave-picks.ts'

interface WaveDialogProps {
  job: Job
  rows: readonly WavePick[]
  onClose: () => void
  onDone: () => void
}

const path = '/v1/jobs/{jobId}/wave-pick/picks/confirm'

/** Confirms these picks, each as it stands or with another quantity. */
export function ConfirmWavePicks({ job: { jobId, warehouseId }, rows, ...props }: WaveDialogProps) {
  const { picks, isComplete, fields } = useConfirmation({
    ...{ rows, naming: waveNaming, sourceOf: wavePickSource, warehouseId, dock: null },
  })
  return (
    <ActDialog
      act={words.confirmPicks}
      method="post"
      path={path}
      request={{ path: { jobId }, body: { picks } }}
      isComplete={isComplete}
      done={pickWords.confirmed(picks.length)}
      changes={pickPaths}
      {...props}
    >
      {fields}
    </ActDialog>
  )
}

/** Reports that less was found: the last consignments get less, unless other stock can be allocated. */
export function ShortWavePicks({ job: { jobId }, rows, ...props }: WaveDialogProps) {
  const { picks, isComplete, fields } = useShortage({
    ...{ rows, naming: waveNaming, sourceOf: wavePickSource },
  })
  return (
    <ActDialog
      act={pickWords.shortPick}
      method="post"
      path={path}
      request={{ path: { jobId }, body: { picks } }}
      isComplete={isComplete}
      done={pickWords.shortDone}
      changes={pickPaths}
      {...props}
    >
      {fields}
    </ActDialog>
  )
}
