// The dialog that discards imports.

import { Confirm } from '../../../../ui/Confirm.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { importWords as words } from '../../words/imports.ts'

/** The dialog. The first refusal stops it and is shown; what was discarded before stays so. */
export function DiscardDialog({
  ids,
  onClose,
  onDone,
}: {
  ids: readonly string[]
  onClose: () => void
  onDone?: () => void
}) {
  async function discard(): Promise<void> {
    try {
      for (const consignmentImportId of ids)
        await send('delete', '/v1/consignment-imports/{consignmentImportId}', {
          path: { consignmentImportId },
        })
    } finally {
      await readAgain('/v1/consignment-imports')
    }
    notify({ text: words.discarded(ids.length) })
    onDone?.()
  }
  return (
    <Confirm act={words.discard} onClose={onClose} reasonsOf={reasonsOf} onConfirm={discard} isAlert>
      <p>{words.discardText(ids.length)}</p>
    </Confirm>
  )
}
