// The lines that lack stock, `/shortages`. What is selected can be allocated again.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { Listing } from '../../frame/Listing.tsx'
import { type Shortage, shortageList } from '../../lists/shortages.tsx'
import { useMe } from '../../me.ts'
import { stockWords as words } from '../../words/stock.ts'
import { mayChangeStock, stockPaths } from '../inventory/stock-acts.tsx'

export function Screen() {
  const mayAct = mayChangeStock(useMe())
  return (
    <Listing<'/v1/inventory/shortages', Shortage>
      list={shortageList}
      {...(mayAct ? { selectedActs: (selected, clear) => <Allocate lines={selected} onDone={clear} /> } : {})}
    />
  )
}

function Allocate({ lines, onDone }: { lines: readonly Shortage[]; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const consignmentIds = [...new Set(lines.map(({ consignmentId }) => consignmentId))]
  return (
    <>
      <Button onPress={() => setOpen(true)}>{words.allocate}…</Button>
      {isOpen && (
        <ActDialog
          act={words.allocate}
          method="post"
          path="/v1/inventory/allocate"
          request={{ body: { consignmentIds } }}
          done={words.allocateDone(consignmentIds.length)}
          changes={stockPaths}
          onClose={() => setOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  )
}
