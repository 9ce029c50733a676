// The acts on selected consignments. Each is one request: what can be done is done, and what is refused stays
// selected with its reason.

import { useState } from 'react'
import { ConsignmentPriority } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { lazily } from '../../../../ui/lazily.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import type { ConsignmentRow } from '../../lists/consignments.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import { consignmentPaths } from './consignment-paths.ts'
import { bulkPath, type Results, refusedIn, type SelectedAct } from './selected.ts'

// Most who read the list select nothing.
const SelectedDialog = lazily(() => import('./selected-dialogs.tsx').then(module => module.SelectedDialog))

interface SelectedProps {
  selected: readonly ConsignmentRow[]
  /** called when none of them was refused */
  clear: () => void
}

export function SelectedActs({ selected, clear }: SelectedProps) {
  const me = useMe()
  const go = useGo()
  const [act, setAct] = useState<SelectedAct>()
  const consignmentIds = selected.map(({ id }) => id)
  const mayPrint = hasScope(me, 'print')
  // From the rows the toolbar is many tabs away.
  useKeys({ m: () => setAct('move'), ...(mayPrint ? { p: () => setAct('print') } : {}) })
  return (
    <>
      <Button hint="M" onPress={() => setAct('move')}>
        {words.move}…
      </Button>
      <Menu label={words.priorityHeading} groups={[{ acts: priorities(consignmentIds, clear) }]}>
        <Button>{words.priorityHeading}</Button>
      </Menu>
      <Button onPress={() => setAct('carrier')}>{words.headCarrier}…</Button>
      {hasScope(me, 'job') && (
        <>
          <Button onPress={() => go('/jobs/new', { ids: consignmentIds.join(',') })}>{words.newWave}</Button>
          <Button onPress={() => setAct('addToWave')}>{words.addToWave}…</Button>
        </>
      )}
      {mayPrint && (
        <Button hint="P" onPress={() => setAct('print')}>
          {words.print}…
        </Button>
      )}
      <Button onPress={() => setAct('close')}>{words.close}…</Button>
      <Button kind="alert" onPress={() => setAct('void')}>
        {words.void}…
      </Button>
      {act !== undefined && (
        <SelectedDialog
          act={act}
          consignmentIds={consignmentIds}
          onDone={results => refusedIn(results).rows.length === 0 && clear()}
          onClose={() => setAct(undefined)}
        />
      )}
    </>
  )
}

const priorities = (consignmentIds: readonly string[], clear: () => void) =>
  Object.values(ConsignmentPriority).map(priority => ({
    id: String(priority),
    text: words.priority(priority),
    onAct: () => void setPriority(consignmentIds, priority).then(isDone => isDone && clear()),
  }))

/** Changes the priority of all at once. Returns whether none was refused. */
async function setPriority(
  consignmentIds: readonly string[],
  priority: (typeof ConsignmentPriority)[keyof typeof ConsignmentPriority],
): Promise<boolean> {
  try {
    const body = { consignmentIds: [...consignmentIds], action: 'priority' as const, values: { priority } }
    const { data } = await send('post', bulkPath, { body })
    await readAgain(...consignmentPaths)
    return tell(data)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
    return false
  }
}

/** Says how many were changed, and why others were not. Returns whether none was refused. */
function tell(answer: Results): boolean {
  const { taken, rows } = refusedIn(answer)
  const reasons = rows.slice(0, 3).map(({ name, why }) => words.refused(name, why))
  notify({
    text: [words.changedMany(taken, rows.length), ...reasons].join(' '),
    isAlert: rows.length > 0,
  })
  return rows.length === 0
}
