// The acts on a stock count and on its lines.

import { useState } from 'react'
import { StockCountStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { goToNextField, TextField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { SwitchField } from '../../../../ui/SwitchField.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import type { CountLine } from '../../lists/count-lines.tsx'
import { countWords as words } from '../../words/counts.ts'
import { numberOf, stockPaths } from '../inventory/stock-acts.tsx'
import styles from './count.module.css'
import type { Count } from './count.tsx'

/** The act on the count that comes next, and Cancel count under More. */
export function CountActs({ count: { stockCountId, status } }: { count: Count }) {
  const [act, setAct] = useState<'finish' | 'approve' | 'cancel'>()
  const next = status === StockCountStatus.Counted ? 'approve' : 'finish'
  const close = () => setAct(undefined)
  useKeys({ m: () => setAct(next) })
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          { acts: [{ id: 'cancel', text: words.cancelCount, isAlert: true, onAct: () => setAct('cancel') }] },
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      <Button kind="main" hint="M" onPress={() => setAct(next)}>
        {words[next]}
      </Button>
      {act === 'approve' && <Approve stockCountId={stockCountId} onClose={close} />}
      {(act === 'finish' || act === 'cancel') && (
        <ActDialog
          act={act === 'finish' ? words.finish : words.cancelCount}
          method="put"
          path="/v1/stock-counts/{stockCountId}/status"
          request={{
            path: { stockCountId },
            body: { status: act === 'finish' ? StockCountStatus.Counted : StockCountStatus.Cancelled },
          }}
          done={act === 'finish' ? words.finished : words.cancelled}
          changes={stockPaths}
          onClose={close}
        />
      )}
    </>
  )
}

interface LineProps {
  stockCountId: string
  lines?: readonly CountLine[]
  onClose: () => void
  onDone?: () => void
}

/** Approves the chosen lines, or all. */
function Approve({ stockCountId, lines, ...props }: LineProps) {
  const [reason, setReason] = useState('')
  const [releaseAllocations, setRelease] = useState(false)
  const body = {
    ...{ reason: reason.trim() || null, releaseAllocations },
    stockCountLineIds: lines?.map(({ stockCountLineId }) => stockCountLineId) ?? null,
  }
  return (
    <ActDialog
      act={words.approve}
      method="post"
      path="/v1/stock-counts/{stockCountId}/approve"
      request={{ path: { stockCountId }, body }}
      done={words.approved}
      changes={stockPaths}
      {...props}
    >
      {faults => (
        <>
          <TextField label={words.reason} value={reason} onChange={setReason} fault={faults.at('reason')} />
          <SwitchField label={words.releaseAllocations} isOn={releaseAllocations} onChange={setRelease} />
        </>
      )}
    </ActDialog>
  )
}

/** The toolbar of the selected lines. */
export function LineActs({
  stockCountId,
  lines,
  onClear,
}: {
  stockCountId: string
  lines: readonly CountLine[]
  onClear: () => void
}) {
  const [act, setAct] = useState<'enterCount' | 'recount' | 'approve'>()
  const props = { stockCountId, lines, onClose: () => setAct(undefined), onDone: onClear }
  return (
    <div role="toolbar" aria-label={uiWords.selected} className={styles.toolbar}>
      {(['enterCount', 'recount', 'approve'] as const).map(name => (
        <Button key={name} onPress={() => setAct(name)}>
          {words[name]}…
        </Button>
      ))}
      <Button kind="quiet" onPress={onClear}>
        {uiWords.clearSelection}
      </Button>
      {act === 'enterCount' && <EnterCount {...props} />}
      {act === 'approve' && <Approve {...props} />}
      {act === 'recount' && (
        <ActDialog
          act={words.recount}
          method="post"
          path="/v1/stock-counts/{stockCountId}/lines/recount"
          request={{
            path: { stockCountId },
            body: { stockCountLineIds: lines.map(({ stockCountLineId }) => stockCountLineId) },
          }}
          done={words.recounted(lines.length)}
          changes={stockPaths}
          {...props}
        />
      )}
    </div>
  )
}

function EnterCount({ stockCountId, lines = [], ...props }: LineProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const counts = lines.flatMap(({ stockCountLineId }) => {
    const countedQuantity = numberOf(typed[stockCountLineId] ?? '')
    return countedQuantity === undefined ? [] : [{ stockCountLineId, countedQuantity }]
  })
  return (
    <ActDialog
      act={words.enterCount}
      method="post"
      path="/v1/stock-counts/{stockCountId}/lines/count"
      request={{ path: { stockCountId }, body: { counts } }}
      isComplete={counts.length > 0}
      done={words.entered(counts.length)}
      changes={stockPaths}
      {...props}
    >
      {faults =>
        lines.map((line, i) => (
          <TextField
            key={line.stockCountLineId}
            label={words.countOf(`${line.partnerProductCode}, ${line.warehouseLocationName}`)}
            type="number"
            value={typed[line.stockCountLineId] ?? ''}
            onChange={text => setTyped({ ...typed, [line.stockCountLineId]: text })}
            fault={faults.at(`counts[${i}].countedQuantity`)}
            {...(i < lines.length - 1 ? { onEnter: goToNextField } : {})}
          />
        ))
      }
    </ActDialog>
  )
}
