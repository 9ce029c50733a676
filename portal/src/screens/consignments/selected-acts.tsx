// The acts on selected consignments. Each is one request: what can be done is done, and what is refused stays
// selected with its reason.

import { useState } from 'react'
import { ConsignmentPriority, ConsignmentStatus, type Schemas } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../../ui/Field.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import type { ConsignmentRow } from '../../lists/consignments.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import { consignmentPaths } from './more-acts.tsx'

const path = '/v1/consignments/bulk'
const Refused = 3

type Act = 'move' | 'close' | 'void'

interface SelectedProps {
  selected: readonly ConsignmentRow[]
  /** called when none of them was refused */
  clear: () => void
}

export function SelectedActs({ selected, clear }: SelectedProps) {
  const me = useMe()
  const go = useGo()
  const [act, setAct] = useState<Act>()
  const consignmentIds = selected.map(({ id }) => id)
  return (
    <>
      <Button onPress={() => setAct('move')}>{words.move}…</Button>
      <Menu label={words.priorityHeading} groups={[{ acts: priorities(consignmentIds, clear) }]}>
        <Button>{words.priorityHeading}</Button>
      </Menu>
      {hasScope(me, 'job') && (
        <Button onPress={() => go('/jobs/new', { ids: consignmentIds.join(',') })}>{words.newWave}</Button>
      )}
      <Button onPress={() => setAct('close')}>{words.close}…</Button>
      <Button kind="alert" onPress={() => setAct('void')}>
        {words.void}…
      </Button>
      {act !== undefined && (
        <SelectedDialog
          act={act}
          consignmentIds={consignmentIds}
          clear={clear}
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
    const { data } = await send('post', path, { body })
    await readAgain(...consignmentPaths)
    return tell(data)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
    return false
  }
}

type Results = Schemas['BulkResults']

/** What is refused, each with its reasons. */
const refusalsIn = ({ results }: Results): readonly string[] =>
  results
    .filter(({ result }) => result === Refused)
    .map(({ consignmentNumber, messages }) => words.refused(consignmentNumber ?? '', messages.join(' ')))

/** Says how many were changed, and why others were not. Returns whether none was refused. */
function tell(answer: Results): boolean {
  const refused = refusalsIn(answer)
  const changed = answer.results.length - refused.length
  notify({
    text: [words.changedMany(changed, refused.length), ...refused.slice(0, 3)].join(' '),
    isAlert: refused.length > 0,
  })
  return refused.length === 0
}

const statuses = Object.values(ConsignmentStatus).filter(
  status => status !== ConsignmentStatus.Void && status !== ConsignmentStatus.Closed,
)

function SelectedDialog({
  act,
  consignmentIds,
  clear,
  onClose,
}: Omit<SelectedProps, 'selected'> & { act: Act; consignmentIds: string[]; onClose: () => void }) {
  const [status, setStatus] = useState('')
  const [reason, setReason] = useState('')
  const body =
    act === 'void'
      ? { consignmentIds, action: 'void' as const, values: { reason: reason.trim() || null } }
      : {
          ...{ consignmentIds, action: 'status' as const },
          values: { status: act === 'close' ? ConsignmentStatus.Closed : (Number(status) as 1) },
        }
  return (
    <ActDialog
      act={words[act]}
      method="post"
      path={path}
      request={{ body }}
      isComplete={act !== 'move' || status !== ''}
      done={words.done}
      refusedOf={result => refusalsIn(result as Results)}
      changes={consignmentPaths}
      onClose={onClose}
      onDone={({ data }) => tell(data as Results) && clear()}
    >
      {faults =>
        act === 'move' ? (
          <SelectField
            label={words.headStatus}
            value={status}
            onChange={setStatus}
            options={[
              { value: '', text: '' },
              ...statuses.map(to => ({ value: String(to), text: words.status(to) })),
            ]}
            fault={faults.at('values.status')}
          />
        ) : act === 'void' ? (
          <TextField
            label={words.reason}
            value={reason}
            onChange={setReason}
            maxLength={500}
            fault={faults.at('values.reason')}
          />
        ) : null
      }
    </ActDialog>
  )
}
