// The dialog that confirms moves of a replenishment: how much of each line reached its pick face.

import { useState } from 'react'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { jobWords as words } from '../../words/jobs.ts'
import { AmountFields, amountsOf, type Typed } from '../consignments/pick-amounts.tsx'
import { stockPaths } from '../inventory/stock-acts.tsx'
import type { Job } from './job.tsx'
import { lineNaming, type OpenLine } from './replenishment-lines.tsx'

export function ConfirmMoves({
  job: { jobId },
  rows,
  ...props
}: {
  job: Job
  rows: readonly OpenLine[]
  onClose: () => void
  onDone: () => void
}) {
  const [typed, setTyped] = useState<Typed>({})
  const [isShort, setShort] = useState(false)
  const amounts = amountsOf(rows, typed, lineNaming.idOf)
  const moves = amounts.flatMap(({ row: { replenishmentLineId }, ...amount }) =>
    amount.quantity === 0 && !isShort ? [] : [{ replenishmentLineId, ...amount, isShort }],
  )
  return (
    <ActDialog
      act={words.confirmMoves}
      method="post"
      path="/v1/jobs/{jobId}/replenishment/confirm"
      request={{ path: { jobId }, body: { moves } }}
      isComplete={moves.length > 0 && amounts.length === rows.length}
      done={words.movesConfirmed(moves.length)}
      changes={[...stockPaths, '/v1/jobs']}
      {...props}
    >
      {faults => (
        <>
          <AmountFields
            {...{ rows, typed, faults }}
            naming={lineNaming}
            labelOf={words.movedOf}
            onType={setTyped}
            array="moves"
          />
          <SwitchField label={words.noMore} help={words.noMoreHelp} isOn={isShort} onChange={setShort} />
        </>
      )}
    </ActDialog>
  )
}
