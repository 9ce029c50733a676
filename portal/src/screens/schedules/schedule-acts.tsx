// The acts on a schedule: approval while it is a Draft, export once it is Approved, the others under More.

import { useState } from 'react'
import { ScheduleStatus } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu, type MenuGroup } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, send } from '../../api.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { scheduleWords as words } from '../../words/schedules.ts'
import { download } from '../consignments/documents.tsx'
import { mayPrint } from '../consignments/print-dialog.tsx'
import { ExportDialog, MarkDialog, PrintStatement, UnmarkDialog } from './export-dialogs.tsx'
import type { Schedule, ScheduleProof } from './schedule.tsx'
import { mayChangeMoney, moneyPaths } from './schedule-paths.ts'

type Act = 'approve' | 'backToDraft' | 'remove' | 'export' | 'mark' | 'unmark' | 'print'

const isDraft = ({ status }: Schedule) => status === ScheduleStatus.Draft

/** Whether lines and texts of a schedule may change. */
export const isChangeable = (schedule: Schedule): boolean => isDraft(schedule) && !schedule.isExported

export function ScheduleActs({ schedule, proof }: { schedule: Schedule; proof: ScheduleProof | undefined }) {
  const me = useMe()
  const [act, setAct] = useState<Act>()
  const mayAct = mayChangeMoney(me)
  const main = mayAct && isDraft(schedule) ? 'approve' : 'export'
  const differs = (proof?.differing.length ?? 0) > 0
  useKeys({
    ...(differs ? {} : { m: () => setAct(main) }),
    ...(mayPrint(me) ? { p: () => setAct('print') } : {}),
  })
  const groups = groupsOf(schedule, { mayAct, mayPrint: mayPrint(me), onAct: setAct })
  return (
    <>
      {groups.length > 0 && (
        <Menu label={uiWords.more} groups={groups}>
          <Button>{uiWords.more}</Button>
        </Menu>
      )}
      <Button onPress={() => void downloadStatement(schedule)}>{words.statement}</Button>
      <Button
        kind="main"
        hint="M"
        disabledReason={main === 'approve' && differs ? words.cannotApprove : undefined}
        onPress={() => setAct(main)}
      >
        {words[main]}
      </Button>
      {act !== undefined && (
        <ActOf {...{ act, schedule, mayAct }} onAct={setAct} onClose={() => setAct(undefined)} />
      )}
    </>
  )
}

const downloadStatement = ({ id, referenceNumber }: Schedule) =>
  download(`/v1/schedules/${id}/statement-pdf`, `${referenceNumber ?? id}.pdf`)

interface May {
  mayAct: boolean
  mayPrint: boolean
  onAct: (act: Act) => void
}

function groupsOf(schedule: Schedule, { mayAct, mayPrint: prints, onAct }: May): readonly MenuGroup[] {
  if (!mayAct && !prints) return []
  const printing = prints ? [{ id: 'print', text: words.printStatement, onAct: () => onAct('print') }] : []
  if (!mayAct) return [{ acts: printing }]
  const draft = isDraft(schedule)
  return [
    {
      acts: [
        ...(draft ? [{ id: 'export', text: words.export, onAct: () => onAct('export') }] : []),
        {
          id: 'mark',
          text: schedule.isExported ? words.markAgain : words.markExported,
          onAct: () => onAct('mark'),
        },
        {
          id: 'unmark',
          text: words.unmark,
          disabledReason: whyMarked(schedule),
          onAct: () => onAct('unmark'),
        },
        ...printing,
        { id: 'connections', text: words.runConnections, onAct: () => void runConnections(schedule.id) },
      ],
    },
    {
      acts: [
        {
          id: 'draft',
          text: words.backToDraft,
          disabledReason: draft ? words.isDraftAlready : schedule.isExported ? words.isExported : undefined,
          onAct: () => onAct('backToDraft'),
        },
        {
          id: 'remove',
          text: words.remove,
          isAlert: true,
          disabledReason: whyKept(schedule),
          onAct: () => onAct('remove'),
        },
      ],
    },
  ]
}

/** Why the mark of an export cannot be taken off; undefined if it can. */
function whyMarked(schedule: Schedule): string | undefined {
  if (!schedule.isExported) return words.notMarked
  return isDraft(schedule) ? undefined : words.isExported
}

/** Why a schedule cannot be removed; undefined if it can. */
function whyKept(schedule: Schedule): string | undefined {
  if (!isDraft(schedule)) return words.onlyDraft
  if (schedule.isExported) return words.unmarkFirst
  return schedule.invoiceNumber === null ? undefined : words.hasInvoice(schedule.invoiceNumber)
}

/** Tells the connections that listen to export the schedule. */
async function runConnections(partnerScheduleId: string): Promise<void> {
  try {
    await send('post', '/v1/schedules/{partnerScheduleId}/trigger-action', { path: { partnerScheduleId } })
    notify({ text: words.connectionsRun })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain(...moneyPaths)
}

interface ActProps {
  act: Act
  schedule: Schedule
  mayAct: boolean
  onAct: (act: Act) => void
  onClose: () => void
}

function ActOf({ act, schedule, mayAct, onAct, onClose }: ActProps) {
  if (act === 'export') {
    const offersMark = mayAct && !schedule.isExported
    return (
      <ExportDialog {...{ schedule, onClose }} {...(offersMark ? { onMark: () => onAct('mark') } : {})} />
    )
  }
  if (act === 'mark') return <MarkDialog {...{ schedule, onClose }} />
  if (act === 'unmark') return <UnmarkDialog {...{ schedule, onClose }} />
  if (act === 'print') return <PrintStatement {...{ schedule, onClose }} />
  if (act === 'remove') return <RemoveDialog {...{ schedule, onClose }} />
  const isApproval = act === 'approve'
  return (
    <ActDialog
      act={words[act]}
      method="put"
      path="/v1/schedules/{partnerScheduleId}/status"
      request={{
        path: { partnerScheduleId: schedule.id },
        body: { status: isApproval ? ScheduleStatus.Approved : ScheduleStatus.Draft },
        ifMatch: entityTagOf(schedule),
      }}
      done={isApproval ? words.approved : words.isDraft}
      changes={moneyPaths}
      onClose={onClose}
    >
      {isApproval ? () => <p>{words.approveWhy(schedule)}</p> : undefined}
    </ActDialog>
  )
}

function RemoveDialog({ schedule, onClose }: Pick<ActProps, 'schedule' | 'onClose'>) {
  const go = useGo()
  return (
    <ActDialog
      act={words.remove}
      method="delete"
      path="/v1/schedules/{partnerScheduleId}"
      request={{ path: { partnerScheduleId: schedule.id }, ifMatch: entityTagOf(schedule) }}
      done={words.removed}
      changes={['/v1/schedule-transactions', '/v1/billing-runs']}
      onClose={onClose}
      onDone={() => go('/schedules')}
    />
  )
}
