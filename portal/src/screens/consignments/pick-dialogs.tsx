// The dialogs of what is to be picked: Confirm, and Short where less is found than was expected.

import type { Schemas } from '../../../../client/src/waybill.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { pickWords as words } from '../../words/pick.ts'
import { stockPaths } from '../inventory/stock-acts.tsx'
import type { Consignment } from './consignment.tsx'
import { type AllocatedStock, allocationNaming, sourceOf } from './pick-amounts.tsx'
import { useConfirmation, useShortage } from './pick-fields.tsx'

/** What the acts of picking change. */
export const pickPaths = [...stockPaths, '/v1/jobs']

export interface PickDialogProps {
  consignment: Consignment
  rows: readonly AllocatedStock[]
  onClose: () => void
  onDone: () => void
}

/** Confirms these picks, each as it stands or with another quantity. */
export function ConfirmPicks({
  consignment: { id, warehouseId },
  rows,
  dock,
  onDone,
  onAllPicked,
  ...props
}: PickDialogProps & { dock: string | null; onAllPicked: () => void }) {
  const { picks, isComplete, fields } = useConfirmation({
    ...{ rows, naming: allocationNaming, sourceOf, warehouseId, dock },
  })
  return (
    <ActDialog
      act={words.confirm}
      method="post"
      path="/v1/consignments/{consignmentId}/pick"
      request={{ path: { consignmentId: id }, body: { picks } }}
      isComplete={isComplete}
      done={words.confirmed(picks.length)}
      changes={pickPaths}
      {...props}
      onDone={({ data }) => (isAllPicked(data) ? onAllPicked() : onDone())}
    >
      {fields}
    </ActDialog>
  )
}

/** Whether the answer to a pick says that nothing more is allocated. */
const isAllPicked = (answer: unknown) =>
  (answer as { consignmentProducts: Schemas['AllocatedLine'][] }).consignmentProducts.every(
    ({ allocated }) => allocated === 0,
  )

/** Reports that less was found: the rest goes on hold, and other stock is allocated instead. */
export function ShortPick({ consignment: { id }, rows, ...props }: PickDialogProps) {
  const { picks, isComplete, fields } = useShortage({ rows, naming: allocationNaming, sourceOf })
  return (
    <ActDialog
      act={words.shortPick}
      method="post"
      path="/v1/consignments/{consignmentId}/pick"
      request={{ path: { consignmentId: id }, body: { picks } }}
      isComplete={isComplete}
      done={words.shortDone}
      changes={pickPaths}
      {...props}
    >
      {fields}
    </ActDialog>
  )
}
