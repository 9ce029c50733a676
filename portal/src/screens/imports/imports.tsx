// The list of imports, `/imports`, below the causes for which some of them wait.

import { useState } from 'react'
import { ImportStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { type ImportRow, importList } from '../../lists/imports.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { importWords as words } from '../../words/imports.ts'
import { Causes } from './causes.tsx'
import { DiscardDialog } from './discard.tsx'

export function Screen() {
  const mayAct = hasScope(useMe(), 'consignment')
  return (
    <Listing
      list={importList}
      above={<Causes />}
      {...(mayAct
        ? {
            selectedActs: (rows: readonly ImportRow[], clear: () => void) => (
              <Acts rows={rows} clear={clear} />
            ),
          }
        : {})}
    />
  )
}

function Acts({ rows, clear }: { rows: readonly ImportRow[]; clear: () => void }) {
  const [isTrying, setTrying] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const waiting = rows.filter(({ status }) => status === ImportStatus.PendingReconciliation)
  async function tryAgain(): Promise<void> {
    setTrying(true)
    const counts = { reconciled: 0, waiting: 0 }
    for (const { id } of waiting) counts[(await isReconciled(id)) ? 'reconciled' : 'waiting']++
    notify({ text: words.settled(counts.reconciled, counts.waiting, 0, 0) })
    setTrying(false)
    clear()
    await readAgain('/v1/consignment-imports', '/v1/consignments')
  }
  return (
    <>
      <Button onPress={() => void tryAgain()} isPending={isTrying} isDisabled={waiting.length === 0}>
        {words.tryAgain}
      </Button>
      <Button onPress={() => setDiscarding(true)} isDisabled={waiting.length === 0}>
        {words.discard}…
      </Button>
      {isDiscarding && (
        <DiscardDialog
          ids={waiting.map(({ id }) => id)}
          onClose={() => setDiscarding(false)}
          onDone={clear}
        />
      )}
    </>
  )
}

/** Tries an import again. An import that waits on is refused. */
const isReconciled = (consignmentImportId: string): Promise<boolean> =>
  send('put', '/v1/consignment-imports/{consignmentImportId}/reconcile', {
    path: { consignmentImportId },
  }).then(
    () => true,
    () => false,
  )
