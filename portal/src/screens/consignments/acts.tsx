// The acts on a consignment: the next step as the main one, the others under More.

import { useState } from 'react'
import { ConsignmentPriority, ConsignmentStatus, ConsignmentType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { words as uiWords } from '../../../../ui/words.ts'
import { entityTagOf, send } from '../../api.ts'
import { movesOf, nextStatus } from '../../consignment-status.ts'
import { ActDialog } from '../../frame/ActDialog.tsx'
import { LinkButton } from '../../frame/LinkButton.tsx'
import { hasScope, kindOf, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { useGo } from '../../router.tsx'
import { consignmentWords as words } from '../../words/consignments.ts'
import type { Consignment } from './consignment.tsx'
import { type MoreAct, MoreDialog, moreActsOf } from './more-acts.tsx'
import { mayPrint, PrintDialog } from './print-dialog.tsx'

type Status = (typeof ConsignmentStatus)[keyof typeof ConsignmentStatus]
type Priority = (typeof ConsignmentPriority)[keyof typeof ConsignmentPriority]

export function ConsignmentActs({
  consignment,
  onAddNote,
}: {
  consignment: Consignment
  onAddNote: () => void
}) {
  const me = useMe()
  const go = useGo()
  const [target, setTarget] = useState<Status>()
  const [moreAct, setMoreAct] = useState<MoreAct>()
  const [isPrinting, setPrinting] = useState(false)
  const { type, status } = consignment
  const mayAct = hasScope(me, 'consignment') && kindOf(me) === 'staff'
  const next = mayAct ? nextStatus(type, status) : undefined
  const desk = next === undefined ? undefined : deskOf(consignment)
  const goOn = () => (desk === undefined ? setTarget(next) : go(desk.to))
  useKeys({
    ...(next === undefined ? {} : { m: goOn }),
    ...(mayAct ? { n: onAddNote } : {}),
    ...(mayPrint(me) ? { p: () => setPrinting(true) } : {}),
  })
  if (!mayAct) return null
  return (
    <>
      <Menu
        label={uiWords.more}
        groups={[
          ...groupsOf(consignment, setTarget),
          { acts: plainActsOf(consignment, go) },
          ...moreActsOf(consignment, setMoreAct),
        ]}
      >
        <Button>{uiWords.more}</Button>
      </Menu>
      {mayPrint(me) && (
        <Button hint="P" onPress={() => setPrinting(true)}>
          {words.print}
        </Button>
      )}
      {desk !== undefined && (
        <LinkButton to={desk.to} hint="M">
          {desk.text}
        </LinkButton>
      )}
      {next !== undefined && desk === undefined && (
        <Button kind="main" hint="M" onPress={goOn}>
          {actOf(next)}
        </Button>
      )}
      {moreAct !== undefined && (
        <MoreDialog act={moreAct} consignment={consignment} onClose={() => setMoreAct(undefined)} />
      )}
      {isPrinting && <PrintDialog consignment={consignment} onClose={() => setPrinting(false)} />}
      {target !== undefined && (
        <MoveDialog consignment={consignment} to={target} onClose={() => setTarget(undefined)} />
      )}
    </>
  )
}

/** Whether goods of it are still to be received at the desk. */
const hasToReceive = ({ type, status, products }: Consignment) =>
  type === ConsignmentType.Inwards &&
  status === ConsignmentStatus.ReadyToReceive &&
  products.some(({ receivedQuantity, expectedQuantity }) => receivedQuantity < expectedQuantity)

/**
 * Whether goods of it are still to be picked at the desk. Once something is picked and nothing more is
 * allocated, it goes on without what is short.
 */
const hasToPick = ({ type, status, products }: Consignment) =>
  type === ConsignmentType.Outwards &&
  status === ConsignmentStatus.ReadyToPick &&
  (products.some(({ allocatedQuantity }) => allocatedQuantity > 0) ||
    (products.length > 0 && products.every(({ pickedQuantity }) => pickedQuantity === 0)))

/** The screen where goods are still to be received or picked. */
function deskOf(consignment: Consignment): { to: string; text: string } | undefined {
  const record = `/consignments/${consignment.id}`
  if (hasToReceive(consignment)) return { to: `${record}/receive`, text: words.receive }
  return hasToPick(consignment) ? { to: `${record}/pick`, text: words.pick } : undefined
}

/** The words of the act that leads to a status. */
function actOf(to: Status): string {
  if (to === ConsignmentStatus.InTransit) return words.dispatch
  if (to === ConsignmentStatus.Complete) return words.complete
  if (to === ConsignmentStatus.Closed) return words.close
  return words.moveTo(to)
}

function groupsOf(consignment: Consignment, onMove: (to: Status) => void) {
  const { type, status, priority } = consignment
  return [
    {
      heading: words.move,
      acts: movesOf(type, status).map(({ to, refusal }) => ({
        id: `move ${to}`,
        text: words.moveTo(to),
        disabledReason: refusal ?? undefined,
        onAct: () => onMove(to),
      })),
    },
    {
      heading: words.priorityHeading,
      acts: Object.values(ConsignmentPriority).map(choice => ({
        id: `priority ${choice}`,
        text: words.priority(choice),
        isChosen: choice === priority,
        onAct: () => void setPriority(consignment, choice),
      })),
    },
  ]
}

/** The acts that nobody has to confirm. */
const plainActsOf = ({ id, consignmentNumber }: Consignment, go: ReturnType<typeof useGo>) => [
  { id: 'copy', text: words.copy, onAct: () => go('/consignments/new', { copy: id }) },
  {
    id: 'connections',
    text: words.runConnections,
    onAct: () => void runConnections(id, consignmentNumber),
  },
]

/** Tells the connections that listen to send the consignment again. */
async function runConnections(consignmentId: string, number: string): Promise<void> {
  try {
    await send('post', '/v1/consignments/{consignmentId}/trigger-action', { path: { consignmentId } })
    notify({ text: words.connectionsRun(number) })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain(...paths)
}

const paths = ['/v1/consignments', '/v1/consignments/{consignmentId}'] as const

/** Changes the priority at once. Undo sets the one before. */
async function setPriority(consignment: Consignment, priority: Priority, isUndo = false): Promise<void> {
  const { id, consignmentNumber, priority: before } = consignment
  try {
    const { hasChanged } = await send('put', '/v1/consignments/{consignmentId}/priority', {
      path: { consignmentId: id },
      body: { priority },
    })
    notify({
      text: hasChanged ? words.prioritySet(consignmentNumber, priority) : words.unchanged,
      onUndo: hasChanged && !isUndo ? () => void setPriority(consignment, before, true) : undefined,
    })
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
  await readAgain(...paths)
}

function MoveDialog({
  consignment,
  to,
  onClose,
}: {
  consignment: Consignment
  to: Status
  onClose: () => void
}) {
  return (
    <ActDialog
      act={actOf(to)}
      method="put"
      path="/v1/consignments/{consignmentId}/status"
      request={{
        path: { consignmentId: consignment.id },
        body: { status: to },
        ifMatch: entityTagOf(consignment),
      }}
      done={words.moved(consignment.consignmentNumber, to)}
      changes={paths}
      onClose={onClose}
    />
  )
}
